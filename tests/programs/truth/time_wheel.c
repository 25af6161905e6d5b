/*
 * A wheel of timeouts: a thread advances it by the monotonic clock with timed waits; workers add timers, cancel some,
 * and each timer fires once or is cancelled once.
 */
#include "truth.h"
#include <stdatomic.h>

enum { SLOTS = 8, TICK = 2000000 };
struct timer {
	struct timer *next, **prev;
	int rounds, armed, fired, cancelled;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static struct timer *wheel[SLOTS];
static int now, pending, stop;
static struct timer timers[2][4];

static void unlink_timer(struct timer *t)
{
	*t->prev = t->next;
	if (t->next)
		t->next->prev = t->prev;
	t->armed = 0;
	pending--;
}

static void arm(struct timer *t, int ticks)
{
	pthread_mutex_lock(&lock);
	struct timer **head = &wheel[(now + ticks) % SLOTS];

	t->rounds = ticks / SLOTS;
	t->next = *head;
	t->prev = head;
	if (*head)
		(*head)->prev = &t->next;
	*head = t;
	t->armed = 1;
	pending++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static int cancel(struct timer *t)
{
	int was;

	pthread_mutex_lock(&lock);
	was = t->armed;
	if (was) {
		unlink_timer(t);
		t->cancelled++;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return was;
}

static void *wheel_main(void *unused)
{
	struct timespec at;

	pthread_mutex_lock(&lock);
	while (!stop) {
		if (!pending) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		clock_gettime(CLOCK_MONOTONIC, &at);
		at.tv_nsec += TICK;
		if (at.tv_nsec >= 1000000000) {
			at.tv_nsec -= 1000000000;
			at.tv_sec++;
		}
		while (!stop && pthread_cond_timedwait(&changed, &lock, &at) != ETIMEDOUT)
			;
		now++;
		for (struct timer *t = wheel[now % SLOTS], *n; t; t = n) {
			n = t->next;
			if (t->rounds-- == 0) {
				unlink_timer(t);
				t->fired++;
				pthread_cond_broadcast(&changed);
			}
		}
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *user(void *arg)
{
	struct timer *t = arg;

	for (int i = 0; i < 4; i++)
		arm(&t[i], 1 + 4 * i);
	cancel(&t[2]);
	pthread_mutex_lock(&lock);
	while (t[0].armed || t[1].armed || t[3].armed)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_condattr_t a;
	pthread_t w, u[2];
	int fired = 0, cancelled = 0;

	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &a);
	pthread_create(&w, NULL, wheel_main, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&u[i], NULL, user, timers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(u[i], NULL);
	pthread_mutex_lock(&lock);
	stop = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(w, NULL);
	for (int i = 0; i < 8; i++) {
		struct timer *t = &timers[i / 4][i % 4];

		assert(t->fired + t->cancelled == 1);
		fired += t->fired;
		cancelled += t->cancelled;
	}
	printf("each of %d timers ended once\n", fired + cancelled);
	return fired + cancelled != 8;
}
