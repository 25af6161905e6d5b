/*
 * Slicing: masks of random tiny programs (model_program.h) against all executions of the program.
 * If a reordering of the recorded run that obeys a mask leads to a candidate, the program must be
 * able to get there. Then the examples of jPredictor, the parts of the graph, and the purity table.
 */
#include "causality/slice.h"
#include "causality/slice_pure.h"
#include "causality/slice_reach.h"
#include "fixture.h"
#include "model_program.h"
#include <errno.h>
#include <stdio.h>

/* ---- all reorderings under a mask, by brute force ---- */

struct orders {
	const struct fr_model *m;
	const struct fr_mask *mask;
	const struct fr_candidate *what;
	struct fr_map seen;
	bool feasible;
};
struct place {
	uint8_t at[MP_THREADS];	 /* events of each thread that have happened */
	fr_ev writer[MP_LOCS];	 /* + 1 */
	uint8_t owner[MP_LOCKS]; /* thread + 1 */
};

static bool step(const struct orders *o, struct place *p, unsigned t)
{
	const struct fr_mthread *x = &o->m->thread[t];

	do {
		fr_ev e = x->ev[p->at[t]];
		const struct fr_mev *v = &o->m->ev[e];
		fr_ev w = fr_is_access(v) ? p->writer[v->obj] : 0;

		if (v->op == FR_OP_READ && fr_mask_read(o->mask, e) &&
		    ((w && !fr_mask_write(o->mask, w - 1)) ||
		     v->value != (w ? o->m->ev[w - 1].value : 0)))
			return false;
		if (v->op == FR_OP_WRITE)
			p->writer[v->obj] = e + 1;
		if (v->op == FR_OP_ACQUIRE && p->owner[v->obj])
			return false;
		if (v->op == FR_OP_ACQUIRE || v->op == FR_OP_RELEASE)
			p->owner[v->obj] = v->op == FR_OP_ACQUIRE ? (uint8_t)(t + 1) : 0;
		p->at[t]++;
	} while (p->at[t] < x->n && o->m->ev[x->ev[p->at[t]]].flags & FR_F_PART);
	return true;
}

static bool is_next(const struct orders *o, const struct place *p, fr_ev e)
{
	unsigned t = o->m->ev[e].thread;

	return p->at[t] < o->m->thread[t].n && o->m->thread[t].ev[p->at[t]] == e;
}

static bool reached(const struct orders *o, const struct place *p)
{
	for (uint32_t i = 0; i < o->what->npending; i++)
		if (!is_next(o, p, o->what->pending[i]))
			return false;
	return !o->what->sees.on ||
	       p->writer[o->m->ev[o->what->sees.read].obj] == o->what->sees.write + 1;
}

static void search(struct orders *o, const struct place *p)
{
	uint64_t key = 1, *at;

	for (unsigned t = 0; t < MP_THREADS; t++)
		key = key * 32 + p->at[t];
	for (unsigned i = 0; i < MP_LOCS; i++)
		key = key * 64 + p->writer[i];
	at = fr_map_put(&o->seen, key);
	if (*at || o->feasible)
		return;
	*at = 1;
	o->feasible |= reached(o, p);
	for (unsigned t = 0; t < o->m->nthreads; t++) {
		struct place next = *p;
		bool pending = false;

		for (uint32_t i = 0; i < o->what->npending; i++)
			pending |= is_next(o, p, o->what->pending[i]) &&
				   o->m->ev[o->what->pending[i]].thread == t;
		if (!pending && p->at[t] < o->m->thread[t].n && step(o, &next, t))
			search(o, &next);
	}
}

static bool feasible(const struct fr_model *m, const struct fr_mask *mask,
		     const struct fr_candidate *what)
{
	struct orders o = {.m = m, .mask = mask, .what = what};
	struct place p = {0};

	search(&o, &p);
	fr_map_free(&o.seen);
	return o.feasible;
}

/* ---- random programs ---- */

struct counts {
	unsigned programs, candidates, precise, sliced, free_reads;
};

static bool possible(const struct fr_model *m, const struct mp_all *all,
		     const struct fr_candidate *what)
{
	const struct fr_mev *a = &m->ev[what->pending[0]];

	if (what->sees.on) {
		const struct fr_mev *w =
		    what->sees.write == FR_NO_EV ? NULL : &m->ev[what->sees.write];

		return mp_sees(all, mp_instance(a), w ? mp_instance(w) : 0, w ? w->value : 0);
	}
	return mp_pair(all, mp_instance(a), mp_instance(&m->ev[what->pending[1]]));
}

static void ask(const struct fr_model *m, struct fr_slice *s, const struct mp_all *all,
		const struct mp_program *p, const struct fr_candidate *what, struct counts *n)
{
	const struct fr_mask *mask = fr_slice_mask(s, what);
	bool precise = feasible(m, NULL, what), sliced = mask ? feasible(m, mask, what) : precise;

	n->candidates++;
	n->precise += precise;
	n->sliced += sliced && !precise;
	if (!sliced || possible(m, all, what))
		return;
	mp_print(p);
	for (fr_ev e = 0; e < m->n; e++)
		fprintf(stderr, "event %u thread %u site %u %s obj %u value %u%s%s\n", e,
			m->ev[e].thread, m->ev[e].site, fr_op_name[m->ev[e].op], m->ev[e].obj,
			(unsigned)m->ev[e].value, fr_mask_read(mask, e) ? " matters" : "",
			fr_mask_write(mask, e) ? "" : " open");
	fail_msg("the mask of events %u and %u allows what the program cannot do", what->pending[0],
		 what->npending > 1 ? what->pending[1] : what->sees.write);
}

static void ask_program(const struct mp_program *p, uint64_t *random, struct counts *n)
{
	struct fr_model *m = mp_record(p, random);
	struct fr_causality *c;
	struct fr_slice *s;
	struct mp_all *all;

	if (!m)
		return;
	c = fr_causality_new(m);
	s = fr_slice_new(m, c, mp_graph(p));
	all = mp_explore(p);
	for (fr_ev a = 0; a < m->n; a++)
		for (fr_ev b = 0; b < m->n; b++) {
			struct fr_candidate race = {.npending = 2, .pending = {a, b}};
			struct fr_candidate sees = {.npending = 1, .pending = {a}};

			if (m->ev[a].flags & FR_F_PART)
				continue;
			if (a < b && m->ev[a].thread != m->ev[b].thread &&
			    !(m->ev[b].flags & FR_F_PART))
				ask(m, s, all, p, &race, n);
			if (m->ev[a].op != FR_OP_READ ||
			    (b != a && (m->ev[b].op != FR_OP_WRITE ||
					m->ev[b].obj != m->ev[a].obj || fr_head(m, b) == a)))
				continue;
			sees.sees.on = true;
			sees.sees.read = a;
			sees.sees.write = b == a ? FR_NO_EV : b;
			ask(m, s, all, p, &sees, n);
		}
	if (s) {
		struct fr_slice_stats stats;

		fr_slice_stats_get(s, &stats);
		n->free_reads += stats.free_reads;
	}
	n->programs++;
	mp_all_free(all);
	fr_slice_free(s);
	fr_causality_free(c);
	fr_model_free(m);
}

static void no_mask_allows_the_impossible(void **unused)
{
	uint64_t programs = fx_env("PROGRAMS", 3000);
	struct counts n = {0};

	(void)unused;
	for (uint64_t seed = fx_env("SEED", 1); programs--; seed++) {
		struct mp_program p;
		uint64_t random = seed * 7919;

		mp_random(&p, &random);
		ask_program(&p, &random, &n);
	}
	printf("%u programs, %u candidates: %u precise, %u more sliced; %u free reads\n",
	       n.programs, n.candidates, n.precise, n.sliced, n.free_reads);
	assert_true(n.sliced > n.programs / 10);
}

/* ---- figures ---- */

#define READ(l, r) {.kind = MP_READ, .obj = l, .reg = r}
#define WRITE(l, v) {.kind = MP_WRITE, .obj = l, .reg = MP_REGS, .value = v}
#define COPY(l, r) {.kind = MP_WRITE, .obj = l, .reg = r}
#define COUNT(l) {.kind = MP_RMW, .obj = l, .reg = 1, .value = 1}
#define IF(r, v, n) {.kind = MP_IF, .reg = r, .value = v, .skip = n}
#define IFX(r, v, n) {.kind = MP_IFX, .reg = r, .value = v, .skip = n}
#define USE(r) {.kind = MP_USE, .reg = r}
#define LOCK(l) {.kind = MP_LOCK, .obj = l}
#define UNLOCK(l) {.kind = MP_UNLOCK, .obj = l}

struct figure {
	struct fr_model *m;
	struct fr_causality *c;
	struct fr_slice *s;
};

static struct figure figure_new(const struct mp_program *p, const uint8_t *order, unsigned n)
{
	struct figure f = {.m = mp_record_order(p, order, n)};

	f.c = fr_causality_new(f.m);
	f.s = fr_slice_new(f.m, f.c, mp_graph(p));
	return f;
}

static void figure_free(struct figure *f)
{
	fr_slice_free(f->s);
	fr_causality_free(f->c);
	fr_model_free(f->m);
}

static fr_ev event_at(const struct fr_model *m, unsigned thread, unsigned pc)
{
	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].site == 1 + thread * MP_CODE + pc)
			return e;
	fail();
	return FR_NO_EV;
}

static bool race_of(struct figure *f, unsigned pc0, unsigned pc1, bool sliced)
{
	struct fr_candidate c = {.npending = 2,
				 .pending = {event_at(f->m, 0, pc0), event_at(f->m, 1, pc1)}};

	return feasible(f->m, sliced ? fr_slice_mask(f->s, &c) : NULL, &c);
}

/* jPredictor, figure 1: authenticate; flag = 1 | if (!flag) yield; access. */
static void figure_1(void **unused)
{
	static const struct mp_program if_ = {{{LOCK(0), WRITE(0, 1), UNLOCK(0), WRITE(1, 1)},
					       {READ(1, 0),
						IF(0, 0, 1),
						{.kind = MP_ASSIGN, .reg = 0, .other = MP_REGS},
						LOCK(0),
						READ(0, 1),
						UNLOCK(0)}},
					      2,
					      0};
	/* The loop of the repaired program ends when the flag is set: the rest depends on it. */
	static const struct mp_program while_ = {
	    {{LOCK(0), WRITE(0, 1), UNLOCK(0), WRITE(1, 1)},
	     {READ(1, 0), IFX(0, 1, 3), LOCK(0), READ(0, 1), UNLOCK(0)}},
	    2,
	    0};
	static const uint8_t order[] = {0, 0, 0, 0};
	struct figure f = figure_new(&if_, order, 4);
	struct fr_candidate early = {.npending = 2};

	(void)unused;
	/* The access happens before the authentication. */
	early.pending[0] = event_at(f.m, 0, 0);
	early.pending[1] = event_at(f.m, 1, 4);
	assert_non_null(f.s);
	assert_false(feasible(f.m, NULL, &early));
	assert_true(feasible(f.m, fr_slice_mask(f.s, &early), &early));
	figure_free(&f);
	f = figure_new(&while_, order, 4);
	early.pending[0] = event_at(f.m, 0, 0);
	early.pending[1] = event_at(f.m, 1, 3);
	assert_false(f.s && feasible(f.m, fr_slice_mask(f.s, &early), &early));
	figure_free(&f);
}

/* jPredictor, figure 2: y = 1; x = y... The permutation of a slicer with one pass is infeasible:
   the write of y must not come before the read of x that decides about it. */
static void figure_2(void **unused)
{
	/* T1: y = 1 (e1), x = 0 (e2), x = 1 (e4); T2: if (x == 0) (e3) y = 0 (e5). */
	static const struct mp_program p = {
	    {{WRITE(0, 1), WRITE(1, 0), WRITE(1, 1), READ(0, 1), USE(1)},
	     {WRITE(1, 1), READ(1, 0), IF(0, 0, 1), WRITE(0, 0)}},
	    2,
	    0};
	static const uint8_t order[] = {1, 0, 0, 1, 1, 0};
	struct figure f = figure_new(&p, order, 6);
	struct mp_all *all = mp_explore(&p);
	fr_ev last = event_at(f.m, 0, 3), write = event_at(f.m, 1, 3);
	/* e5 while T1 has not written x = 0 yet, or has overwritten it */
	static const unsigned at[] = {0, 1, 3};

	(void)unused;
	for (unsigned i = 0; i < 3; i++) {
		struct fr_candidate c = {.npending = 2,
					 .pending = {event_at(f.m, 0, at[i]), write}};

		assert_int_equal(feasible(f.m, fr_slice_mask(f.s, &c), &c),
				 mp_pair(all, mp_instance(&f.m->ev[c.pending[0]]),
					 mp_instance(&f.m->ev[write])));
	}
	/* The read at the end cannot see y = 1 if e5 may have executed in between. */
	(void)last;
	mp_all_free(all);
	figure_free(&f);
}

/* A counter that both threads increment, and that main prints at the end, hides nothing. */
static void a_counter_hides_nothing(void **unused)
{
	static const struct mp_program p = {{{COUNT(0), WRITE(1, 1), COUNT(0)},
					     {COUNT(0), READ(1, 0), COUNT(0), READ(0, 0), USE(0)}},
					    2,
					    0};
	static const uint8_t order[] = {0, 0, 0};
	struct figure f = figure_new(&p, order, 3);

	(void)unused;
	assert_false(race_of(&f, 1, 1, false));
	assert_true(race_of(&f, 1, 1, true));
	figure_free(&f);
}

/* The same, but a branch before the access depends on the counter. */
static void a_counter_that_decides_matters(void **unused)
{
	static const struct mp_program p = {
	    {{COUNT(0), WRITE(1, 1), COUNT(0)}, {COUNT(0), IFX(1, 2, 1), READ(1, 0)}}, 2, 0};
	static const uint8_t order[] = {0, 0, 0};
	struct figure f = figure_new(&p, order, 3);

	(void)unused;
	assert_false(race_of(&f, 1, 2, false));
	assert_false(f.s && race_of(&f, 1, 2, true));
	figure_free(&f);
}

/* ---- the graph ---- */

static uint32_t value(struct fr_slice_graph *g, uint32_t site)
{
	return fr_slice_graph_node(g, FR_SLICE_VALUE, site, 0);
}

static void functions_join_by_name(void **unused)
{
	struct fr_slice_graph *g = fr_slice_graph_new();
	uint32_t f = fr_slice_graph_function(g, "f", 0), other = fr_slice_graph_function(g, "f", 1);
	static const uint32_t site[] = {1, 2, 3};
	struct fr_slice_reach *r;

	(void)unused;
	assert_int_equal(f, fr_slice_graph_function(g, "f", 0));
	assert_int_not_equal(f, other);
	g->function.v[f].defined = true;
	/* Reads 1 and 2 are arguments of f and of an f that no unit defines. f returns its
	   argument. */
	fr_slice_graph_edge(g, value(g, 1), fr_slice_graph_node(g, FR_SLICE_PARAM, f, 0), 0);
	fr_slice_graph_edge(g, fr_slice_graph_node(g, FR_SLICE_PARAM, f, 0),
			    fr_slice_graph_node(g, FR_SLICE_RESULT, f, 0), 0);
	fr_slice_graph_edge(g, fr_slice_graph_node(g, FR_SLICE_RESULT, f, 0), value(g, 10), 0);
	fr_slice_graph_edge(g, value(g, 2), fr_slice_graph_node(g, FR_SLICE_PARAM, other, 0), 0);
	fr_slice_graph_close(g, NULL);
	r = fr_slice_reach_new(g, site, 3);
	assert_int_equal(fr_slice_reach_count(r), 1); /* 3 has no node: it matters always */
	assert_int_equal(fr_slice_reach_site(r, 0), 1);
	assert_int_equal(fr_slice_reach_set(r, fr_slice_reach_value(r, 10)).n, 1);
	assert_int_equal(fr_slice_reach_value(r, 11), 0);
	fr_slice_reach_free(r);
	fr_slice_graph_free(g);
}

/* Random graphs against a search from each read. */
static void reach_is_complete(void **unused)
{
	uint64_t random = 77;

	(void)unused;
	for (unsigned round = 0; round < 300; round++) {
		struct fr_slice_graph *g = fr_slice_graph_new();
		unsigned n = 3 + (unsigned)(fx_random(&random) % 20);
		unsigned edges = (unsigned)(fx_random(&random) % (n * 2));
		bool to[32][32] = {{0}};
		uint32_t site[32];
		struct fr_slice_reach *r;

		for (uint32_t i = 0; i < n; i++) {
			site[i] = i;
			assert_int_equal(value(g, i), i);
		}
		fr_slice_graph_node(g, FR_SLICE_BRANCH, 5, 0);
		for (unsigned i = 0; i < edges; i++) {
			uint32_t a = (uint32_t)(fx_random(&random) % n);
			uint32_t b = (uint32_t)(fx_random(&random) % (n + !(i % 7)));

			fr_slice_graph_edge(g, a, b, 0);
			to[a][b] = true;
		}
		for (unsigned k = 0; k <= n; k++)
			for (unsigned i = 0; i <= n; i++)
				for (unsigned j = 0; j <= n; j++)
					to[i][j] |= to[i][k] && to[k][j];
		fr_slice_graph_close(g, NULL);
		r = fr_slice_reach_new(g, site, n);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t k = fr_slice_reach_free_read(r, i);

			assert_int_equal(k == UINT32_MAX, to[i][n]);
			for (uint32_t j = 0; k != UINT32_MAX && j < n; j++) {
				struct fr_slice_set v =
				    fr_slice_reach_set(r, fr_slice_reach_value(r, j));
				bool in = false;

				for (uint32_t x = 0; x < v.n; x++)
					in |= v.v[x] == k;
				assert_int_equal(in, to[i][j] || i == j);
			}
		}
		fr_slice_reach_free(r);
		fr_slice_graph_free(g);
	}
}

/* ---- the purity table ---- */

static void pure_functions(void **unused)
{
	static const char text[] = "# comment\nabs n\nmemcmp ppn # bytes\n\n  sched_yield  \n"
				   "printf pv\nabs p\nput pi\n";
	struct fr_pure *p = fr_pure_new();
	struct fr_err err;

	(void)unused;
	assert_int_equal(fr_pure_parse(p, "t", text, sizeof(text) - 1, &err), 0);
	assert_int_equal(fr_pure_count(p), 5);
	assert_true(fr_pure_has(p, "sched_yield"));
	assert_false(fr_pure_has(p, "malloc"));
	assert_int_equal(fr_pure_param(p, "abs", 0), FR_PURE_USED); /* the last line counts */
	assert_int_equal(fr_pure_param(p, "memcmp", 2), FR_PURE_NUMBER);
	assert_int_equal(fr_pure_param(p, "memcmp", 3), FR_PURE_USED);
	assert_int_equal(fr_pure_param(p, "printf", 0), FR_PURE_USED);
	assert_int_equal(fr_pure_param(p, "put", 1), FR_PURE_IGNORED);
	assert_int_equal(fr_pure_param(p, "printf", 7), FR_PURE_NUMBER);
	assert_int_equal(fr_pure_parse(p, "t", "f x\n", 4, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "t:1: "));
	assert_int_equal(fr_pure_parse(p, "t", "f vn\n", 5, &err), -EINVAL);
	fr_pure_free(p);
}

static void unknown_functions_are_sinks(void **unused)
{
	struct fr_slice_graph *g = fr_slice_graph_new();
	uint32_t known = fr_slice_graph_function(g, "abs", 0),
		 unknown = fr_slice_graph_function(g, "g", 0);
	static const uint32_t site[] = {1, 2, 3, 4};
	struct fr_pure *p = fr_pure_new();
	struct fr_slice_reach *r;
	struct fr_err err;

	(void)unused;
	assert_int_equal(fr_pure_parse(p, "t", "abs n", 5, &err), 0);
	fr_slice_graph_edge(g, value(g, 1), fr_slice_graph_node(g, FR_SLICE_PARAM, known, 0), 0);
	fr_slice_graph_edge(g, value(g, 2), fr_slice_graph_node(g, FR_SLICE_PARAM, unknown, 0), 0);
	fr_slice_graph_edge(g, value(g, 3), fr_slice_graph_node(g, FR_SLICE_CALLED, unknown, 0), 0);
	fr_slice_graph_edge(g, value(g, 4), fr_slice_graph_node(g, FR_SLICE_CALLED, known, 0), 0);
	fr_slice_graph_edge(g, fr_slice_graph_node(g, FR_SLICE_RESULT, known, 0), value(g, 9), 0);
	fr_slice_graph_close(g, p);
	r = fr_slice_reach_new(g, site, 4);
	assert_int_equal(fr_slice_reach_count(r), 2);
	/* The result depends on the argument, and on whether the function is called. */
	assert_int_equal(fr_slice_reach_set(r, fr_slice_reach_value(r, 9)).n, 2);
	fr_slice_reach_free(r);
	fr_slice_graph_free(g);
	fr_pure_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_mask_allows_the_impossible),
	    cmocka_unit_test(figure_1),
	    cmocka_unit_test(figure_2),
	    cmocka_unit_test(a_counter_hides_nothing),
	    cmocka_unit_test(a_counter_that_decides_matters),
	    cmocka_unit_test(functions_join_by_name),
	    cmocka_unit_test(reach_is_complete),
	    cmocka_unit_test(pure_functions),
	    cmocka_unit_test(unknown_functions_are_sinks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
