/*
 * Finds the lock dependencies of the recorded run: walks through it, and keeps for each thread the
 * resources that it holds and those that it has yet to give.
 *
 * A wait of a thread that holds nothing matters only if a thread that holds something waits for the
 * end of that thread. Timed waits and attempts (without FR_F_BLOCKING) end by themselves, and are
 * left out. An exception are attempts to take a lock that the program makes of atomics: they may
 * wait in a loop that the pass does not know.
 */
#include "generate/lock_dependency.h"
#include <string.h>

#define GIVES_MAX 32 /* semaphores and conditions of a thread that are looked at */

struct took {
	fr_resource what;
	uint32_t site;
	bool shared;
};
struct give {
	fr_resource what;
	int64_t left; /* what the thread gives from here on, less what it takes */
};
struct thread {
	FR_VEC(struct took) held;
	FR_VEC(struct give) give;
	FR_VEC(fr_resource) enter; /* generations of barriers, in order */
	size_t next_enter;
	uint32_t tries; /* the resource that it tried to take last + 1: see may_wait, own_lock.h */
};

struct dependency_find {
	const struct fr_model *m;
	struct fr_lock_dependencies *d;
	struct thread *thread;
	struct fr_map index; /* hash of what makes them alike -> dependency + 1 */
	struct fr_map gives; /* thread << 32 | resource -> index into give + 1 */
	bool *waited;	     /* by resource: some thread waits for it */
	uint32_t *owner;     /* by lock of own_lock.h: thread + 1 */
	struct fr_map guard; /* location of the guard of a once -> its resource + 1 */
	FR_VEC(fr_ev) join;
	/* Threads that are joined by a thread which holds something, or which is itself such a
	   thread. Their waits matter even if they hold nothing. */
	bool *joined;
	bool again;		 /* such a join was found */
	FR_VEC(struct took) has; /* what the thread holds and gives at the present wait */
};

static fr_resource resource(const struct dependency_find *f, enum fr_resource_kind k, uint32_t obj)
{
	fr_assert_slow(obj < f->d->first_of[k + 1] - f->d->first_of[k]);
	return f->d->first_of[k] + obj;
}

/* ---- what the threads give ---- */

static void change_balance(struct dependency_find *f, uint32_t thread, fr_resource r, fr_ev e,
			   int by)
{
	struct fr_lock_dependencies *d = f->d;
	uint64_t *at = fr_map_put(&d->balances, (uint64_t)thread << 32 | r);
	struct fr_depend_balance *b;

	if (!*at) {
		fr_vec_push(&d->balance, (struct fr_depend_balance){0});
		*at = d->balance.n;
	}
	b = &d->balance.v[*at - 1];
	fr_assert(!b->change.n || b->change.v[b->change.n - 1].ev < e);
	fr_vec_push(&b->change, ((struct fr_depend_change){e, b->all}));
	b->all += by;
	if (fr_resource_kind(d, r) == FR_RES_SEM)
		d->sem_end[r - d->first_of[FR_RES_SEM]] += by;
}

static struct give *give_at(struct dependency_find *f, uint32_t thread, fr_resource r, bool make)
{
	struct thread *t = &f->thread[thread];
	uint64_t key = (uint64_t)thread << 32 | r;
	uint64_t *at =
	    make && t->give.n < GIVES_MAX ? fr_map_put(&f->gives, key) : fr_map_get(&f->gives, key);

	if (!at)
		return NULL;
	if (!*at) {
		fr_vec_push(&t->give, (struct give){.what = r});
		*at = t->give.n;
	}
	fr_assert(*at <= t->give.n && t->give.v[*at - 1].what == r);
	return &t->give.v[*at - 1];
}

/* The units that an event gives; 0: none. */
static int gives(const struct dependency_find *f, const struct fr_mev *v, fr_resource *ret)
{
	switch (v->op) {
	case FR_OP_SEM_POST:
	case FR_OP_SEM_WAIT:
		*ret = resource(f, FR_RES_SEM, v->obj);
		return v->op == FR_OP_SEM_POST ? 1 : -1;
	case FR_OP_SIGNAL:
	case FR_OP_BROADCAST:
		*ret = resource(f, FR_RES_COND, v->obj);
		return 1;
	default:
		return 0;
	}
}

static void find_waited(struct dependency_find *f)
{
	for (fr_ev e = 0; e < f->m->n; e++) {
		const struct fr_mev *v = &f->m->ev[e];

		if (v->op == FR_OP_SEM_WAIT && v->flags & FR_F_BLOCKING)
			f->waited[resource(f, FR_RES_SEM, v->obj)] = true;
		else if (v->op == FR_OP_WAIT && v->flags & FR_F_BLOCKING)
			f->waited[resource(f, FR_RES_COND, v->obj)] = true;
		else if (v->op == FR_OP_ACQUIRE && v->flags & FR_F_BLOCKING)
			f->waited[resource(f, FR_RES_LOCK, v->obj)] = true;
	}
}

/* The end of a once writes its guard right before. */
static void add_guard(struct dependency_find *f, fr_ev write)
{
	fr_ev end = fr_model_next(f->m, write);

	if (end != FR_NO_EV && f->m->ev[end].op == FR_OP_ONCE_END)
		*fr_map_put(&f->guard, f->m->ev[write].obj) =
		    resource(f, FR_RES_ONCE, f->m->ev[end].obj) + UINT64_C(1);
}

static void find_balances(struct dependency_find *f)
{
	for (fr_ev e = 0; e < f->m->n; e++) {
		const struct fr_mev *v = &f->m->ev[e];
		fr_resource r = 0;
		int by = gives(f, v, &r);

		if (by && f->waited[r])
			change_balance(f, v->thread, r, e, by);
		else if (v->op == FR_OP_BARRIER_ENTER)
			fr_vec_push(&f->thread[v->thread].enter,
				    resource(f, FR_RES_BARRIER, v->obj));
		else if (v->op == FR_OP_WRITE && (v->origin & 3) == FR_ORIGIN_ONCE_END)
			add_guard(f, e);
	}
}

/* Sets the resources that each thread gives in the whole run. */
static void find_gives(struct dependency_find *f)
{
	for (fr_ev e = 0; e < f->m->n; e++) {
		fr_resource r = 0;
		int by = gives(f, &f->m->ev[e], &r);
		struct give *g =
		    by && f->waited[r] ? give_at(f, f->m->ev[e].thread, r, true) : NULL;

		if (g)
			g->left += by;
	}
}

/* The walk has passed the event. */
static void given(struct dependency_find *f, const struct fr_mev *v)
{
	fr_resource r = 0;
	int by = gives(f, v, &r);
	struct give *g = by && f->waited[r] ? give_at(f, v->thread, r, false) : NULL;

	if (g)
		g->left -= by;
}

/* ---- waits ---- */

static void add_instance(struct fr_lock_dependency *p, fr_ev e)
{
	if (p->seen++ % p->every)
		return;
	if (p->n == FR_DEPEND_INSTANCES) { /* drop every second one */
		for (p->n = 0; p->n < FR_DEPEND_INSTANCES / 2; p->n++)
			p->ev[p->n] = p->ev[2 * p->n];
		p->every *= 2;
		if ((p->seen - 1) % p->every)
			return;
	}
	fr_assert(p->n < FR_DEPEND_INSTANCES && (!p->n || p->ev[p->n - 1] < e));
	p->ev[p->n++] = e;
}

/* Collects the resources that the thread holds and would give after its wait for `wants`. */
static void collect(struct dependency_find *f, const struct fr_mev *v, fr_resource wants)
{
	const struct thread *t = &f->thread[v->thread];
	const struct fr_mobj *lock = f->m->cls[FR_C_LOCK].obj;

	f->has.n = 0;
	FR_VEC_FOREACH (h, &t->held)
		fr_vec_push(&f->has, *h);
	FR_VEC_FOREACH (g, &t->give)
		if (g->left > 0)
			fr_vec_push(&f->has, ((struct took){g->what, 0, true}));
	if (t->next_enter < t->enter.n)
		fr_vec_push(&f->has, ((struct took){t->enter.v[t->next_enter], 0, true}));
	if ((v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_FAILED) &&
	    lock[v->obj].aux == FR_LOCK_RW_WRITERS && wants < f->d->first_of[FR_RES_LOCK + 1])
		fr_vec_push(&f->has, ((struct took){resource(f, FR_RES_QUEUE, v->obj), 0, true}));
}

static void depend(struct dependency_find *f, fr_ev e, fr_resource wants)
{
	const struct fr_mev *v = &f->m->ev[e];
	bool shared = v->op == FR_OP_ACQUIRE_SHARED || v->op == FR_OP_ACQUIRE_SHARED_FAILED;
	enum fr_resource_kind kind = fr_resource_kind(f->d, wants);
	uint64_t sites, what;
	uint64_t *at;

	fr_assert(v->flags & FR_F_BLOCKING || fr_is_access(v) || fr_op_class[v->op] == FR_C_LOCK);
	shared &= kind == FR_RES_LOCK;
	collect(f, v, wants);
	if (!f->has.n && !f->joined[v->thread])
		return;
	sites = fr_mix(v->site, f->thread[v->thread].held.n);
	what = fr_mix(wants, shared);
	FR_VEC_FOREACH (h, &f->has) {
		sites = h->site ? fr_mix(sites, h->site) : sites;
		what = fr_mix(what, (uint64_t)h->what << 1 | h->shared);
	}
	at = fr_map_put(&f->index, fr_mix(fr_mix(v->thread, sites), what) >> 1);
	if (!*at) {
		struct fr_lock_dependency p = {.thread = v->thread,
					       .wants = wants,
					       .shared = shared,
					       .many = kind == FR_RES_SEM || kind == FR_RES_COND,
					       .held = (uint32_t)f->d->held.n,
					       .nheld = (uint32_t)f->has.n,
					       .sites = sites,
					       .every = 1};

		FR_VEC_FOREACH (h, &f->has)
			fr_vec_push(&f->d->held, ((struct fr_depend_held){h->what, h->shared}));
		fr_vec_push(&f->d->dep, p);
		*at = f->d->dep.n;
	}
	add_instance(&f->d->dep.v[*at - 1], e);
}

static void take(struct dependency_find *f, const struct fr_mev *v, fr_resource r, bool shared)
{
	fr_assert(r < f->d->nresources);
	fr_vec_push(&f->thread[v->thread].held, ((struct took){r, v->site, shared}));
}

static void give_back(struct dependency_find *f, const struct fr_mev *v, fr_resource r, bool shared)
{
	struct thread *t = &f->thread[v->thread];

	for (size_t i = t->held.n; i--;) {
		if (t->held.v[i].what != r || t->held.v[i].shared != shared)
			continue;
		t->held.n--;
		memmove(t->held.v + i, t->held.v + i + 1, (t->held.n - i) * sizeof(*t->held.v));
		return;
	}
}

/* ---- the walk ---- */

/* Is this an attempt at a lock of the program's own (model/atomic_lock.h), of which the site table
   does not say whether a loop waits for it? The first attempt of a thread counts: at the later
   ones, too much must have happened. If nothing waits, a re-execution refutes the deadlock. */
static bool may_wait(struct dependency_find *f, const struct fr_mev *v)
{
	struct thread *t = &f->thread[v->thread];
	bool own = v->kind == FR_EV_ATOMIC_RMW || v->kind == FR_EV_ATOMIC_CAS ||
		   v->kind == FR_EV_ATOMIC_LOAD;
	fr_resource r = resource(f, FR_RES_LOCK, v->obj);
	bool first = t->tries != r + 1;

	if (!own || f->waited[r])
		return false;
	t->tries = r + 1;
	return first;
}

/* A failed acquisition with this flag waited until the run ended, or is an attempt of a waiting
   loop: the first one counts, as in may_wait. */
static bool waits(struct dependency_find *f, const struct fr_mev *v, fr_resource r)
{
	struct thread *t = &f->thread[v->thread];
	bool failed = v->op == FR_OP_ACQUIRE_FAILED || v->op == FR_OP_ACQUIRE_SHARED_FAILED;

	if (!(v->flags & FR_F_BLOCKING) || (failed && t->tries == r + 1))
		return false;
	if (failed)
		t->tries = r + 1;
	return true;
}

static void lock_event(struct dependency_find *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];
	fr_resource r = resource(f, FR_RES_LOCK, v->obj);
	bool shared = v->op == FR_OP_ACQUIRE_SHARED || v->op == FR_OP_ACQUIRE_SHARED_FAILED ||
		      v->op == FR_OP_RELEASE_SHARED;

	if (v->op == FR_OP_RELEASE || v->op == FR_OP_RELEASE_SHARED) {
		give_back(f, v, r, shared);
		return;
	}
	if (waits(f, v, r) || may_wait(f, v)) {
		depend(f, e, r);
		if (shared && f->m->cls[FR_C_LOCK].obj[v->obj].aux == FR_LOCK_RW_WRITERS)
			depend(f, e, resource(f, FR_RES_QUEUE, v->obj));
	}
	if (v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_SHARED) {
		f->thread[v->thread].tries = 0;
		take(f, v, r, shared);
	}
}

/* The first attempt of a thread counts, as in may_wait. */
static void own_lock_event(struct dependency_find *f, fr_ev e, uint32_t lock)
{
	const struct fr_mev *v = &f->m->ev[e];
	struct thread *t = &f->thread[v->thread];
	fr_resource r = resource(f, FR_RES_OWN, lock);

	if (v->flags & FR_F_SYNTH)
		return;
	if (f->owner[lock] != v->thread + 1u && v->op == FR_OP_READ && t->tries != r + 1) {
		t->tries = r + 1;
		depend(f, e, r);
	}
	switch (fr_own_lock_does(&f->d->own.lock.v[lock], f->m, e, f->owner[lock])) {
	case FR_OWN_TAKES:
		fr_assert(!f->owner[lock]);
		take(f, v, r, false);
		t->tries = 0;
		f->owner[lock] = v->thread + 1u;
		break;
	case FR_OWN_FREES:
		fr_assert(f->owner[lock] == v->thread + 1u);
		give_back(f, v, r, false);
		f->owner[lock] = 0;
		break;
	default:
		break;
	}
}

/* Compiled code reads the guard of a C++ static, and waits only if it is not set. */
static void guard_event(struct dependency_find *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];
	const uint64_t *at;

	if (!f->guard.n || v->op != FR_OP_READ || !(v->flags & FR_F_ATOMIC))
		return;
	at = fr_map_get(&f->guard, v->obj);
	if (at)
		depend(f, e, (fr_resource)*at - 1);
}

static void join_event(struct dependency_find *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];
	fr_resource r = resource(f, FR_RES_THREAD, v->obj);

	if (!(v->flags & FR_F_BLOCKING)) /* a timed join ends by itself */
		return;
	collect(f, v, r);
	if (f->has.n)
		f->again = f->joined[v->obj] = true;
	fr_vec_push(&f->join, e);
	depend(f, e, r);
}

static void other_event(struct dependency_find *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];
	uint32_t own;

	switch (v->op) {
	case FR_OP_SEM_WAIT:
		if (v->flags & FR_F_BLOCKING)
			depend(f, e, resource(f, FR_RES_SEM, v->obj));
		break;
	case FR_OP_WAIT:
		if (v->flags & FR_F_BLOCKING)
			depend(f, e, resource(f, FR_RES_COND, v->obj));
		break;
	case FR_OP_BARRIER_ENTER:
		fr_assert(f->thread[v->thread].next_enter < f->thread[v->thread].enter.n);
		f->thread[v->thread].next_enter++;
		break;
	case FR_OP_BARRIER_LEAVE:
		if (v->flags & FR_F_BLOCKING)
			depend(f, e, resource(f, FR_RES_BARRIER, v->obj));
		break;
	case FR_OP_ONCE_BEGIN:
		take(f, v, resource(f, FR_RES_ONCE, v->obj), false);
		break;
	case FR_OP_ONCE_END:
		give_back(f, v, resource(f, FR_RES_ONCE, v->obj), false);
		break;
	case FR_OP_ONCE_DONE:
		if (v->flags & FR_F_BLOCKING)
			depend(f, e, resource(f, FR_RES_ONCE, v->obj));
		break;
	case FR_OP_JOIN:
		join_event(f, e);
		break;
	default:
		own = fr_own_lock_of(&f->d->own, v);
		if (own != UINT32_MAX)
			own_lock_event(f, e, own);
		else
			guard_event(f, e);
	}
}

static void walk(struct dependency_find *f)
{
	for (uint32_t t = 0; t < f->m->nthreads; t++) {
		f->thread[t].held.n = f->thread[t].next_enter = 0;
		f->thread[t].tries = 0;
	}
	memset(f->owner, 0, f->d->own.lock.n * sizeof(*f->owner));
	for (fr_ev e = 0; e < f->m->n; e++) {
		if (fr_op_class[f->m->ev[e].op] == FR_C_LOCK)
			lock_event(f, e);
		else
			other_event(f, e);
		given(f, &f->m->ev[e]);
	}
}

/* Walks again, now that the joined threads are known. */
static void walk_again(struct dependency_find *f)
{
	/* A joined thread made its own joins before it was joined. */
	for (size_t i = f->join.n; i--;)
		if (f->joined[f->m->ev[f->join.v[i]].thread])
			f->joined[f->m->ev[f->join.v[i]].obj] = true;
	fr_map_free(&f->index);
	f->index = (struct fr_map){0};
	f->d->dep.n = f->d->held.n = 0;
	/* The walk has used up what the threads give. */
	for (uint32_t t = 0; t < f->m->nthreads; t++)
		FR_VEC_FOREACH (g, &f->thread[t].give)
			fr_assert(!g->left);
	find_gives(f);
	walk(f);
}

void fr_lock_dependencies_find(struct fr_lock_dependencies *d, const struct fr_model *m)
{
	struct dependency_find f = {.m = m, .d = d};

	f.thread = fr_xcalloc(m->nthreads, sizeof(*f.thread));
	f.joined = fr_xcalloc(m->nthreads, sizeof(*f.joined));
	f.waited = fr_xcalloc(d->nresources, sizeof(*f.waited));
	f.owner = fr_xcalloc(d->own.lock.n + 1, sizeof(*f.owner));
	find_waited(&f);
	find_balances(&f);
	find_gives(&f);
	walk(&f);
	if (f.again)
		walk_again(&f);
	FR_VEC_FOREACH (p, &d->dep)
		fr_assert(p->n && p->n <= FR_DEPEND_INSTANCES && p->held + p->nheld <= d->held.n);
	for (uint32_t t = 0; t < m->nthreads; t++) {
		fr_vec_free(&f.thread[t].held);
		fr_vec_free(&f.thread[t].give);
		fr_vec_free(&f.thread[t].enter);
	}
	free(f.thread);
	free(f.joined);
	free(f.waited);
	free(f.owner);
	fr_vec_free(&f.join);
	fr_vec_free(&f.has);
	fr_map_free(&f.index);
	fr_map_free(&f.gives);
	fr_map_free(&f.guard);
}
