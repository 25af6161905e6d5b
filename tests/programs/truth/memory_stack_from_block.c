/*
 * The stack of a thread lies where another thread freed a large block before, without any order between the two.
 *
 * options: --order 0+,1,0
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *block(void *arg)
{
	char *volatile p = malloc(400 << 10);

	memset(p, 1, 400 << 10);
	free(p);
	return arg;
}

static void fill(char *to, int with)
{
	for (int i = 0; i < 4096; i++)
		to[i] = (char)with;
}

static void *work(void *arg)
{
	char text[4096];
	void (*volatile f)(char *, int) = fill;

	f(text, 7);
	return text[100] == 7 ? arg : NULL;
}

int main(void)
{
	pthread_t a, b[3];

	pthread_create(&a, NULL, block, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&b[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(b[i], NULL);
	pthread_join(a, NULL);
	return 0;
}
