/*
 * Two locks in two orders, and this time it happened: the run hangs, and is ended by a signal.
 *
 * expect: deadlock a,b acquire@forth acquire@back
 * harm: hang
 * order: creation
 *	forerun cc -g -O1 -pthread ended.c -o ended
 *	forerun record --order creation ./ended
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static int n;

static void give_up(int sig)
{
	(void)sig;
	_exit(0);
}

static void *forth(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&b); /* @forth */
	n++;
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *back(void *arg)
{
#ifdef FIXED
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
#else
	pthread_mutex_lock(&b);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&a); /* @back */
#endif
	n++;
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	signal(SIGALRM, give_up);
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t[0], NULL, forth, NULL);
	pthread_create(&t[1], NULL, back, NULL);
	sleep(1000); /* no real time passes: it ends when no other thread can run */
	alarm(1);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return n != 2;
}
