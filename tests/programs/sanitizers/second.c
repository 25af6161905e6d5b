/*
 * One error in every run, which the sanitizer reports and goes on; in another order of the threads
 * one more.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

static int width = 3, shifted, top = INT_MAX;

static void *user(void *arg)
{
	shifted = 1 << width; /* second */
	return arg;
}

static void *changer(void *arg)
{
	width = 40;
	return arg;
}

int main(void)
{
	pthread_t a, b;

	top++; /* first */
	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, changer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%s\n", shifted ? "done" : "nothing");
	return 0;
}
