/*
 * The deadlock generator and the oracle against brute force, on small random runs with mutexes,
 * rwlocks that prefer writers, semaphores, conditions, barriers, once and joins.
 *
 * Brute force walks through all states, and finds the threads that can never continue from each. If
 * no thread can continue and some wait for each other, the generator and the oracle must have found
 * these; and the targets of whatever they find must be able to be stuck at the same time.
 *
 * FORERUN_TEST_TRACES: the number of runs (20,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "generate/generate.h"
#include "ask.h"
#include "brute_rules.h"
#include "fixture.h"
#include "gen.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- random runs ---- */

static unsigned below(uint64_t *r, unsigned n)
{
	return (unsigned)(fx_random(r) % n);
}

static void put(struct gen_script *s, unsigned thread, enum gen_kind kind, unsigned obj,
		unsigned obj2)
{
	s->op[s->n] = (struct gen_op){.kind = (uint8_t)kind,
				      .id = (uint16_t)(s->n + 1),
				      .thread = (uint8_t)thread,
				      .obj = (uint8_t)obj,
				      .obj2 = (uint8_t)obj2,
				      .flags = FR_F_BLOCKING};
	s->n++;
}

static void thing(struct gen_script *s, uint64_t *r, unsigned t, unsigned depth);

/* Takes something, does something with it, and gives it back. */
static void section(struct gen_script *s, uint64_t *r, unsigned t, unsigned depth)
{
	static const struct {
		enum gen_kind first, last;
	} how[] = {{GEN_LOCK, GEN_UNLOCK},
		   {GEN_SHARE, GEN_UNLOCK},
		   {GEN_SEM_WAIT, GEN_SEM_POST},
		   {GEN_ONCE, GEN_ONCE_END}};
	unsigned k = below(r, 4), obj;

	if ((k == 1 && !s->rwlocks) || (k == 2 && !s->sems) || (k == 3 && !s->onces))
		k = 0;
	obj = k == 0   ? below(r, s->mutexes + s->rwlocks)
	      : k == 1 ? s->mutexes + below(r, s->rwlocks)
	      : k == 2 ? below(r, s->sems)
		       : below(r, s->onces);
	put(s, t, how[k].first, obj, 0);
	for (unsigned n = depth ? below(r, 2) : 1 + below(r, 2); n; n--)
		thing(s, r, t, depth + 1);
	put(s, t, how[k].last, obj, 0);
}

static void thing(struct gen_script *s, uint64_t *r, unsigned t, unsigned depth)
{
	unsigned mutex = below(r, s->mutexes);

	switch (below(r, 10)) {
	case 0:
		put(s, t, GEN_SEM_POST, 0, 0);
		s->n -= !s->sems;
		return;
	case 1:
		put(s, t, GEN_SEM_WAIT, 0, 0);
		s->n -= !s->sems;
		return;
	case 2:
		put(s, t, GEN_BARRIER, 0, 0);
		s->n -= !s->barriers;
		return;
	case 3:
		if (!s->conds)
			return;
		put(s, t, GEN_LOCK, mutex, 0);
		put(s, t, GEN_WAIT, 0, mutex);
		put(s, t, GEN_UNLOCK, mutex, 0);
		return;
	case 4:
		put(s, t, below(r, 2) ? GEN_SIGNAL : GEN_BROADCAST, 0, 0);
		s->n -= !s->conds;
		return;
	case 5:
		put(s, t, GEN_JOIN, below(r, s->threads), 0);
		return;
	default:
		if (depth < 3)
			section(s, r, t, depth);
	}
}

static struct gen_script *random_script(uint64_t seed)
{
	struct gen_script *s = fr_xcalloc(1, sizeof(*s));
	uint64_t r = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	unsigned stay, t;

	for (unsigned i = 0; i < 4; i++)
		fx_random(&r);
	s->seed = seed;
	s->max = 40;
	s->patience = UINT32_MAX;
	s->threads = (uint8_t)(2 + below(&r, 2));
	s->locs = 1;
	s->mutexes = (uint8_t)(1 + below(&r, 2));
	s->rwlocks = (uint8_t)below(&r, 2);
	s->conds = (uint8_t)below(&r, 2);
	s->sems = (uint8_t)below(&r, 3);
	s->barriers = (uint8_t)below(&r, 2);
	s->onces = (uint8_t)below(&r, 2);
	for (unsigned i = 0; i < GEN_OTHERS; i++) {
		s->sem[i] = (uint8_t)below(&r, 3);
		s->barrier[i] = 2;
	}
	for (unsigned i = 0; i < s->threads; i++)
		for (unsigned n = 1 + below(&r, 3); n; n--)
			thing(s, &r, i, 0);
	stay = below(&r, 95);
	t = below(&r, s->threads);
	for (; s->nturns < 400; s->turn[s->nturns++] = (uint8_t)t)
		if (below(&r, 100) >= stay)
			t = below(&r, s->threads);
	return s;
}

/* Every wait is one without a time limit; the rwlocks prefer writers. */
static void make_waits(struct fr_model *m)
{
	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].op == FR_OP_SEM_WAIT || m->ev[e].op == FR_OP_WAIT ||
		    m->ev[e].op == FR_OP_BARRIER_LEAVE || m->ev[e].op == FR_OP_ONCE_DONE)
			m->ev[e].flags |= FR_F_BLOCKING;
	for (uint32_t i = 0; i < m->cls[FR_C_LOCK].n; i++)
		if (m->cls[FR_C_LOCK].obj[i].aux == FR_LOCK_RW)
			m->cls[FR_C_LOCK].obj[i].aux = FR_LOCK_RW_WRITERS;
}

/* ---- all states ---- */

struct state {
	struct brute_state s;
	uint8_t queued; /* bit t: this writer has begun to wait */
	uint8_t alive;	/* bit t: the thread can still do something, now or later */
};

struct step {
	uint32_t from, to;
	uint8_t thread; /* BRUTE_THREADS: none gets any further */
};

struct world {
	struct brute_rules r;
	FR_VEC(struct state) state;
	FR_VEC(struct step) step;
	struct fr_map index; /* hash -> state + 1; equal hashes count as equal */
	bool complete;
};

static fr_ev next_of(const struct world *w, const struct state *s, unsigned t)
{
	return brute_next(&w->r, &s->s, t);
}

static const struct brute_past *past(const struct world *w, const struct state *s, unsigned t)
{
	return &w->r.past[t][s->s.pos[t]];
}

static bool writers_first(const struct world *w, const struct fr_mev *v)
{
	return fr_op_class[v->op] == FR_C_LOCK &&
	       w->r.m->cls[FR_C_LOCK].obj[v->obj].aux == FR_LOCK_RW_WRITERS;
}

static bool is_shared(const struct world *w, const struct state *s, uint32_t lock)
{
	for (unsigned t = 0; t < w->r.m->nthreads; t++)
		if (past(w, s, t)->shares[lock])
			return true;
	return false;
}

/* The threads that wait for the lock as writers. */
static unsigned writers(const struct world *w, const struct state *s, uint32_t lock)
{
	unsigned all = 0;

	for (unsigned t = 0; t < w->r.m->nthreads; t++)
		if (s->queued >> t & 1 && w->r.m->ev[next_of(w, s, t)].obj == lock)
			all |= 1u << t;
	return all;
}

static void add(struct world *w, uint32_t from, unsigned t, struct state s)
{
	uint64_t h = fr_hash(0, &s.s, sizeof(s.s));
	uint64_t *at = fr_map_put(&w->index, fr_hash_mix(h, s.queued) >> 1);

	if (!*at) {
		s.alive = 0;
		fr_vec_push(&w->state, s);
		*at = w->state.n;
	}
	fr_vec_push(&w->step, ((struct step){from, (uint32_t)*at - 1, (uint8_t)t}));
}

static void walk_from(struct world *w, uint32_t i)
{
	struct brute_state next[BRUTE_NEXT];

	for (unsigned t = 0; t < w->r.m->nthreads; t++) {
		struct state s = w->state.v[i], n = s;
		fr_ev e = next_of(w, &s, t);
		const struct fr_mev *v = e == FR_NO_EV ? NULL : &w->r.m->ev[e];

		if (!v)
			continue;
		if (v->op == FR_OP_ACQUIRE_SHARED && writers_first(w, v) &&
		    is_shared(w, &s, v->obj) && writers(w, &s, v->obj))
			continue;
		for (unsigned k = brute_step(&w->r, &s.s, e, next); k--;) {
			n.s = next[k];
			n.queued = (uint8_t)(s.queued & ~(1u << t));
			add(w, i, t, n);
		}
		if (v->op == FR_OP_ACQUIRE && writers_first(w, v) && is_shared(w, &s, v->obj) &&
		    !(s.queued >> t & 1)) {
			n.s = s.s;
			n.queued = (uint8_t)(s.queued | 1u << t);
			add(w, i, BRUTE_THREADS, n); /* it does not get any further */
		}
	}
}

static void walk(struct world *w, const struct fr_model *m)
{
	bool more = true;

	*w = (struct world){0};
	brute_rules_init(&w->r, m, NULL);
	fr_vec_push(&w->state, (struct state){0});
	for (uint32_t i = 0; i < w->state.n && w->state.n < 20000; i++)
		walk_from(w, i);
	w->complete = w->state.n < 20000;
	while (more) {
		more = false;
		for (size_t i = w->step.n; i--;) {
			struct state *from = &w->state.v[w->step.v[i].from];
			unsigned t = w->step.v[i].thread;
			uint8_t alive = (uint8_t)(from->alive | w->state.v[w->step.v[i].to].alive |
						  (t < BRUTE_THREADS ? 1u << t : 0));

			more |= alive != from->alive;
			from->alive = alive;
		}
	}
}

static void leave(struct world *w)
{
	brute_rules_destroy(&w->r);
	fr_vec_free(&w->state);
	fr_vec_free(&w->step);
	fr_map_free(&w->index);
}

/* ---- deadlocks ---- */

/* Does the thread still have such an event before it? net: such less the waits for the
   semaphore. */
static int ahead(const struct world *w, const struct state *s, unsigned t, unsigned op,
		 uint32_t obj)
{
	const struct fr_mthread *th = &w->r.m->thread[t];
	int n = 0;

	for (uint32_t i = s->s.pos[t]; i < th->n; i++) {
		const struct fr_mev *v = &w->r.m->ev[th->ev[i]];

		n += v->op == op && v->obj == obj;
		n -= op == FR_OP_SEM_POST && v->op == FR_OP_SEM_WAIT && v->obj == obj;
	}
	return n > 0 ? n : 0;
}

/* Would thread u free thread t, if it could go on? */
static bool frees(const struct world *w, const struct state *s, unsigned u, unsigned t)
{
	const struct fr_mev *v = &w->r.m->ev[next_of(w, s, t)];

	switch (v->op) {
	case FR_OP_ACQUIRE:
		return past(w, s, u)->owns[v->obj] || past(w, s, u)->shares[v->obj];
	case FR_OP_ACQUIRE_SHARED:
		return past(w, s, u)->owns[v->obj] || writers(w, s, v->obj) >> u & 1;
	case FR_OP_SEM_WAIT:
		return ahead(w, s, u, FR_OP_SEM_POST, v->obj);
	case FR_OP_WAIT:
		return ahead(w, s, u, FR_OP_SIGNAL, v->obj) ||
		       ahead(w, s, u, FR_OP_BROADCAST, v->obj);
	case FR_OP_BARRIER_LEAVE:
		return ahead(w, s, u, FR_OP_BARRIER_ENTER, v->obj);
	case FR_OP_ONCE_DONE:
		return ahead(w, s, u, FR_OP_ONCE_END, v->obj) &&
		       !ahead(w, s, u, FR_OP_ONCE_BEGIN, v->obj);
	case FR_OP_JOIN:
		return v->obj == u;
	default:
		return false;
	}
}

/* The threads that can never go on, though they have something to do. */
static unsigned stuck(const struct world *w, const struct state *s)
{
	unsigned all = 0;

	for (unsigned t = 0; t < w->r.m->nthreads; t++)
		if (next_of(w, s, t) != FR_NO_EV && !(s->alive >> t & 1))
			all |= 1u << t;
	return all;
}

/* Does the thread wait in a call that blocks, for others of these threads and for nobody else? */
static bool waits_for(const struct world *w, const struct state *s, unsigned t, unsigned all)
{
	const struct fr_mev *v = &w->r.m->ev[next_of(w, s, t)];
	unsigned by = 0;

	for (unsigned u = 0; u < w->r.m->nthreads; u++)
		if (u != t && frees(w, s, u, t))
			by |= 1u << u;
	if (v->op != FR_OP_SEM_WAIT && v->op != FR_OP_WAIT) /* one of them suffices */
		by &= all;
	return v->flags & FR_F_BLOCKING && by && !(by & ~all);
}

/* Of the threads that are stuck, those that wait for each other. */
static unsigned deadlocked(const struct world *w, const struct state *s)
{
	unsigned all = stuck(w, s), before;

	do {
		before = all;
		for (unsigned t = 0; t < w->r.m->nthreads; t++)
			if (all >> t & 1 && !waits_for(w, s, t, all))
				all &= ~(1u << t);
	} while (all != before);
	return all;
}

/* The targets as a set of threads; 0: they are not all next. */
static unsigned targets(const struct world *w, const struct state *s, const struct fr_candidate *c)
{
	unsigned all = 0;

	for (uint32_t i = 0; i < c->npending; i++) {
		unsigned t = w->r.m->ev[c->pending[i]].thread;

		if (next_of(w, s, t) != c->pending[i])
			return 0;
		all |= 1u << t;
	}
	return all;
}

struct how {
	uint64_t states, found, useless;
	bool loud;
};

struct found {
	FR_VEC(struct fr_candidate) v;
};

static void find(const struct fr_model *m, struct found *ret)
{
	struct fr_causality *c = fr_causality_new(m);
	struct fr_oracle *o = fr_oracle_new(m, c, &ask_precise);
	struct fr_groups g;

	fr_generator_deadlock.generate(&fr_generator_deadlock, m, c, &(struct fr_generate_opt){0},
				       &g);
	FR_VEC_FOREACH (x, &g.group)
		FR_VEC_FOREACH (i, &x->instance) {
			struct fr_decision d;

			fr_oracle_ask(o, &(*i)->what, &d);
			if (d.answer == FR_FEASIBLE)
				fr_vec_push(&ret->v, (*i)->what);
			fr_decision_free(&d);
		}
	fr_groups_free(&g);
	fr_oracle_free(o);
	fr_causality_free(c);
}

/* No thread can continue in this state. Is it among the findings? */
static bool missed(const struct world *w, const struct state *s, const struct found *f)
{
	unsigned all = deadlocked(w, s);

	FR_VEC_FOREACH (c, &f->v) {
		unsigned t = targets(w, s, c);

		if (t && !(t & ~all))
			return false;
	}
	return true;
}

/* Do the targets of a finding meet in a state in which none of them can go on? */
static bool happens(const struct world *w, const struct fr_candidate *c)
{
	FR_VEC_FOREACH (s, &w->state) {
		unsigned t = targets(w, s, c);

		if (t && !(t & ~stuck(w, s)))
			return true;
	}
	return false;
}

static bool wrong(const struct fr_model *m, void *arg)
{
	struct how *how = arg;
	struct found f = {0};
	struct world w;
	bool bad = false;

	make_waits((struct fr_model *)m); /* of a model that gen_build made */
	walk(&w, m);
	find(m, &f);
	FR_VEC_FOREACH (s, &w.state) {
		if (bad || !w.complete || s->alive || !deadlocked(&w, s))
			continue;
		how->states++;
		if (missed(&w, s, &f)) {
			bad = true;
			for (unsigned t = 0; t < m->nthreads && how->loud; t++)
				if (stuck(&w, s) >> t & 1)
					fprintf(stderr, "missed: %u\n", next_of(&w, s, t));
		}
	}
	FR_VEC_FOREACH (c, &f.v) {
		how->found++;
		if (w.complete && !happens(&w, c)) {
			how->useless++;
			if (how->loud)
				ask_print(c);
		}
	}
	leave(&w);
	fr_vec_free(&f.v);
	return bad;
}

static uint64_t from_env(const char *name, uint64_t otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

static void deadlocks_agree_with_brute_force(void **state)
{
	uint64_t n = from_env("FORERUN_TEST_TRACES", 20000),
		 seed = from_env("FORERUN_TEST_SEED", 1);
	struct how how = {0};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) struct gen_script *s = random_script(seed + i);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		if (!wrong(m, &how))
			continue;
		gen_shrink(s, wrong, &how);
		fr_model_free(m);
		m = gen_build(s);
		gen_show(s, m);
		how.loud = true;
		wrong(m, &how);
		fail_msg("a deadlock is missed");
	}
	print_message("%" PRIu64 " runs, %" PRIu64 " states, %" PRIu64 " findings, %" PRIu64
		      " of them useless\n",
		      n, how.states, how.found, how.useless);
	assert_true(n < 1000 || how.states > n / 100);
	assert_true(how.useless * 20 <= how.found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(deadlocks_agree_with_brute_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
