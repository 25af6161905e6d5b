/* One order of a race reads outside an array, or overflows (-DOVERFLOW): a sanitizer reports it. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int table[4] = {1, 2, 3, 4}, at = INT_MAX - 3, sum;
static void *setter(void *arg)
{
	at = 2;
	return arg;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, setter, NULL);
#ifdef OVERFLOW
	sum = at + 10;
#else
	sum = table[at & 7];
#endif
	pthread_join(t, NULL);
	printf("%d\n", sum);
	return 0;
}
