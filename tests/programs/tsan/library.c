/* Half of a program: a shared library. With -DPROGRAM the other half. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

int bump(int n);
extern int bumped;

#ifndef PROGRAM
int bumped;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char from[40] = "some bytes to copy", to[40];

int bump(int n)
{
	pthread_mutex_lock(&lock); /* LIBLOCK */
	bumped += n; /* LIBWRITE */
	memcpy(to, from, (size_t)n + 10); /* LIBCOPY */
	pthread_mutex_unlock(&lock);
	return bumped;
}
#else
static void *run(void *arg)
{
	bump((int)(long)arg); /* LIBCALL */
	return NULL;
}

int main(void)
{
	pthread_t t;

	bump(1);
	pthread_create(&t, NULL, run, (void *)2);
	pthread_join(t, NULL);
	printf("%d\n", bumped);
	return 0;
}
#endif
