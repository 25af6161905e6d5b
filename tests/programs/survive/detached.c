/* Detached threads are alive, at work and blocked, when main returns. */
#include "survive.h"

static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t wait_lock = PTHREAD_MUTEX_INITIALIZER;
static int waiting;

static void *at_work(void *arg)
{
	for (;;) {
		shared_add(1);
		free(malloc(40));
	}
	return arg;
}

static void *blocked(void *arg)
{
	pthread_mutex_lock(&wait_lock);
	waiting++;
	for (;;)
		pthread_cond_wait(&never, &wait_lock);
	return arg;
}

static int all_wait(void)
{
	int n;

	pthread_mutex_lock(&wait_lock);
	n = waiting;
	pthread_mutex_unlock(&wait_lock);
	return n == 2;
}

static void at_the_end(void)
{
	shared_add(1000000000);
	say("at exit\n");
}

int main(void)
{
	pthread_attr_t a;
	pthread_t t;

	atexit(at_the_end);
	pthread_attr_init(&a);
	pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 4; i++) {
		if (pthread_create(&t, &a, i % 2 ? at_work : blocked, NULL))
			return 99;
	}
	t = start(at_work, NULL);
	pthread_detach(t);
	for (int i = 0; i < 1000; i++)
		shared_add(1);
	while (!all_wait())
		usleep(1000);
	say("main returns\n");
	return 5;
}
