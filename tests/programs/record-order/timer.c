#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER, none[300];
static int done;
/* Runs in a thread of libc that forerun does not control. */
static void expired(union sigval v)
{
	(void)v;
	for (int i = 0; i < 300; i++)
		pthread_cond_signal(&none[i]);
	pthread_mutex_lock(&m);
	done = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
}
int main(void)
{
	struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired};
	struct itimerspec in = {.it_value = {.tv_nsec = 50000000}};
	timer_t t;

	timer_create(CLOCK_MONOTONIC, &e, &t);
	timer_settime(t, 0, &in, 0);
	pthread_mutex_lock(&m);
	while (!done)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	puts("end");
	return 0;
}
