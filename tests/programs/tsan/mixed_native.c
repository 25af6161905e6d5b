/* Compiled by forerun cc; mixed_tsan.c with -fsanitize=thread. Each calls the other. */
#include "mixed.h"
#include <pthread.h>
#include <stdio.h>

struct shared shared;

__attribute__((noinline)) void native_step(int n)
{
	shared.b = shared.a + 1; /* NATIVE */
	if (n > 0)
		tsan_step(n - 1); /* TO_TSAN */
}

static void *run(void *arg)
{
	(void)arg;
	tsan_step(2); /* START */
	return NULL;
}

int main(void)
{
	pthread_t t;

	native_step(1);
	pthread_create(&t, NULL, run, NULL);
	pthread_join(t, NULL);
	printf("%d %ld\n", shared.a, shared.b);
	return 0;
}
