/*
 * Emits the events of synchronisation and of threads, in the order of their stamps.
 *
 * The emitted events make a valid model (fr_model_validate) whatever the trace contains. If an
 * event contradicts the state, the loader leaves it out and counts it, or inserts a release that
 * must have happened (FR_F_SYNTH). load_lock.c handles locks and conditions, load_life.c memory.
 *
 * Decisions: after an abandoned once-initialisation the next one is a new object, ordered by a
 * RELEASE_ALL and an ACQUIRE_ALL. A semaphore from before the recording had as high a count as its
 * waits need. Everything that a cancelled thread does from its next stamp on comes after the
 * cancellation, because it is not known whether the thread would have done it anyway. Another
 * process may send a signal because it read a file that a thread wrote, such as a pid file. So a
 * signal from a process that is no child comes after all changes of files. A re-execution cannot
 * show this order, because it delivers the signal itself. It does wait for signals of children and
 * for data from outside.
 */
#include "model/load_sync.h"

struct fr_load_sync *fr_load_sync_new(void)
{
	return fr_xcalloc(1, sizeof(struct fr_load_sync));
}

void fr_load_sync_free(struct fr_load_sync *s)
{
	if (!s)
		return;
	FR_VEC_FOREACH (k, &s->lock)
		fr_vec_free(&k->reader);
	FR_VEC_FOREACH (c, &s->cond)
		fr_vec_free(&c->signal);
	fr_vec_free(&s->lock);
	fr_vec_free(&s->cond);
	fr_vec_free(&s->sem);
	fr_vec_free(&s->barrier);
	fr_vec_free(&s->arrived);
	fr_vec_free(&s->once);
	fr_vec_free(&s->changed);
	fr_vec_free(&s->told);
	for (unsigned i = 0; i < FR_C_COUNT; i++)
		fr_map_free(&s->map[i]);
	fr_map_free(&s->allocations);
	fr_map_free(&s->called);
	fr_map_free(&s->stacks);
	fr_vec_free(&s->stack);
	free(s);
}

/* Does the object of such an event exist? */
static bool exists(const struct fr_load *l, unsigned op, uint32_t obj)
{
	enum fr_class c = fr_op_class[op];

	return c == FR_C_MARK || obj < (c == FR_C_THREAD ? l->nthreads : l->b->obj[c].n);
}

fr_ev fr_sync_put(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i, unsigned op,
		  uint32_t obj, unsigned flags)
{
	struct fr_mev e = {.obj = obj,
			   .site = i->site & FR_SITE_MAX,
			   .flags = flags & 0x3ff,
			   .thread = (uint16_t)t->index,
			   .op = op & 0x1f,
			   .kind = i->kind};

	fr_assert(!t->exited && !t->joined);
	fr_assert(exists(l, op, obj));
	fr_assert(!(flags & FR_F_PART) || l->b->ev.v[l->b->ev.n - 1].thread == t->index);
	t->started = true;
	return fr_builder_push(l->b, &e, i->hook);
}

/* ---- semaphores, barriers, once, flags ---- */

static struct fr_ssem *sem_at(struct fr_load *l, const struct fr_item *i, bool make)
{
	struct fr_load_sync *s = l->sync;
	uint64_t *at = fr_map_put(&s->map[FR_C_SEM], i->addr);
	uint32_t count = make ? (uint32_t)i->ext : 0;

	if (!*at || make) {
		fr_vec_push(
		    &s->sem,
		    ((struct fr_ssem){
			.obj = fr_builder_obj(l->b, FR_C_SEM,
					      (struct fr_mobj){.addr = i->addr, .count = count}),
			.count = count,
			.guess = !make}));
		*at = s->sem.n;
	}
	return &s->sem.v[*at - 1];
}

static void sem_wait(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_ssem *s = sem_at(l, i, false);
	unsigned outcome = FR_SYNC_OUTCOME(i->aux);

	if (outcome == FR_BUSY || outcome == FR_TIMEDOUT) {
		if (s->count)
			l->count[FR_MC_fails_unplaced]++;
		else
			fr_sync_put(l, t, i, FR_OP_SEM_FAILED, s->obj, 0);
		s->guess &= s->count != 0;
		return;
	}
	if (outcome != FR_OK)
		return;
	if (!s->count) {
		if (!s->guess) { /* something that was not recorded posted it */
			l->count[FR_MC_locks_unbalanced]++;
			return;
		}
		l->b->obj[FR_C_SEM].v[s->obj].count++; /* it was available at the start */
		s->count++;
	}
	s->count--;
	fr_sync_put(l, t, i, FR_OP_SEM_WAIT, s->obj, fr_sync_waits(l, i) ? FR_F_BLOCKING : 0);
}

static void sem_post(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_ssem *s = sem_at(l, i, false);

	if (FR_SYNC_OUTCOME(i->aux) != FR_OK)
		return;
	for (size_t k = 0; k < t->taken_back.n; k++)
		if (t->taken_back.v[k] == i->hook)
			return;
	s->count++;
	fr_sync_put(l, t, i, FR_OP_SEM_POST, s->obj, 0);
}

struct fr_sbarrier *fr_sbarrier_of(struct fr_map *at, struct fr_sbarriers *all,
				   const struct fr_item *i)
{
	uint64_t *index = fr_map_put(at, i->addr);
	struct fr_sbarrier *b;

	if (!*index) {
		fr_vec_push(all, (struct fr_sbarrier){0});
		*index = all->n;
	}
	b = &all->v[*index - 1];
	if (i->kind == FR_EV_BARRIER_INIT && FR_SYNC_OUTCOME(i->aux) == FR_OK &&
	    i->ext <= UINT32_MAX)
		*b = (struct fr_sbarrier){.count = (uint32_t)i->ext};
	return b;
}

static void barrier(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_load_sync *s = l->sync;
	struct fr_sbarrier *b = fr_sbarrier_of(&s->map[FR_C_BARRIER], &s->barrier, i);

	if (i->kind == FR_EV_BARRIER_INIT)
		return;
	if (i->kind == FR_EV_BARRIER_LEAVE) {
		uint32_t g = t->barrier;

		t->barrier = 0;
		fr_assert(g <= s->arrived.n);
		if (g && s->arrived.v[g - 1] == l->b->obj[FR_C_BARRIER].v[g - 1].count)
			fr_sync_put(l, t, i, FR_OP_BARRIER_LEAVE, g - 1, FR_F_BLOCKING);
		else if (g)
			l->count[FR_MC_locks_unbalanced]++;
		return;
	}
	if (!b->count) /* created before the recording began */
		return;
	if (!b->generation || s->arrived.v[b->generation - 1] == b->count) {
		b->generation = 1 + fr_builder_obj(l->b, FR_C_BARRIER,
						   (struct fr_mobj){.addr = i->addr,
								    .count = b->count,
								    .aux = b->generation});
		fr_vec_push(&s->arrived, 0);
	}
	fr_assert(s->arrived.n == l->b->obj[FR_C_BARRIER].n);
	fr_assert(s->arrived.v[b->generation - 1] < b->count);
	s->arrived.v[b->generation - 1]++;
	t->barrier = b->generation;
	fr_sync_put(l, t, i, FR_OP_BARRIER_ENTER, b->generation - 1, 0);
}

static uint32_t flag_at(struct fr_load *l, uint64_t key, uint64_t addr)
{
	uint64_t *at = fr_map_put(&l->sync->map[FR_C_FLAG], key);

	if (!*at)
		*at = 1 + fr_builder_obj(l->b, FR_C_FLAG, (struct fr_mobj){.addr = addr});
	return (uint32_t)*at - 1;
}

static void once(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_load_sync *s = l->sync;
	uint64_t *at = fr_map_put(&s->map[FR_C_ONCE], i->addr);
	uint64_t abandoned = i->addr | UINT64_C(1) << 57;
	struct fr_sonce *o;

	if (!*at) {
		fr_vec_push(&s->once, (struct fr_sonce){0});
		*at = s->once.n;
	}
	o = &s->once.v[*at - 1];
	switch (i->kind) {
	/* also an initialisation, by other means, of a once object that is done */
	case FR_EV_ONCE_BEGIN:
		*o = (struct fr_sonce){
		    .obj = fr_builder_obj(l->b, FR_C_ONCE, (struct fr_mobj){.addr = i->addr}),
		    .state = FR_ONCE_BEGUN,
		    .thread = t->index,
		    .tried = o->tried};
		if (o->tried)
			fr_sync_put(l, t, i, FR_OP_ACQUIRE_ALL, flag_at(l, abandoned, i->addr), 0);
		fr_sync_put(l, t, i, FR_OP_ONCE_BEGIN, o->obj, 0);
		return;
	case FR_EV_ONCE_END:
		if (o->state != FR_ONCE_BEGUN || o->thread != t->index)
			return;
		fr_sync_put(l, t, i, FR_OP_ONCE_END, o->obj, 0);
		o->state = FR_ONCE_ENDED;
		if (FR_SYNC_OUTCOME(i->aux) == FR_OK)
			return;
		o->state = FR_ONCE_NEW;
		o->tried = true;
		fr_sync_put(l, t, i, FR_OP_RELEASE_ALL, flag_at(l, abandoned, i->addr), FR_F_PART);
		return;
	default:
		fr_assert(i->kind == FR_EV_ONCE_DONE);
		if (o->state == FR_ONCE_ENDED && FR_SYNC_OUTCOME(i->aux) == FR_OK)
			fr_sync_put(l, t, i, FR_OP_ONCE_DONE, o->obj, FR_F_BLOCKING);
	}
}

/* Is this the key of a file or of its name? Those have this bit (core/kernel.h). */
static bool is_file(uint64_t addr)
{
	return addr & FR_STREAM && addr & 2;
}

static void give(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	uint32_t flag = flag_at(l, i->addr, i->addr);

	fr_sync_put(l, t, i, FR_OP_RELEASE_ALL, flag, 0);
	if (is_file(i->addr))
		fr_vec_push(&l->sync->changed, flag);
}

/* A thread got a signal from a process that is no child. Acquires all files that threads changed
   since this thread did so last. */
static void take_outside(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_load_sync *s = l->sync;
	struct fr_map seen = {0};

	while (s->told.n < l->nthreads)
		fr_vec_push(&s->told, 0);
	fr_assert(s->told.v[t->index] <= s->changed.n);
	for (size_t k = s->told.v[t->index]; k < s->changed.n; k++) {
		uint64_t *at = fr_map_put(&seen, s->changed.v[k]);

		if (!*at)
			fr_sync_put(l, t, i, FR_OP_ACQUIRE_ALL, s->changed.v[k], FR_F_SYNTH);
		*at = 1;
	}
	s->told.v[t->index] = s->changed.n;
	fr_map_free(&seen);
}

static void take(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	fr_sync_put(l, t, i, FR_OP_ACQUIRE_ALL, flag_at(l, i->addr, i->addr), 0);
	if (i->aux & FR_ACQUIRE_OUTSIDE && fr_signal_number(i->addr))
		take_outside(l, t, i);
}

static void begin_handler(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	if (i->aux & FR_SIGNAL_OUTSIDE)
		take_outside(l, t, i);
	else if (fr_map_get(&l->sync->map[FR_C_FLAG], i->addr)) /* a recorded thread sends it */
		fr_sync_put(l, t, i, FR_OP_ACQUIRE_ALL, flag_at(l, i->addr, i->addr), 0);
	fr_sync_put(l, t, i, FR_OP_MARK, i->kind, 0);
}

/* ---- threads ---- */

static struct fr_lthread *thread_of(struct fr_load *l, uint64_t id)
{
	uint64_t *at = fr_map_get(&l->by_id, id);

	fr_assert(!at || (*at && *at <= l->nthreads));
	return at ? &l->thread[*at - 1] : NULL;
}

static void create(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_lthread *c = thread_of(l, i->addr);
	fr_ev e;

	if (FR_SYNC_OUTCOME(i->aux) != FR_OK || !c || c->started || c->created || c == t)
		return;
	fr_assert(l->b->thread.v[c->index].create == FR_NO_EV);
	e = fr_sync_put(l, t, i, FR_OP_CREATE, c->index, 0);
	c->created = true;
	l->b->thread.v[c->index].create = e;
}

static void join(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_lthread *c = thread_of(l, i->addr);

	if (FR_SYNC_OUTCOME(i->aux) != FR_OK || !c || c == t || c->joined)
		return;
	if (!c->done) { /* it has later events: its end was not seen */
		l->count[FR_MC_order_conflicts]++;
		return;
	}
	fr_assert(!c->open && c->head == c->tail);
	c->joined = true;
	fr_sync_put(l, t, i, FR_OP_JOIN, c->index,
		    FR_SYNC_VARIANT(i->aux) == FR_PLAIN ? FR_F_BLOCKING : 0);
}

#define CANCEL_KEY(index) ((uint64_t)(index) | UINT64_C(1) << 58)

static void cancel(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	struct fr_lthread *c = thread_of(l, i->addr);

	if (FR_SYNC_OUTCOME(i->aux) != FR_OK || !c || c == t || c->exited)
		return;
	c->cancelled = true;
	fr_sync_put(l, t, i, FR_OP_RELEASE_ALL, flag_at(l, CANCEL_KEY(c->index), 0), 0);
}

static void start(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	if (!t->started)
		fr_sync_put(l, t, i, FR_OP_START, t->index, 0);
	if (!t->t->parent && l->b->ev.n == 1) /* every other event comes after this */
		fr_step_starts(l, t, i->hook);
	if (i->addr)
		fr_life_stack(l, t, i->addr);
}

static void ends(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	if (t->exited)
		return;
	fr_lock_dead(l, t, i);
	fr_sync_put(l, t, i, FR_OP_EXIT, t->index, 0);
	t->exited = true;
}

/* An order that a library or the kernel imposes, or the program declares. */
static void order(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	if (i->addr == FR_STREAM) /* the stream is unknown: orders nothing */
		fr_sync_put(l, t, i, FR_OP_MARK, i->kind, 0);
	else if (i->kind == FR_EV_USER_RELEASE)
		give(l, t, i);
	else
		take(l, t, i);
}

void fr_sync_event(struct fr_load *l, struct fr_lthread *t, const struct fr_item *i)
{
	fr_assert(!fr_item_is_access(i) && t->open);
	t->hook = i->hook;
	if (t->exited)
		return;
	if (__builtin_expect(t->cancelled, 0)) {
		t->cancelled = false;
		fr_sync_put(l, t, i, FR_OP_ACQUIRE_ALL, flag_at(l, CANCEL_KEY(t->index), 0), 0);
	}
	if (fr_is_call_on_object(i->kind))
		fr_life_call(l, t, i);
	switch (i->kind) {
	case FR_EV_MUTEX_INIT:
	case FR_EV_MUTEX_LOCK:
	case FR_EV_MUTEX_UNLOCK:
	case FR_EV_SPIN_INIT:
	case FR_EV_SPIN_LOCK:
	case FR_EV_SPIN_UNLOCK:
	case FR_EV_RW_INIT:
	case FR_EV_RW_RDLOCK:
	case FR_EV_RW_WRLOCK:
	case FR_EV_RW_UNLOCK:
	case FR_EV_USER_LOCK:
	case FR_EV_USER_UNLOCK:
		fr_lock_event(l, t, i);
		break;
	case FR_EV_COND_INIT:
	case FR_EV_COND_WAIT:
	case FR_EV_COND_SIGNAL:
	case FR_EV_COND_BROADCAST:
	case FR_EV_FUTEX_BEGIN:
	case FR_EV_FUTEX_WAIT:
	case FR_EV_FUTEX_WAKE:
		fr_cond_event(l, t, i);
		break;
	case FR_EV_SEM_INIT:
		if (FR_SYNC_OUTCOME(i->aux) == FR_OK)
			sem_at(l, i, true);
		break;
	case FR_EV_SEM_WAIT:
		sem_wait(l, t, i);
		break;
	case FR_EV_SEM_POST:
		sem_post(l, t, i);
		break;
	case FR_EV_BARRIER_INIT:
	case FR_EV_BARRIER_ENTER:
	case FR_EV_BARRIER_LEAVE:
		barrier(l, t, i);
		break;
	case FR_EV_ONCE_BEGIN:
	case FR_EV_ONCE_END:
	case FR_EV_ONCE_DONE:
		once(l, t, i);
		break;
	case FR_EV_THREAD_CREATE:
		create(l, t, i);
		break;
	case FR_EV_THREAD_JOIN:
		join(l, t, i);
		break;
	case FR_EV_THREAD_CANCEL:
		cancel(l, t, i);
		break;
	case FR_EV_THREAD_START:
		start(l, t, i);
		break;
	case FR_EV_THREAD_EXIT:
		ends(l, t, i);
		break;
	case FR_EV_ALLOC:
	case FR_EV_FREE:
	case FR_EV_STACK_FREE:
	case FR_EV_USER_BENIGN:
		fr_life_event(l, t, i);
		break;
	case FR_EV_USER_ACQUIRE:
	case FR_EV_USER_RELEASE:
		order(l, t, i);
		break;
	case FR_EV_SIGNAL_BEGIN:
		begin_handler(l, t, i);
		break;
	case FR_EV_USER_EVENT:
	case FR_EV_USER_ATOMIC_BEGIN:
	case FR_EV_USER_ATOMIC_END:
	case FR_EV_CALL:
	case FR_EV_RETURN:
	case FR_EV_EXEC_BEGIN:
	case FR_EV_EXEC_END:
	case FR_EV_SIGNAL_END:
	case FR_EV_FORK:
	case FR_EV_EXEC:
		fr_sync_put(l, t, i, FR_OP_MARK, i->kind, 0);
		break;
	default: /* fences, destruction, detaching: no effect on the model */
		break;
	}
}
