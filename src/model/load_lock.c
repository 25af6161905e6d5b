/*
 * Emits the events of locks and conditions, in the order of their stamps.
 *
 * A lock object lasts from one initialisation of its address to the next. If a lock is acquired
 * while it is held, or released by a thread that does not hold it, its holder must have released it
 * unseen: the loader inserts that release (FR_F_SYNTH). Inner acquisitions of a recursive lock are
 * left out.
 *
 * Decisions: a failed attempt is stamped after it failed, a release before it releases. If the lock
 * is already free in stamp order, the failed attempt is left out. A mutex of a dead owner is
 * released at the owner's end. A signal without a waiter is lost. A wait takes the oldest signal
 * that can have woken it.
 */
#include "model/load_sync.h"
#include <string.h>

/* A thread holds the lock alone, or some threads share it, or nobody holds it. */
static bool is_consistent(const struct fr_slock *k)
{
	return !k->owner == !k->depth && !(k->owner && k->reader.n);
}

static struct fr_slock *lock_at(struct fr_load *l, const struct fr_item *i, unsigned kind,
				bool make)
{
	struct fr_load_sync *s = l->sync;
	uint64_t key = i->addr | (uint64_t)(kind == FR_LOCK_USER) << 56;
	uint64_t *at = fr_map_put(&s->map[FR_C_LOCK], key);

	fr_assert(*at <= s->lock.n);
	if (*at && !make)
		return &s->lock.v[*at - 1];
	if (!*at) {
		fr_vec_push(&s->lock, (struct fr_slock){0});
		*at = s->lock.n;
	}
	fr_vec_free(&s->lock.v[*at - 1].reader);
	s->lock.v[*at - 1] = (struct fr_slock){
	    .obj = fr_builder_obj(l->b, FR_C_LOCK, (struct fr_mobj){.addr = i->addr, .aux = kind})};
	return &s->lock.v[*at - 1];
}

/* A lock initialised again at the same address is a new lock, even if a thread holds the old
   one. */
static void lock_made(struct fr_load *l, const struct fr_item *i, unsigned kind)
{
	if (FR_SYNC_OUTCOME(i->aux) == FR_OK && fr_map_get(&l->sync->map[FR_C_LOCK], i->addr))
		lock_at(l, i, kind, true);
}

static unsigned kind_of(unsigned kind, unsigned aux)
{
	if (kind == FR_EV_SPIN_LOCK || kind == FR_EV_SPIN_UNLOCK || kind == FR_EV_SPIN_INIT)
		return FR_LOCK_SPIN;
	if (kind == FR_EV_USER_LOCK || kind == FR_EV_USER_UNLOCK)
		return FR_LOCK_USER;
	if (kind >= FR_EV_RW_INIT && kind <= FR_EV_RW_UNLOCK)
		return FR_SYNC_TYPE(aux) == FR_WRITERS_FIRST ? FR_LOCK_RW_WRITERS : FR_LOCK_RW;
	return FR_SYNC_TYPE(aux) == FR_RECURSIVE ? FR_LOCK_RECURSIVE : FR_LOCK_MUTEX;
}

/* Inserts releases for all holders of the lock, which must have released it unseen. */
static void force_release(struct fr_load *l, struct fr_slock *k, const struct fr_item *at)
{
	struct fr_item i = *at;

	fr_assert(k->owner || k->reader.n);
	if (k->owner) {
		struct fr_lthread *o = &l->thread[k->owner - 1];

		i.hook = o->hook;
		if (!o->exited && !o->joined)
			fr_sync_put(l, o, &i, FR_OP_RELEASE, k->obj, FR_F_SYNTH);
		k->owner = k->depth = 0;
	}
	FR_VEC_FOREACH (r, &k->reader) {
		struct fr_lthread *o = &l->thread[r->thread];

		fr_assert(r->thread < l->nthreads && r->count);
		i.hook = o->hook;
		for (; r->count && !o->exited && !o->joined; r->count--)
			fr_sync_put(l, o, &i, FR_OP_RELEASE_SHARED, k->obj, FR_F_SYNTH);
	}
	k->reader.n = 0;
	l->count[FR_MC_locks_unbalanced]++;
}

/* Returns the lock, free. If a holder has ended and cannot release any more, makes a new lock. */
static struct fr_slock *make_free(struct fr_load *l, struct fr_slock *k, const struct fr_item *i,
				  bool shared, unsigned kind)
{
	bool gone = false;

	if (!k->owner && (shared || !k->reader.n))
		return k;
	if (k->owner)
		gone |= l->thread[k->owner - 1].exited || l->thread[k->owner - 1].joined;
	FR_VEC_FOREACH (r, &k->reader)
		gone |= l->thread[r->thread].exited || l->thread[r->thread].joined;
	force_release(l, k, i);
	return gone ? lock_at(l, i, kind, true) : k;
}

static struct fr_sreader *reader(struct fr_slock *k, uint32_t thread)
{
	FR_VEC_FOREACH (r, &k->reader)
		if (r->thread == thread)
			return r;
	return NULL;
}

bool fr_sync_waits(struct fr_load *l, const struct fr_item *i)
{
	unsigned variant = FR_SYNC_VARIANT(i->aux);

	return variant == FR_PLAIN || (variant == FR_TRY && fr_wait_site(&l->waits, i->site));
}

static void acquire(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i, bool shared,
		    unsigned kind)
{
	struct fr_slock *k = lock_at(l, i, kind, false);
	unsigned outcome = FR_SYNC_OUTCOME(i->aux), variant = FR_SYNC_VARIANT(i->aux), flags = 0;

	if (outcome == FR_BUSY || outcome == FR_TIMEDOUT) {
		if (k->owner || (!shared && k->reader.n))
			fr_sync_put(l, t, i,
				    shared ? FR_OP_ACQUIRE_SHARED_FAILED : FR_OP_ACQUIRE_FAILED,
				    k->obj, fr_sync_waits(l, i) ? FR_F_BLOCKING : 0);
		else
			l->count[FR_MC_fails_unplaced]++;
		return;
	}
	if (outcome != FR_OK && outcome != FR_OWNERDEAD)
		return;
	if (k->owner == t->index + 1) { /* recursive */
		k->depth++;
		return;
	}
	k = make_free(l, k, i, shared, kind);
	fr_assert(!k->owner && (shared || !k->reader.n));
	if (variant == FR_WAIT)
		flags |= FR_F_WAIT;
	if (variant == FR_WAIT || fr_sync_waits(l, i))
		flags |= FR_F_BLOCKING;
	if (shared) {
		struct fr_sreader *r = reader(k, t->index);

		if (r)
			r->count++;
		else
			fr_vec_push(&k->reader, ((struct fr_sreader){t->index, 1}));
	} else {
		k->owner = t->index + 1;
		k->depth = 1;
	}
	fr_assert(is_consistent(k));
	fr_sync_put(l, t, i, shared ? FR_OP_ACQUIRE_SHARED : FR_OP_ACQUIRE, k->obj, flags);
}

/* Returns true if the model got a RELEASE for it. */
static bool release(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i, unsigned kind)
{
	struct fr_slock *k = lock_at(l, i, kind, false);
	struct fr_sreader *r;

	fr_assert(is_consistent(k));
	if (FR_SYNC_OUTCOME(i->aux) != FR_OK)
		return false;
	if (k->owner == t->index + 1) {
		if (--k->depth)
			return false;
		k->owner = 0;
		fr_sync_put(l, t, i, FR_OP_RELEASE, k->obj,
			    FR_SYNC_VARIANT(i->aux) == FR_WAIT ? FR_F_WAIT : 0);
		return true;
	}
	r = reader(k, t->index);
	if (r) {
		fr_assert(r->count);
		fr_sync_put(l, t, i, FR_OP_RELEASE_SHARED, k->obj, 0);
		if (!--r->count)
			*r = k->reader.v[--k->reader.n];
		return false;
	}
	if (k->owner)
		force_release(l, k, i);
	else
		l->count[FR_MC_locks_unbalanced]++;
	return false;
}

/* See load_sync.h. */
void fr_lock_dead(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	if (!l->dead_owner.n)
		return;
	FR_VEC_FOREACH (k, &l->sync->lock) {
		uint64_t addr = l->b->obj[FR_C_LOCK].v[k->obj].addr;

		if (k->owner != t->index + 1 || !fr_map_get(&l->dead_owner, addr))
			continue;
		fr_assert(is_consistent(k));
		fr_sync_put(l, t, i, FR_OP_RELEASE, k->obj, FR_F_SYNTH);
		k->owner = k->depth = 0;
	}
}

static uint32_t cond_at(struct fr_load *l, uint64_t addr, bool make)
{
	struct fr_load_sync *s = l->sync;
	uint64_t *at = fr_map_put(&s->map[FR_C_COND], addr);

	if (!*at || make) { /* waits in progress keep the old one */
		fr_vec_push(&s->cond,
			    ((struct fr_scond){.obj = fr_builder_obj(
						   l->b, FR_C_COND, (struct fr_mobj){.addr = addr}),
					       .broadcast = FR_NO_EV}));
		*at = s->cond.n;
	}
	return (uint32_t)*at - 1;
}

static void wait_at(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i, uint64_t addr,
		    unsigned flags)
{
	uint32_t c = cond_at(l, addr, false);

	fr_assert(!t->cond);
	t->cond = c + 1;
	t->began = fr_sync_put(l, t, i, FR_OP_WAIT_BEGIN, l->sync->cond.v[c].obj, flags);
	l->sync->cond.v[c].waiters++;
}

static void begin_wait(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	uint64_t addr = t->next_wait < t->wait.n ? t->wait.v[t->next_wait++] : 0;
	bool released = release(l, t, i, kind_of(FR_EV_MUTEX_UNLOCK, i->aux));

	if (!addr || !released || t->cond)
		return;
	fr_assert(l->b->ev.v[l->b->ev.n - 1].op == FR_OP_RELEASE);
	wait_at(l, t, i, addr, FR_F_PART);
}

/* Gives a wait the oldest signal that can have woken it. The remaining signals can best serve later
   waits. */
static bool serve(struct fr_scond *c, fr_ev began)
{
	if (c->broadcast != FR_NO_EV && c->broadcast > began)
		return true;
	for (size_t k = 0; k < c->signal.n; k++)
		if (c->signal.v[k] > began) {
			fr_assert_slow(!k || c->signal.v[k - 1] < c->signal.v[k]);
			memmove(&c->signal.v[k], &c->signal.v[k + 1],
				(--c->signal.n - k) * sizeof(*c->signal.v));
			return true;
		}
	return false;
}

static void end_wait(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_scond *c;
	bool slept = FR_SYNC_OUTCOME(i->aux) != FR_BUSY;
	unsigned flags = slept && FR_SYNC_VARIANT(i->aux) == FR_PLAIN ? FR_F_BLOCKING : 0;

	if (!t->cond)
		return;
	fr_assert(t->cond <= l->sync->cond.n);
	c = &l->sync->cond.v[t->cond - 1];
	fr_assert(c->waiters);
	fr_assert(l->b->ev.v[t->began].op == FR_OP_WAIT_BEGIN &&
		  l->b->ev.v[t->began].obj == c->obj && l->b->ev.v[t->began].thread == t->index);
	if (FR_SYNC_OUTCOME(i->aux) != FR_OK) {
		flags |= FR_F_TIMEOUT;
	} else if (!serve(c, t->began)) {
		flags |= FR_F_TIMEOUT;
		l->count[FR_MC_wakes_unseen]++;
	}
	t->cond = 0;
	if (!--c->waiters)
		c->signal.n = 0;
	fr_sync_put(l, t, i, FR_OP_WAIT, c->obj, flags);
}

static void signal_cond(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	uint32_t at = cond_at(l, i->addr, false);
	struct fr_scond *c = &l->sync->cond.v[at];
	bool all = i->kind == FR_EV_COND_BROADCAST || (i->kind == FR_EV_FUTEX_WAKE && i->aux);
	fr_ev e = fr_sync_put(l, t, i, all ? FR_OP_BROADCAST : FR_OP_SIGNAL, c->obj, 0);

	fr_assert(c->waiters || !c->signal.n); /* a signal without a waiter is lost */
	if (all)
		c->broadcast = e;
	else if (c->waiters)
		fr_vec_push(&c->signal, e);
}

void fr_lock_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	switch (i->kind) {
	case FR_EV_MUTEX_INIT:
	case FR_EV_SPIN_INIT:
	case FR_EV_RW_INIT:
		lock_made(l, i, kind_of(i->kind, i->aux));
		break;
	case FR_EV_MUTEX_LOCK:
	case FR_EV_SPIN_LOCK:
	case FR_EV_USER_LOCK:
		acquire(l, t, i, false, kind_of(i->kind, i->aux));
		break;
	case FR_EV_RW_RDLOCK:
	case FR_EV_RW_WRLOCK:
		acquire(l, t, i, i->kind == FR_EV_RW_RDLOCK, kind_of(i->kind, i->aux));
		break;
	case FR_EV_MUTEX_UNLOCK:
		if (FR_SYNC_VARIANT(i->aux) == FR_WAIT) {
			begin_wait(l, t, i);
			break;
		}
		/* fall through */
	default:
		fr_assert(i->kind == FR_EV_MUTEX_UNLOCK || i->kind == FR_EV_SPIN_UNLOCK ||
			  i->kind == FR_EV_RW_UNLOCK || i->kind == FR_EV_USER_UNLOCK);
		release(l, t, i, kind_of(i->kind, i->aux));
	}
}

void fr_cond_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	switch (i->kind) {
	case FR_EV_COND_INIT:
		if (FR_SYNC_OUTCOME(i->aux) == FR_OK)
			cond_at(l, i->addr, true);
		break;
	case FR_EV_FUTEX_BEGIN:
		if (!t->cond)
			wait_at(l, t, i, i->addr, 0);
		break;
	case FR_EV_COND_WAIT:
	case FR_EV_FUTEX_WAIT:
		end_wait(l, t, i);
		break;
	default:
		signal_cond(l, t, i);
	}
}
