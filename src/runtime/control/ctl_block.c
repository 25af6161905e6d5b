/* Threads that wait for an object that the controller knows, and cancellation requests. */
#include "runtime/core/shared_mapping.h"
#include "ctl_poll.h"
#include "ctl_turn.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

void frt_ctl_ready(struct frt_ctl_thread *c)
{
	if (c->t && frt_ctl_status(c) == FR_CTL_BLOCKED)
		frt_ctl_set_status(c, FR_CTL_READY);
}

void frt_ctl_release(const void *obj)
{
	obj = frt_alias(obj);
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].obj == obj) {
			frt_ctl_helped();
			frt_ctl_ready(&frt_ctl_threads[i]);
		}
}

bool frt_ctl_waits(unsigned kind, const void *obj)
{
	obj = frt_alias(obj);
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].obj == obj && frt_ctl_threads[i].kind == kind)
			return true;
	return false;
}

#define MUTEX_ROBUST 16		/* glibc, in __kind */
#define MUTEX_SHARED 128	/* likewise */
#define MUTEX_HOLDER 0x3fffffff /* of a robust mutex, in __lock */

void frt_ctl_leave_robust(const struct frt_thread *t)
{
	frt_assert(frt_ctl_over(t->id));
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		struct frt_ctl_thread *c = &frt_ctl_threads[i];
		const pthread_mutex_t *m = c->kind == FR_EV_MUTEX_LOCK ? c->obj : NULL;

		if (m && m->__data.__kind & MUTEX_ROBUST &&
		    ((uint32_t)m->__data.__lock & MUTEX_HOLDER) == t->os_tid)
			frt_ctl_ready(c);
	}
}

/* True if another process may release it. In glibc's sem_t the third word tells. */
static bool is_shared(unsigned kind, const void *obj)
{
	switch (kind) {
	case FR_EV_MUTEX_LOCK:
		return ((const pthread_mutex_t *)obj)->__data.__kind & MUTEX_SHARED;
	case FR_EV_RW_RDLOCK:
	case FR_EV_RW_WRLOCK:
		return ((const pthread_rwlock_t *)obj)->__data.__shared;
	case FR_EV_SEM_WAIT:
		return ((const int *)obj)[2];
	default:
		return false;
	}
}

/* Before the targets, a thread may have to wait for another process, or for a thread that is not
   controlled, which the schedule does not contain. True: the thread may try again (*ret is 0), or
   its time is up (ETIMEDOUT). */
static bool wait_outside(struct frt_ctl_thread *c, int *ret)
{
	frt_assert(frt_ctl_turns());
	if (c->waited_at != c->t->hook + 1)
		c->waited = c->slice = 0;
	c->waited_at = c->t->hook + 1;
	*ret = 0;
	if (c->timed && frt_ctl_vtime >= c->until) {
		*ret = ETIMEDOUT;
		return true;
	}
	if (frt_ctl_wait_outside(c))
		return true;
	frt_ctl_diverge(FR_DIV_OUTSIDE, c->t, NULL, NULL);
}

int frt_ctl_block(struct frt_thread *t, unsigned kind, const void *obj, const uint64_t *until)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t), *next;
	int saved = errno, r = 0;

	obj = frt_alias(obj);
	c->sp = (uintptr_t)__builtin_frame_address(0);
	frt_ctl_back(t);
	if (until)
		frt_ctl_poll_call(t, FRT_POLL_SLEEP);
	c->kind = (uint8_t)kind;
	c->obj = obj;
	c->timed = until != NULL;
	c->until = until ? *until : 0;
	c->expired = false;
	c->shared = c->foreign || is_shared(kind, obj);
	c->foreign = false;
	if (frt_ctl_deliver(t))
		return 0;
	if (frt_ctl_turns() && frt_ctl_may_come(c) && wait_outside(c, &r)) {
		c->obj = NULL;
		c->timed = false;
		return r;
	}
	if (frt_ctl_turns() && until && frt_ctl_may_expire(c)) {
		/* The schedule lets the thread continue, and only a timeout allows that. */
		frt_ctl_pass_until(*until);
		return ETIMEDOUT;
	}
	atomic_store(&frt_ctl->waits_for[t->id - 1], (uintptr_t)obj);
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
	atomic_store(&frt_ctl->waits_for[t->id - 1], 0);
	c->obj = NULL;
	c->timed = c->expired = false;
	c->interrupted = frt_ctl_deliver(t);
	errno = saved;
	return r;
}

int frt_ctl_block_shared(struct frt_thread *t, unsigned kind, const void *obj,
			 const uint64_t *until)
{
	frt_ctl_thread(t)->foreign = true;
	return frt_ctl_block(t, kind, obj, until);
}

bool frt_ctl_interrupted(struct frt_thread *t, bool any)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	bool was = c->interrupted && (any || !c->restart);

	c->interrupted = false;
	return was;
}

void frt_ctl_expires(uint64_t until)
{
	frt_ctl_wait_real(until);
	frt_ctl_pass_until(until);
}

/* If the schedule leads to a wait: calls of a thread in a row that let others run, until they do
   so. Code that waits often yields a few times before it sleeps. */
#define YIELDS 8

/* In the free stage: does this call let others run? */
static bool yields_now(struct frt_ctl_thread *c)
{
	return !frt_ctl->sleeps || ++c->yielded % YIELDS == 0;
}

void frt_ctl_yield(struct frt_thread *t)
{
	int saved = errno;
	bool now;

	frt_ctl_back(t);
	if (frt_ctl_free()) {
		frt_ctl_poll_call(t, FRT_POLL_YIELD);
		now = yields_now(frt_ctl_thread(t));
	} else {
		now = frt_ctl_by_place() && frt_ctl_place_yields(t);
	}
	if (now) {
		frt_ctl_thread(t)->yields = true;
		frt_ctl_turn_over(t);
		frt_ctl_thread(t)->yields = false;
		frt_ctl_deliver(t);
	}
	errno = saved;
}

void frt_ctl_cancel(uint32_t id)
{
	struct frt_ctl_thread *c = &frt_ctl_threads[id - 1];

	frt_assert(id && id <= FR_POOL_MAX_THREADS);
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
