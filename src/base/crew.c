/* Worker threads for numbered tasks. Invariant: `running` is the number of threads in work(). */
#include "base/crew.h"
#include "base/assert.h"
#include "base/mem.h"
#include <errno.h>
#include <sched.h>
#include <time.h>

uint32_t fr_crew_cores(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? (uint32_t)CPU_COUNT(&set) : 1;
}

static void finish(struct fr_crew *c)
{
	pthread_mutex_lock(&c->lock);
	fr_assert(c->running && c->running <= c->threads);
	if (!--c->running)
		pthread_cond_signal(&c->over);
	pthread_mutex_unlock(&c->lock);
}

static void *run(void *arg)
{
	struct fr_crew *c = arg;

	c->work(c->arg);
	finish(c);
	return NULL;
}

bool fr_crew_start(struct fr_crew *c, uint32_t most, void (*work)(void *), void *arg)
{
	uint32_t n = c->total < most ? (uint32_t)c->total : most;

	fr_assert(!c->thread && !c->threads && !c->running);
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->over, NULL);
	c->work = work;
	c->arg = arg;
	c->thread = fr_xcalloc(n, sizeof(*c->thread));
	pthread_mutex_lock(&c->lock);
	while (c->threads < n && pthread_create(&c->thread[c->threads], NULL, run, c) == 0)
		c->running = ++c->threads;
	fr_assert(c->running == c->threads && c->threads <= n); /* none can finish before */
	pthread_mutex_unlock(&c->lock);
	return c->threads || !n;
}

bool fr_crew_take(struct fr_crew *c, size_t *ret)
{
	size_t i = c->next++;

	if (i >= c->total)
		return false;
	*ret = i;
	return true;
}

bool fr_crew_wait(struct fr_crew *c, unsigned ms)
{
	struct timespec until;
	bool over;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)ms * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&c->lock);
	while (c->running &&
	       pthread_cond_clockwait(&c->over, &c->lock, CLOCK_MONOTONIC, &until) != ETIMEDOUT)
		;
	fr_assert(c->running <= c->threads);
	over = !c->running;
	pthread_mutex_unlock(&c->lock);
	return over;
}

void fr_crew_join(struct fr_crew *c)
{
	for (uint32_t i = 0; i < c->threads; i++)
		pthread_join(c->thread[i], NULL);
	fr_assert(!c->running);
	free(c->thread);
	c->thread = NULL;
	c->threads = 0;
}
