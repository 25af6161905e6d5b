/*
 * Checks the rules that every model must obey, whatever its source: one walk over the recorded
 * order with the state of every lock, semaphore, barrier, once object, condition wait and thread.
 *
 * Not checked here: the values of reads, and which signal woke which wait. The schedule checker
 * (oracle/check.c) checks both.
 */
#include "model/model.h"
#include <errno.h>

#define NOBODY UINT32_MAX

struct thread_state {
	fr_ev last, join;
	uint32_t waits; /* condition that it waits on, + 1; 0 = none */
	bool exited, created;
	bool free; /* created, neither ended nor joined: it may have events */
};

struct lock_state {
	uint32_t owner, readers;
};

/* count: of BARRIER, SEM, ONCE and HEAP objects. */
struct check {
	const struct fr_model *m;
	struct thread_state *thread;
	struct lock_state *lock;
	uint32_t *count[FR_C_COUNT], *left;
	struct fr_map shared; /* lock << 16 | thread -> read locks held */
	struct fr_err *err;
	fr_ev at;
};

#define BAD(c, ...) fr_err_say((c)->err, -EBADMSG, __VA_ARGS__)

static const char *thread_name(const struct check *c)
{
	return c->m->thread[c->m->ev[c->at].thread].path;
}

static int check_shape(struct check *c, const struct fr_mev *e)
{
	const struct fr_model *m = c->m;
	unsigned class;

	if (e->op >= FR_OP_COUNT)
		return BAD(c, "event %u: no such operation: %u", c->at, e->op);
	if (e->thread >= m->nthreads)
		return BAD(c, "event %u: no such thread: %u", c->at, e->thread);
	class = fr_op_class[e->op];
	if (class == FR_C_THREAD && e->obj >= m->nthreads)
		return BAD(c, "event %u: %s of a thread that does not exist", c->at,
			   fr_op_name[e->op]);
	if (class != FR_C_THREAD && class != FR_C_MARK && e->obj >= m->cls[class].n)
		return BAD(c, "event %u: %s of an object that does not exist", c->at,
			   fr_op_name[e->op]);
	if (fr_is_access(e) && !e->mask)
		return BAD(c, "event %u: %s of no bytes", c->at, fr_op_name[e->op]);
	if ((e->flags & FR_F_PART) && (!c->at || m->ev[c->at - 1].thread != e->thread))
		return BAD(c, "event %u: part of a step of another thread", c->at);
	return 0;
}

static int check_thread(struct check *c, const struct fr_mev *e)
{
	struct thread_state *self = &c->thread[e->thread], *other = &c->thread[e->obj];
	const char *name = c->m->thread[e->obj].path;

	switch (e->op) {
	case FR_OP_CREATE:
		if (other->created)
			return BAD(c, "thread %s is created twice", name);
		if (other->last != FR_NO_EV || e->obj == e->thread)
			return BAD(c, "thread %s has an event before it is created", name);
		other->created = true;
		other->free = other->join == FR_NO_EV;
		return 0;
	case FR_OP_JOIN:
		if (e->obj == e->thread)
			return BAD(c, "thread %s joins itself", name);
		if (other->join != FR_NO_EV)
			return BAD(c, "thread %s is joined twice", name);
		other->join = c->at;
		other->free = false;
		return 0;
	default:
		fr_assert(e->op == FR_OP_START || e->op == FR_OP_EXIT);
		if (e->obj != e->thread)
			return BAD(c, "%s of thread %s in thread %s", fr_op_name[e->op], name,
				   thread_name(c));
		if (e->op == FR_OP_START && self->last != FR_NO_EV)
			return BAD(c, "thread %s starts after its first event", name);
		if (e->op == FR_OP_EXIT) {
			self->exited = true;
			self->free = false;
		}
		return 0;
	}
}

static int check_lock(struct check *c, const struct fr_mev *e)
{
	struct lock_state *l = &c->lock[e->obj];
	uint64_t *mine;

	fr_assert(l->owner == NOBODY || !l->readers);
	switch (e->op) {
	case FR_OP_ACQUIRE:
		if (l->owner != NOBODY || l->readers)
			return BAD(c, "thread %s acquires a lock that is held", thread_name(c));
		l->owner = e->thread;
		return 0;
	case FR_OP_RELEASE:
		if (l->owner != e->thread)
			return BAD(c, "thread %s releases a lock that it does not hold",
				   thread_name(c));
		l->owner = NOBODY;
		return 0;
	case FR_OP_ACQUIRE_SHARED:
		if (l->owner != NOBODY)
			return BAD(c, "thread %s acquires a lock that is held", thread_name(c));
		l->readers++;
		++*fr_map_put(&c->shared, (uint64_t)e->obj << 16 | e->thread);
		return 0;
	case FR_OP_RELEASE_SHARED:
		mine = fr_map_get(&c->shared, (uint64_t)e->obj << 16 | e->thread);
		if (!mine || !*mine)
			return BAD(c, "thread %s releases a lock that it does not hold",
				   thread_name(c));
		fr_assert(l->readers && l->owner == NOBODY);
		l->readers--;
		--*mine;
		return 0;
	case FR_OP_ACQUIRE_FAILED:
		if (l->owner == NOBODY && !l->readers)
			return BAD(c, "thread %s fails to acquire a lock that is free",
				   thread_name(c));
		return 0;
	default:
		fr_assert(e->op == FR_OP_ACQUIRE_SHARED_FAILED);
		if (l->owner == NOBODY)
			return BAD(c, "thread %s fails to acquire a lock that is free",
				   thread_name(c));
		return 0;
	}
}

static int check_cond(struct check *c, const struct fr_mev *e)
{
	struct thread_state *t = &c->thread[e->thread];

	if (e->op == FR_OP_WAIT_BEGIN) {
		if (e->kind != FR_EV_FUTEX_BEGIN &&
		    (!(e->flags & FR_F_PART) || c->m->ev[c->at - 1].op != FR_OP_RELEASE))
			return BAD(c, "thread %s waits without giving up a lock", thread_name(c));
		if (t->waits)
			return BAD(c, "thread %s waits twice at once", thread_name(c));
		t->waits = e->obj + 1;
	} else if (e->op == FR_OP_WAIT) {
		if (t->waits != e->obj + 1)
			return BAD(c, "thread %s returns from a wait that it did not begin",
				   thread_name(c));
		t->waits = 0;
	}
	return 0;
}

static int check_barrier(struct check *c, const struct fr_mev *e)
{
	const struct fr_mobj *b = &c->m->cls[FR_C_BARRIER].obj[e->obj];
	uint32_t *in = &c->count[FR_C_BARRIER][e->obj];

	if (e->op == FR_OP_BARRIER_LEAVE) {
		if (*in < b->count)
			return BAD(c, "thread %s leaves a barrier that %u of %u entered",
				   thread_name(c), *in, b->count);
		if (c->left[e->obj]++ >= b->count)
			return BAD(c, "more threads leave a barrier than entered it");
		return 0;
	}
	fr_assert(e->op == FR_OP_BARRIER_ENTER);
	if (b->aux > e->obj)
		return BAD(c, "the generation before a barrier's comes after it");
	if (b->aux &&
	    c->count[FR_C_BARRIER][b->aux - 1] < c->m->cls[FR_C_BARRIER].obj[b->aux - 1].count)
		return BAD(c, "thread %s enters a barrier before the generation before is complete",
			   thread_name(c));
	if (++*in > b->count)
		return BAD(c, "%u threads enter a barrier for %u", *in, b->count);
	return 0;
}

static int check_counted(struct check *c, const struct fr_mev *e)
{
	uint32_t *n = &c->count[fr_op_class[e->op]][e->obj];

	switch (e->op) {
	case FR_OP_SEM_WAIT:
		if (!*n)
			return BAD(c, "thread %s takes a semaphore that is zero", thread_name(c));
		--*n;
		return 0;
	case FR_OP_SEM_POST:
		++*n;
		return 0;
	case FR_OP_SEM_FAILED:
		return *n ? BAD(c, "thread %s fails to take a semaphore that is %u", thread_name(c),
				*n)
			  : 0;
	case FR_OP_ONCE_BEGIN:
	case FR_OP_ONCE_END:
		if (*n != (e->op == FR_OP_ONCE_END))
			return BAD(c, "thread %s: %s out of order", thread_name(c),
				   fr_op_name[e->op]);
		++*n;
		return 0;
	case FR_OP_ONCE_DONE:
		return *n == 2 ? 0
			       : BAD(c, "thread %s passes a once that is not done", thread_name(c));
	case FR_OP_ALLOC:
	case FR_OP_FREE: /* 1 = allocated, 2 = freed; one from before the recording is freed at 0 */
		if (*n == 2 || (*n == 1 && e->op == FR_OP_ALLOC))
			return BAD(c, "thread %s: %s of an object twice", thread_name(c),
				   fr_op_name[e->op]);
		*n = e->op == FR_OP_ALLOC ? 1 : 2;
		return 0;
	default:
		fr_assert(!"an operation on a semaphore, a once object or a block");
		return 0;
	}
}

/* Is this a valid access? Most events are. */
static inline bool plain_access(struct check *c)
{
	const struct fr_mev *e = &c->m->ev[c->at];

	if (!fr_is_access(e) || e->thread >= c->m->nthreads || !c->thread[e->thread].free ||
	    e->obj >= c->m->cls[FR_C_LOC].n || !e->mask || (e->flags & FR_F_PART))
		return false;
	fr_assert_slow(!c->thread[e->thread].exited && c->thread[e->thread].join == FR_NO_EV);
	c->thread[e->thread].last = c->at;
	return true;
}

static int check_event(struct check *c)
{
	const struct fr_mev *e = &c->m->ev[c->at];
	struct thread_state *t;
	int r = check_shape(c, e);

	if (r < 0)
		return r;
	t = &c->thread[e->thread];
	if (t->exited)
		return BAD(c, "thread %s goes on after its end", thread_name(c));
	if (t->join != FR_NO_EV)
		return BAD(c, "thread %s goes on after it was joined", thread_name(c));
	if (c->m->thread[e->thread].create != FR_NO_EV && !t->created)
		return BAD(c, "thread %s has an event before it is created", thread_name(c));
	switch (fr_op_class[e->op]) {
	case FR_C_THREAD:
		r = check_thread(c, e);
		break;
	case FR_C_LOCK:
		r = check_lock(c, e);
		break;
	case FR_C_COND:
		r = check_cond(c, e);
		break;
	case FR_C_BARRIER:
		r = check_barrier(c, e);
		break;
	case FR_C_SEM:
	case FR_C_ONCE:
	case FR_C_HEAP:
		r = check_counted(c, e);
		break;
	default:
		break;
	}
	t->last = c->at;
	return r;
}

/* Asserts that the builder's lists and indices agree with the events. */
static void assert_indices(const struct check *c)
{
	const struct fr_model *m = c->m;
	const struct fr_mclass *heap = &m->cls[FR_C_HEAP];

	for (uint32_t i = 0; i < m->nthreads; i++) {
		const struct fr_mthread *t = &m->thread[i];

		fr_assert(c->thread[i].last == (t->n ? t->ev[t->n - 1] : FR_NO_EV));
		fr_assert(c->thread[i].created == (t->create != FR_NO_EV));
		fr_assert(t->create == FR_NO_EV ||
			  (m->ev[t->create].op == FR_OP_CREATE && m->ev[t->create].obj == i));
	}
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		fr_assert(m->cls[FR_C_LOC].obj[i].aux <= heap->n);
	for (uint32_t i = 0; i < heap->n; i++) {
		fr_ev alloc = heap->obj[i].count ? heap->obj[i].count - 1 : FR_NO_EV;

		fr_assert(alloc == FR_NO_EV || alloc == heap->list[heap->first[i]]);
		fr_assert(alloc == FR_NO_EV || m->ev[alloc].op == FR_OP_ALLOC);
	}
}

int fr_model_validate(const struct fr_model *m, fr_ev *ret_ev, struct fr_err *reterr)
{
	struct check c = {.m = m, .err = reterr};
	int r = 0;

	c.thread = fr_xmalloc((size_t)m->nthreads * sizeof(*c.thread));
	for (uint32_t i = 0; i < m->nthreads; i++)
		c.thread[i] = (struct thread_state){
		    .last = FR_NO_EV, .join = FR_NO_EV, .free = m->thread[i].create == FR_NO_EV};
	c.lock = fr_xmalloc((size_t)m->cls[FR_C_LOCK].n * sizeof(*c.lock));
	for (uint32_t i = 0; i < m->cls[FR_C_LOCK].n; i++)
		c.lock[i] = (struct lock_state){.owner = NOBODY};
	for (unsigned i = FR_C_SEM; i <= FR_C_HEAP; i++)
		c.count[i] = fr_xcalloc(m->cls[i].n, sizeof(uint32_t));
	for (uint32_t i = 0; i < m->cls[FR_C_SEM].n; i++)
		c.count[FR_C_SEM][i] = m->cls[FR_C_SEM].obj[i].count;
	c.left = fr_xcalloc(m->cls[FR_C_BARRIER].n, sizeof(uint32_t));
	for (; c.at < m->n && r == 0; c.at++)
		if (!plain_access(&c))
			r = check_event(&c);
	if (r == 0)
		assert_indices(&c);
	if (r < 0 && ret_ev)
		*ret_ev = c.at - 1;
	for (unsigned i = FR_C_SEM; i <= FR_C_HEAP; i++)
		free(c.count[i]);
	free(c.left);
	free(c.lock);
	free(c.thread);
	fr_map_free(&c.shared);
	return r;
}
