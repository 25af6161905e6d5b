/*
 * Condition variables, futexes and barriers of controlled programs. The runtime does not use those
 * of libc and the kernel, because the schedule must choose the waiter that a signal wakes.
 *
 * Meaning:   a signal adds a token if there are more waiters than tokens. A waiter takes the oldest
 *            token that was added after it began to wait. So a signal wakes at most one thread that
 *            was already waiting, and the turns of the schedule decide which one.
 * Invariant: each token has a waiter of its own that may take it. A waiter that leaves without a
 *            token leaves one behind that others, who came later, cannot take; it is removed.
 * Limits:    BARRIERS barriers. If threads outside of control send more than FOREIGN signals before
 *            one is performed, the others become wake-ups of all waiters, which POSIX allows.
 */
#include "runtime/core/shared_mapping.h"
#include "ctl_turn.h"
#include <errno.h>
#include <stdatomic.h>

static struct {
	const void *cond;
	uint64_t when;
} token[FR_POOL_MAX_THREADS];
static uint32_t ntokens;
static uint64_t now; /* counts arrivals and signals: the time of `when` and `arrival` */

/* Removes the oldest token that was added after this time. */
static bool take(const void *cond, uint64_t after)
{
	for (uint32_t i = 0; i < ntokens; i++)
		if (token[i].cond == cond && token[i].when > after) {
			frt_assert(token[i].when <= now);
			for (ntokens--; i < ntokens; i++)
				token[i] = token[i + 1];
			return true;
		}
	return false;
}

/* Number of waiters that began to wait before this time. */
static uint32_t waiters_before(const void *cond, uint64_t when)
{
	uint32_t n = 0;

	for (uint32_t i = 0, all = frt_ctl_count(); i < all; i++)
		n += frt_ctl_threads[i].t && frt_ctl_threads[i].cond == cond &&
		     frt_ctl_threads[i].arrival < when;
	return n;
}

/* A waiter has left: removes the tokens that no other waiter can take. The oldest come first. */
static void drop_tokens(const void *cond)
{
	uint32_t n = 0, kept = 0;

	for (uint32_t i = 0; i < ntokens; i++) {
		if (token[i].cond == cond && waiters_before(cond, token[i].when) <= kept)
			continue;
		kept += token[i].cond == cond;
		token[n++] = token[i];
	}
	frt_assert(n <= ntokens && kept <= n);
	ntokens = n;
}

/* Number of waiters that have no token yet. */
static int64_t without_token(const void *cond)
{
	int64_t n = 0;

	for (uint32_t i = 0, all = frt_ctl_count(); i < all; i++)
		n += frt_ctl_threads[i].t && frt_ctl_threads[i].cond == cond;
	for (uint32_t i = 0; i < ntokens; i++)
		n -= token[i].cond == cond;
	return n;
}

void frt_ctl_cond_begin(struct frt_thread *t, const void *cond)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);

	c->cond = frt_alias(cond);
	c->arrival = ++now;
}

int frt_ctl_cond_wait(struct frt_thread *t, const uint64_t *until)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	int wants = frt_ctl_outcome(t), r = 0;
	const void *cond;

	if (until && wants == FR_TIMEDOUT) {
		frt_ctl_expires(*until);
		r = ETIMEDOUT;
	}
	if (wants == FR_CANCELLED)
		r = ECANCELED;
	if (frt_ctl_wait_ended(t) == ECANCELED)
		r = ECANCELED;
	while (!r && !take(c->cond, c->arrival)) {
		/* A signal is emitted before it acts. In the recorded run it woke this thread,
		   which began to wait in between; in this run no token is left for it. */
		if (!frt_ctl_wait_ended(t))
			break;
		if (frt_ctl_cancelled(t)) {
			r = ECANCELED;
			break;
		}
		r = frt_ctl_block(t, FR_EV_COND_WAIT, c->cond, until);
		if (r == ETIMEDOUT && take(c->cond, c->arrival))
			r = 0;
		if (r)
			break;
	}
	cond = c->cond;
	c->cond = NULL;
	if (r)
		drop_tokens(cond);
	return r;
}

/* Adds tokens for at most `most` waiters. Returns their number. */
static uint32_t wake(const void *cond, uint32_t most)
{
	int64_t waiters;
	uint32_t n = 0;

	cond = frt_alias(cond);
	waiters = without_token(cond);
	now++;
	for (; waiters > 0 && n < most; waiters--, n++) {
		frt_assert(ntokens < FR_POOL_MAX_THREADS);
		token[ntokens].cond = cond;
		token[ntokens++].when = now;
	}
	frt_ctl_release(cond);
	return n;
}

void frt_ctl_cond_signal(const void *cond, bool all)
{
	wake(cond, all ? UINT32_MAX : 1);
}

/* ---- futexes ---- */

/* The result of the wait by the schedule, or by the value of the word; -1: it waits. */
static int ends_at_once(struct frt_thread *t, bool equal, const uint64_t *until)
{
	switch (frt_ctl_outcome(t)) {
	case FR_OK: /* it slept in the recorded run */
		return -1;
	case FR_BUSY:
		return EAGAIN;
	case FR_INTR:
		return EINTR;
	case FR_TIMEDOUT:
		if (until)
			frt_ctl_expires(*until);
		return ETIMEDOUT;
	default:
		return equal ? -1 : EAGAIN;
	}
}

int frt_ctl_futex_wait(struct frt_thread *t, bool shared, bool equal, const uint64_t *until)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	const void *word = c->cond;
	int r = ends_at_once(t, equal, until);

	if (r < 0) {
		r = 0;
		/* A wake-up is emitted before it acts: see frt_ctl_cond_wait. */
		while (!r && !take(word, c->arrival) && frt_ctl_wait_ended(t)) {
			uint64_t before = now;

			r = (shared ? frt_ctl_block_shared : frt_ctl_block)(t, FR_EV_FUTEX_WAIT,
									    word, until);
			if (!r && frt_ctl_interrupted(t, false))
				r = EINTR;
			if (take(word, c->arrival)) {
				r = 0;
				break;
			}
			/* Without a new wake-up, something else ended the wait, which the kernel
			   allows. In the turns, the schedule names the thread that continues. */
			if (now == before || shared || !(frt_ctl_free() || frt_ctl_by_place()))
				break;
		}
	}
	c->cond = NULL;
	drop_tokens(word);
	return r;
}

uint32_t frt_ctl_futex_wake(const void *word, uint32_t most)
{
	return wake(word, most);
}

/* ---- signals from threads that are not controlled ---- */

#define FOREIGN 256 /* signals that frt_ctl_cond_foreign has not performed yet */
#define TO_ALL 1    /* flag in the address: broadcast */

static _Atomic uintptr_t foreign[FOREIGN];
static _Atomic bool foreign_more; /* others were sent */

void frt_ctl_cond_signal_foreign(const void *cond, bool all)
{
	for (uint32_t i = 0; i < FOREIGN; i++) {
		uintptr_t none = 0;

		if (atomic_compare_exchange_strong(&foreign[i], &none,
						   (uintptr_t)cond | (all ? TO_ALL : 0)))
			return;
	}
	atomic_store(&foreign_more, true);
}

static void wake_everybody(void)
{
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].t && frt_ctl_threads[i].cond)
			frt_ctl_cond_signal(frt_ctl_threads[i].cond, true);
}

void frt_ctl_cond_foreign(void)
{
	for (uint32_t i = 0; i < FOREIGN; i++) {
		uintptr_t x = atomic_load_explicit(&foreign[i], memory_order_relaxed)
				  ? atomic_exchange(&foreign[i], 0)
				  : 0;

		if (x)
			frt_ctl_cond_signal((const void *)(x & ~(uintptr_t)TO_ALL), x & TO_ALL);
	}
	if (atomic_exchange(&foreign_more, false))
		wake_everybody();
}

/* ---- barriers ---- */

#define BARRIERS 1024

static struct ctl_barrier {
	const void *obj;
	uint64_t arrived;
} barriers[BARRIERS];

static struct ctl_barrier *find(const void *obj)
{
	uint32_t h;

	obj = frt_alias(obj);
	h = frt_hash_address((uintptr_t)obj);
	for (uint32_t i = 0; i < BARRIERS; i++) {
		struct ctl_barrier *b = &barriers[(h + i) % BARRIERS];

		if (b->obj == obj || !b->obj) {
			b->obj = obj;
			return b;
		}
	}
	return NULL;
}

uint64_t frt_ctl_barrier_enter(const void *obj, unsigned count)
{
	struct ctl_barrier *b = find(obj);

	if (!b || !count)
		return 0;
	frt_assert(b->obj == frt_alias(obj));
	if (++b->arrived % count == 0)
		frt_ctl_release(obj);
	return b->arrived;
}

bool frt_ctl_barrier_leave(struct frt_thread *t, const void *obj, unsigned count, uint64_t arrival)
{
	const struct ctl_barrier *b = find(obj);
	uint64_t full = count ? (arrival + count - 1) / count * count : 0;
	int wants;

	while (b && b->arrived < full)
		frt_ctl_block(t, FR_EV_BARRIER_LEAVE, obj, NULL);
	wants = frt_ctl_outcome(t);
	return wants >= 0 ? wants == FR_SERIAL : arrival == full;
}

void frt_ctl_barrier_reset(const void *obj)
{
	struct ctl_barrier *b = find(obj);

	if (b)
		b->arrived = 0;
}
