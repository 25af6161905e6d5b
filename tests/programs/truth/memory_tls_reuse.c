/*
 * A thread gets the stack of a finished one, and with it the addresses of its thread-local variables. It still runs when
 * the program ends.
 *
 * options: --order 0,2,1+,3,1
 */
#include <pthread.h>
#include <unistd.h>

static _Thread_local int calls;

static void count(int *of)
{
	++*of;
}

static void *work(void *stays)
{
	void (*volatile f)(int *) = count;

	f(&calls);
	while (stays)
		pause();
	return NULL;
}

static void *start(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, work, arg);
	pthread_detach(t);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&b, NULL, start, &b);
	pthread_create(&a, NULL, work, NULL);
	pthread_detach(a);
	pthread_join(b, NULL);
	return 0;
}
