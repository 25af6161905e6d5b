/* The program's own functions are named raise, kill, time, sleep, pause, alarm: a simulated clock and its alarms. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t tick = PTHREAD_COND_INITIALIZER;
static long now, deadline, rung;
static int alive = 2;

long times(void)
{
	long t;

	pthread_mutex_lock(&lock);
	t = now;
	pthread_mutex_unlock(&lock);
	return t;
}

void alarm(long when)
{
	pthread_mutex_lock(&lock);
	deadline = when;
	pthread_mutex_unlock(&lock);
}

void usleep(long n)
{
	long until;

	pthread_mutex_lock(&lock);
	until = now + n;
	while (now < until)
		pthread_cond_wait(&tick, &lock);
	pthread_mutex_unlock(&lock);
}

void kill(int n)
{
	pthread_mutex_lock(&lock);
	alive -= n;
	pthread_mutex_unlock(&lock);
}

int getpid(void)
{
	int n;

	pthread_mutex_lock(&lock);
	n = alive;
	pthread_mutex_unlock(&lock);
	return n;
}

static void *sleeper(void *arg)
{
	long before = times();

	usleep(arg ? 5 : 3);
	assert(times() >= before + (arg ? 5 : 3));
	kill(1);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	alarm(4);
	pthread_create(&t[0], NULL, sleeper, NULL);
	pthread_create(&t[1], NULL, sleeper, &t);
	while (getpid()) {
		pthread_mutex_lock(&lock);
		now++;
		if (deadline && now >= deadline) {
			deadline = 0;
			rung++;
		}
		pthread_cond_broadcast(&tick);
		pthread_mutex_unlock(&lock);
	}
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("rung %ld\n", rung);
	return rung != 1;
}
