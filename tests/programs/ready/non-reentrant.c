/*
 * Two threads call localtime, which returns a pointer to memory that all calls share.
 * order: creation
 * spec: non-reentrant
 */
#include <pthread.h>
#include <time.h>

static int days[2];

static void *day(void *arg)
{
	time_t t = 86400;
#ifdef FIXED
	struct tm tm;

	*(int *)arg = localtime_r(&t, &tm)->tm_yday;
#else
	*(int *)arg = localtime(&t)->tm_yday;
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, day, &days[0]);
	pthread_create(&b, NULL, day, &days[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return days[0] != days[1];
}
