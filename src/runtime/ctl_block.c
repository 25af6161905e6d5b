/*
 * Threads that cannot go on, as far as forerun knows what they wait for; and those that are asked
 * to end.
 */
#include "ctl_turn.h"
#include <errno.h>
#include <pthread.h>

void frt_ctl_ready(struct frt_ctl_thread *c)
{
	if (c->t && frt_ctl_status(c) == FR_CTL_BLOCKED)
		frt_ctl_set_status(c, FR_CTL_READY);
}

void frt_ctl_release(const void *obj)
{
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].obj == obj)
			frt_ctl_ready(&frt_ctl_threads[i]);
}

int frt_ctl_block(struct frt_thread *t, unsigned kind, const void *obj, const uint64_t *until)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t), *next;
	int saved = errno, r = 0;

	frt_ctl_back(t);
	c->kind = (uint8_t)kind;
	c->obj = obj;
	c->timed = until != NULL;
	c->until = until ? *until : 0;
	c->expired = false;
	if (frt_ctl_deliver(t))
		return 0;
	if (frt_ctl_turns() && until)
		return ETIMEDOUT; /* the schedule lets it go on, and this is the only way */
	frt_ctl_set_status(c, FR_CTL_BLOCKED);
	frt_ctl_blocks(t, kind, obj);
	next = frt_ctl_choose(t);
	if (next != c) {
		frt_ctl_pass(next);
		frt_ctl_park(t);
	} else {
		frt_ctl_set_status(c, FR_CTL_RUNNING);
	}
	if (c->expired)
		r = ETIMEDOUT;
	c->obj = NULL;
	c->timed = c->expired = false;
	c->interrupted = frt_ctl_deliver(t);
	errno = saved;
	return r;
}

bool frt_ctl_interrupted(struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	bool was = c->interrupted;

	c->interrupted = false;
	return was;
}

void frt_ctl_yield(struct frt_thread *t)
{
	int saved = errno;

	frt_ctl_back(t);
	if (frt_ctl_free()) {
		frt_ctl_turn_over(t);
		frt_ctl_deliver(t);
	}
	errno = saved;
}

void frt_ctl_cancel(uint32_t id)
{
	struct frt_ctl_thread *c = &frt_ctl_threads[id - 1];

	c->cancelled = true;
	if (c->obj || c->fds)
		frt_ctl_ready(c);
}

bool frt_ctl_cancelled(struct frt_thread *t)
{
	int state;

	if (frt_likely(!frt_ctl_thread(t)->cancelled))
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_setcancelstate(state, NULL);
	return state == PTHREAD_CANCEL_ENABLE;
}

void frt_ctl_let_go(struct frt_thread *t)
{
	frt_ctl_thread(t)->hold = 0;
}
