/*
 * The generator of properties against brute force: all reorderings of random small runs. At each
 * state of a reordering, the next events of different threads may happen one after the other. If
 * that violates a random pattern, then some candidate of the generator is feasible, and if not,
 * none is. A formula that only the end makes false is judged after all events of the run. Limits
 * that stop the search, and the lattice engine behind it, are part of the comparison.
 *
 * FORERUN_TEST_TRACES: the number of runs (1500); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute.h"
#include "cross.h"
#include "fixture.h"
#include "generate/property.h"
#include "oracle/check.h"
#include "generate/property_instance.h"
#include "property_random.h"
#include <string.h>

#define THREADS 3
#define LOCS 2
#define STEPS 16

/* ---- runs ---- */

struct simulation {
	struct fr_builder *b;
	uint64_t value[LOCS], hook[THREADS];
	unsigned left[THREADS]; /* events that the thread may still begin */
	int holder;		/* of the lock, or -1 */
};

static void put(struct simulation *x, unsigned thread, unsigned op, uint32_t obj, uint64_t value)
{
	struct fr_mev e = {.op = op & 31,
			   .thread = (uint16_t)thread,
			   .obj = obj,
			   .value = value,
			   .site = thread * 8 + (unsigned)x->hook[thread] + 1};

	if (op == FR_OP_READ || op == FR_OP_WRITE)
		e.mask = 0xff;
	fr_builder_add(x->b, &e, ++x->hook[thread]);
}

static void step(struct simulation *x, unsigned t)
{
	unsigned loc = property_pick(LOCS);

	switch (property_pick(4)) {
	case 0:
		put(x, t, FR_OP_READ, loc, x->value[loc]);
		break;
	case 1:
		put(x, t, FR_OP_WRITE, loc, x->value[loc] = property_pick(3));
		break;
	default:
		if (x->holder == (int)t) {
			put(x, t, FR_OP_RELEASE, 0, 0);
			x->holder = -1;
		} else if (x->holder < 0) {
			put(x, t, FR_OP_ACQUIRE, 0, 0);
			x->holder = (int)t;
			x->left[t]++;
		} else {
			return; /* it waits */
		}
	}
	x->left[t] -= x->left[t] > 0;
}

static struct fr_model *random_run(unsigned threads)
{
	struct simulation x = {.b = fr_builder_new(), .holder = -1};

	for (unsigned t = 0; t < threads; t++) {
		fr_builder_thread(x.b, (const char *[]){"0", "0.1", "0.2"}[t], t);
		x.left[t] = 2 + property_pick(2);
	}
	for (unsigned i = 0; i < LOCS; i++)
		fr_builder_obj(x.b, FR_C_LOC,
			       (struct fr_mobj){.addr = 0x1000 + 8 * i, .count = 0xff});
	fr_builder_obj(x.b, FR_C_LOCK, (struct fr_mobj){.addr = 0x2000});
	for (unsigned i = 0; i < STEPS; i++) {
		unsigned t = property_pick(threads);

		if (x.left[t])
			step(&x, t);
	}
	if (x.holder >= 0)
		put(&x, (unsigned)x.holder, FR_OP_RELEASE, 0, 0);
	return fr_builder_finish(x.b);
}

/* ---- brute force ---- */

/* The monitor of one location and one assignment of thread names: a set of states. */
struct monitor {
	uint32_t loc;
	uint32_t name[THREADS]; /* of each thread */
};
struct brute_search {
	const struct fr_model *m;
	const struct fr_auto *a;
	FR_VEC(struct monitor) monitor;
	fr_ev path[64];
	uint32_t n;
	bool violated;
};

/* The event of the property: 0 read, 1 write, 2 lock; FR_NO_NAME: none, for this location. */
static uint32_t event_of(const struct fr_mev *v, uint32_t loc)
{
	if (v->op == FR_OP_ACQUIRE)
		return 2;
	if (!fr_is_access(v) || v->obj != loc)
		return FR_NO_NAME;
	return v->op == FR_OP_READ ? 0 : 1;
}

/* Reads an event. Returns true if the monitor sees a violation. states: bit s: in state s. */
static bool read_event(const struct brute_search *x, const struct monitor *k, fr_ev e,
		       uint64_t *states)
{
	const struct fr_mev *v = &x->m->ev[e];
	uint32_t event = event_of(v, k->loc), letter;
	uint64_t from = *states | (x->a->anchored ? 0 : UINT64_C(1) << x->a->dfa.start);
	bool bad = false;

	if (event == FR_NO_NAME)
		return false;
	letter = fr_auto_letter(x->a, event, k->name[v->thread], 0);
	*states = 0;
	for (uint32_t s = 0; s < x->a->dfa.states; s++)
		if (from >> s & 1) {
			uint32_t to = fr_dfa_step(&x->a->dfa, s, letter);

			bad |= x->a->bad[to];
			*states |= UINT64_C(1) << to;
		}
	return bad;
}

/* Do next events of different threads, one after the other, lead to a violation? An acquisition
   only counts once it has happened. */
static bool pending_violate(const struct brute_search *x, const struct monitor *k, uint64_t states,
			    const fr_ev *next, unsigned used)
{
	for (unsigned t = 0; t < x->m->nthreads; t++) {
		uint64_t after = states;

		if (used >> t & 1 || next[t] == FR_NO_EV || x->m->ev[next[t]].op == FR_OP_ACQUIRE)
			continue;
		if (read_event(x, k, next[t], &after) ||
		    pending_violate(x, k, after, next, used | 1u << t))
			return true;
	}
	return false;
}

static void walk(struct brute_search *x)
{
	fr_ev next[THREADS];
	bool ended = true;
	struct brute_walk *w = brute_walk_new(x->m);

	for (uint32_t i = 0; i < x->n; i++)
		assert_true(brute_walk_step(w, x->path[i]));
	for (unsigned t = 0; t < x->m->nthreads; t++)
		next[t] = brute_walk_next(w, t), ended &= next[t] == FR_NO_EV;
	brute_walk_free(w);
	FR_VEC_FOREACH (k, &x->monitor) {
		uint64_t states = x->a->anchored ? UINT64_C(1) << x->a->dfa.start : 0;

		for (uint32_t i = 0; i < x->n; i++)
			x->violated |= read_event(x, k, x->path[i], &states);
		x->violated |= pending_violate(x, k, states, next, 0);
		for (uint32_t s = 0; ended && s < x->a->dfa.states; s++)
			x->violated |= states >> s & 1 && x->a->ends_badly[s];
	}
	for (unsigned t = 0; t < x->m->nthreads && !x->violated; t++) {
		bool can;

		if (next[t] == FR_NO_EV)
			continue;
		w = brute_walk_new(x->m);
		for (uint32_t i = 0; i < x->n; i++)
			brute_walk_step(w, x->path[i]);
		can = brute_walk_step(w, next[t]);
		brute_walk_free(w);
		if (!can)
			continue;
		x->path[x->n++] = next[t];
		walk(x);
		x->n--;
	}
}

/* All monitors: each location that is accessed, each assignment of the names to threads. */
static void make_monitors(struct brute_search *x)
{
	uint32_t names = (uint32_t)x->a->property->thread.n, n = x->m->nthreads;

	for (uint32_t loc = 0; loc < LOCS; loc++)
		for (uint32_t first = 0; first < (names ? n : 1); first++)
			for (uint32_t second = 0; second < (names > 1 ? n : 1); second++) {
				struct monitor k = {.loc = loc};

				memset(k.name, 0xff, sizeof(k.name));
				if (names > 1 && first == second)
					continue;
				if (names)
					k.name[first] = 0;
				if (names > 1)
					k.name[second] = 1;
				fr_vec_push(&x->monitor, k);
			}
}

static bool is_accessed(const struct fr_model *m, uint32_t loc)
{
	for (fr_ev e = 0; e < m->n; e++)
		if (fr_is_access(&m->ev[e]) && m->ev[e].obj == loc)
			return true;
	return false;
}

/* ---- comparison ---- */

static uint64_t runs, violated, candidates, feasible, limited, wrong, walked;

/* Does the schedule, and then the pending events in their order, violate the property? */
static bool schedule_violates(const struct brute_search *x, const struct fr_schedule *s,
			      const struct fr_instance *in)
{
	const struct fr_candidate *what = &in->what;

	FR_VEC_FOREACH (k, &x->monitor) {
		uint64_t states = x->a->anchored ? UINT64_C(1) << x->a->dfa.start : 0;
		bool bad = false;

		FR_VEC_FOREACH (e, &s->step)
			bad |= read_event(x, k, *e, &states);
		for (uint32_t i = in->nheld; i < what->npending; i++)
			bad |= read_event(x, k, what->pending[i], &states);
		for (uint32_t s = 0; in->to_end && s < x->a->dfa.states; s++)
			bad |= states >> s & 1 && x->a->ends_badly[s];
		if (bad)
			return true;
	}
	return false;
}

static bool any_feasible(const struct brute_search *s, const struct fr_groups *g, bool *ret_all)
{
	struct fr_checker *c = fr_checker_new(s->m);
	struct fr_err err;
	bool any = false;

	*ret_all = !g->cut_off;
	FR_VEC_FOREACH (x, &g->group) {
		FR_VEC_FOREACH (in, &x->instance) {
			struct brute *b = brute_new(s->m, &(*in)->what, 1u << 18);
			struct fr_schedule schedule = {0};
			bool yes = brute_feasible(b, &(*in)->what, &schedule);

			if ((*in)->found) {
				walked++;
				wrong +=
				    fr_checker_check(c, &(*in)->schedule, &(*in)->what, &err) < 0;
				wrong += !yes || !schedule_violates(s, &(*in)->schedule, *in);
			}
			if (yes && !(*in)->found && (*in)->to_end)
				yes = fr_checker_completes(c, NULL, &schedule, &(*in)->what);
			if (yes && !(*in)->found && !schedule_violates(s, &schedule, *in))
				wrong++;
			fr_schedule_free(&schedule);

			assert_true(brute_complete(b));
			candidates++;
			feasible += yes;
			any |= yes;
			brute_free(b);
		}
	}
	fr_checker_free(c);
	return any;
}

static void compare(uint64_t seed)
{
	struct fr_property_kind kind = {.generator = {.generate = fr_property_generate}};
	struct brute_search x = {0};
	struct fr_causality *c;
	struct fr_groups g;
	struct fr_model *m;
	struct fr_spec *s;
	struct fr_err err;
	bool got, all;

	property_seed(seed);
	m = random_run(2 + property_pick(2));
	s = property_random(property_pick(3) == 0);
	kind.property = s->property.v[0];
	assert_int_equal(fr_auto_new(kind.property, &kind.automaton, &err), 0);
	c = fr_causality_new(m);
	fr_property_generate(&kind.generator, m, c, NULL, &g);
	if (kind.automaton->dfa.states <= 64 && is_accessed(m, 0) && is_accessed(m, 1)) {
		x.m = m;
		x.a = kind.automaton;
		make_monitors(&x);
		got = any_feasible(&x, &g, &all);
		if (wrong)
			fail_msg("seed %llu: the schedule of a candidate violates nothing\n%s",
				 (unsigned long long)seed, s->text);
		walk(&x);
		if (got && !x.violated)
			fail_msg("seed %llu: a candidate is feasible, but nothing violates\n%s",
				 (unsigned long long)seed, s->text);
		if (!got && x.violated && all)
			fail_msg("seed %llu: the generator misses a violation\n%s",
				 (unsigned long long)seed, s->text);
		runs++;
		violated += x.violated;
		limited += !all;
		fr_vec_free(&x.monitor);
	}
	fr_groups_free(&g);
	fr_causality_free(c);
	fr_auto_free(kind.automaton);
	fr_spec_free(s);
	fr_model_free(m);
}

static void test_brute(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 1500),
		 seed = cross_env("FORERUN_TEST_SEED", 1);

	(void)state;
	for (uint64_t i = 0; i < n; i++)
		compare(seed + i);
	fprintf(stderr,
		"%llu runs, %llu with a violation, %llu candidates, %llu feasible, %llu of the "
		"lattice, %llu limited\n",
		(unsigned long long)runs, (unsigned long long)violated,
		(unsigned long long)candidates, (unsigned long long)feasible,
		(unsigned long long)walked, (unsigned long long)limited);
	assert_in_range(walked, 1, candidates);
	assert_in_range(violated, n / 20, runs - n / 20);
	assert_int_equal(limited, 0);
}

/* ---- instances ---- */

static void occur(struct fr_occurrences *o, uint16_t bound, const uint64_t *value)
{
	struct fr_occurrence e = {
	    .ev = (fr_ev)o->v.n, .bound = bound, .value = (uint32_t)o->value.n};

	for (unsigned i = 0; i < 16; i++)
		if (bound >> i & 1)
			fr_vec_push(&o->value, *value++);
	fr_vec_push(&o->v, e);
}

/* Iterators of two lists: the lists are not combined with each other's iterators. */
static void test_join(void **state)
{
	struct fr_occurrences o = {0};
	struct fr_instances x;
	fr_occurrence_list list = {0};

	(void)state;
	occur(&o, 3, (uint64_t[]){1, 10});
	occur(&o, 3, (uint64_t[]){1, 11});
	occur(&o, 3, (uint64_t[]){2, 12});
	occur(&o, 1, (uint64_t[]){1});
	occur(&o, 2, (uint64_t[]){11});
	occur(&o, 1, (uint64_t[]){3}); /* a list without iterators */
	fr_instances_init(&x, &o);
	assert_int_equal(x.v.n, 4);
	for (size_t i = 0; i < x.v.n; i++) {
		const struct fr_binding *b = &x.v.v[i];

		fr_instances_events(&x, b, &list);
		assert_int_equal(list.n, b->value[1] == 11 ? 3 : b->value[1] == 10 ? 2 : 1);
	}
	fr_vec_free(&list);
	fr_instances_free(&x);
	fr_occurrences_free(&o);
}

/* Parameters that no event binds together: all combinations. */
static void test_product(void **state)
{
	struct fr_occurrences o = {0};
	struct fr_instances x;

	(void)state;
	for (uint64_t i = 0; i < 3; i++)
		occur(&o, 1, &i);
	for (uint64_t i = 0; i < 4; i++)
		occur(&o, 2, &i);
	fr_instances_init(&x, &o);
	assert_int_equal(x.v.n, 12);
	fr_instances_free(&x);
	fr_occurrences_free(&o);
}

/* A hundred thousand requests: as many instances, and not their square. */
static void test_many(void **state)
{
	struct fr_occurrences o = {0};
	struct fr_instances x;
	fr_occurrence_list list = {0};
	const uint64_t n = 100000;

	(void)state;
	for (uint64_t i = 0; i < n; i++)
		occur(&o, 3, (uint64_t[]){i % 7, 1000 + i});
	for (uint64_t i = 0; i < n; i++)
		occur(&o, 2, (uint64_t[]){1000 + i});
	fr_instances_init(&x, &o);
	assert_int_equal(x.v.n, n);
	assert_false(x.cut_off);
	fr_instances_events(&x, &x.v.v[5], &list);
	assert_int_equal(list.n, 2);
	fr_vec_free(&list);
	fr_instances_free(&x);
	fr_occurrences_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_join),
	    cmocka_unit_test(test_product),
	    cmocka_unit_test(test_many),
	    cmocka_unit_test(test_brute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
