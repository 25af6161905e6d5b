/*
 * The lattice engine against brute force: all reorderings of random small runs with locks,
 * conditions, semaphores, barriers, memory and all other kinds of events, under random masks, and
 * the automaton of a random pattern or formula over each reordering. Both find a violation, or
 * neither does; and the schedule of the lattice is feasible and violates the property.
 *
 * FORERUN_TEST_TRACES: the number of runs (4000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute_rules.h"
#include "cross.h"
#include "fixture.h"
#include "lattice/lattice.h"
#include "base/hash.h"
#include "property_random.h"
#include <string.h>

/* One assignment of the thread names, and the states that the automaton can be in. */
struct monitor {
	uint32_t name[BRUTE_THREADS]; /* of each thread */
};
struct search {
	const struct fr_model *m;
	const struct fr_auto *a;
	uint32_t loc;
	struct brute_rules rules;
	FR_VEC(struct monitor) monitor;
	struct fr_map seen;
	bool violated;
	size_t states;
};

#define MONITORS 64

struct reached {
	struct brute_state s;
	uint64_t states[MONITORS]; /* bit q: in state q */
};

/* The event of the property: 0 read, 1 write, 2 lock; FR_NO_NAME: none. */
static uint32_t event_of(const struct fr_mev *v, uint32_t loc)
{
	if (v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_SHARED)
		return 2;
	if (!fr_is_access(v) || v->obj != loc)
		return FR_NO_NAME;
	return v->op == FR_OP_READ ? 0 : 1;
}

static bool read_event(const struct search *x, const struct monitor *k, fr_ev e, uint64_t *states)
{
	const struct fr_mev *v = &x->m->ev[e];
	uint32_t event = event_of(v, x->loc), letter;
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

/* Reads a step; if it is only pending, up to its first acquisition. */
static bool read_step(const struct search *x, const struct monitor *k, fr_ev head, bool pending,
		      uint64_t *states)
{
	fr_ev e = head;

	do {
		if (pending && event_of(&x->m->ev[e], x->loc) == 2) {
			*states = 0;
			return false;
		}
		if (read_event(x, k, e, states))
			return true;
	} while (++e < x->m->n && x->m->ev[e].flags & FR_F_PART);
	return false;
}

static bool has_event(const struct search *x, fr_ev head)
{
	fr_ev e = head;

	do
		if (event_of(&x->m->ev[e], x->loc) != FR_NO_NAME)
			return true;
	while (++e < x->m->n && x->m->ev[e].flags & FR_F_PART);
	return false;
}

static bool pending_violate(const struct search *x, const struct monitor *k, uint64_t states,
			    const fr_ev *next, unsigned used)
{
	for (unsigned t = 0; t < x->m->nthreads; t++) {
		uint64_t after = states;

		if (used >> t & 1 || next[t] == FR_NO_EV || !has_event(x, next[t]))
			continue;
		if (read_step(x, k, next[t], true, &after))
			return true;
		if ((after || !x->a->anchored) &&
		    pending_violate(x, k, after, next, used | 1u << t))
			return true;
	}
	return false;
}

static void explore(struct search *x, const struct reached *r)
{
	uint64_t hash = fr_hash_bytes(FR_HASH_START, &r->s, sizeof(r->s)), *at;
	fr_ev next[BRUTE_THREADS];
	bool ended = true;

	hash = fr_hash_bytes(hash, r->states, x->monitor.n * sizeof(*r->states));
	at = fr_map_put(&x->seen, hash >> 1);
	if (*at || x->violated)
		return;
	*at = 1;
	x->states++;
	for (unsigned t = 0; t < x->m->nthreads; t++) {
		next[t] = brute_next(&x->rules, &r->s, t);
		ended &= r->s.pos[t] == x->m->thread[t].n;
	}
	for (size_t i = 0; i < x->monitor.n; i++) {
		x->violated |= pending_violate(x, &x->monitor.v[i], r->states[i], next, 0);
		for (uint32_t q = 0; ended && q < x->a->dfa.states; q++)
			x->violated |= r->states[i] >> q & 1 && x->a->ends_badly[q];
	}
	for (unsigned t = 0; t < x->m->nthreads && !x->violated; t++) {
		struct brute_state to[BRUTE_NEXT];
		struct reached after = *r;
		unsigned n = next[t] == FR_NO_EV ? 0 : brute_step(&x->rules, &r->s, next[t], to);

		for (size_t i = 0; i < x->monitor.n && n; i++)
			x->violated |=
			    read_step(x, &x->monitor.v[i], next[t], false, &after.states[i]);
		for (unsigned k = 0; k < n; k++) {
			after.s = to[k];
			explore(x, &after);
		}
	}
}

static void make_monitors(struct search *x)
{
	uint32_t names = (uint32_t)x->a->property->thread.n, n = x->m->nthreads;

	for (uint32_t first = 0; first < (names ? n : 1); first++)
		for (uint32_t second = 0; second < (names > 1 ? n : 1); second++) {
			struct monitor k;

			memset(k.name, 0xff, sizeof(k.name));
			if (names > 1 && first == second)
				continue;
			if (names)
				k.name[first] = 0;
			if (names > 1)
				k.name[second] = 1;
			fr_vec_push(&x->monitor, k);
		}
	assert_in_range(x->monitor.n, 0, MONITORS);
}

static void brute_violated(struct search *x)
{
	struct reached *r = fr_xcalloc(1, sizeof(*r));

	for (size_t i = 0; i < x->monitor.n; i++)
		r->states[i] = x->a->anchored ? UINT64_C(1) << x->a->dfa.start : 0;
	explore(x, r);
	free(r);
}

/* ---- the lattice's answer ---- */

/* Does the schedule, and then the pending steps in their order, violate the property? */
static bool schedule_violates(const struct search *x, const struct fr_lattice_answer *v,
			      const struct fr_lattice_item *item)
{
	FR_VEC_FOREACH (k, &x->monitor) {
		uint64_t states = x->a->anchored ? UINT64_C(1) << x->a->dfa.start : 0;
		bool bad = false;

		FR_VEC_FOREACH (e, &v->schedule.step)
			bad |= read_step(x, k, *e, false, &states);
		for (size_t i = v->match.n - v->npending; i < v->match.n; i++) {
			fr_ev head = fr_head(x->m, item[v->match.v[i].item].ev);

			if (i && fr_head(x->m, item[v->match.v[i - 1].item].ev) == head &&
			    i > v->match.n - v->npending)
				continue;
			bad |= read_step(x, k, head, false, &states);
		}
		for (uint32_t q = 0; v->at_end && q < x->a->dfa.states; q++)
			bad |= states >> q & 1 && x->a->ends_badly[q];
		if (bad)
			return true;
	}
	return false;
}

static void check_schedule(const struct search *x, const struct fr_lattice_answer *v,
			   const struct fr_lattice_item *item, const struct fr_mask *mask,
			   uint64_t seed, const char *text)
{
	struct fr_checker *c = fr_checker_new(x->m);
	struct fr_candidate what = {.first = FR_NO_EV};
	struct fr_err err;

	for (size_t i = v->match.n - v->npending; i < v->match.n; i++) {
		fr_ev head = fr_head(x->m, item[v->match.v[i].item].ev);

		if (!fr_is_pending(&what, head))
			what.pending[what.npending++] = head;
	}
	fr_candidate_assert(x->m, &what);
	if (fr_checker_check_sliced(c, mask, &v->schedule, &what, &err) < 0)
		fail_msg("seed %llu: the checker rejects the schedule: %s",
			 (unsigned long long)seed, err.msg);
	if (!schedule_violates(x, v, item)) {
		gen_print(stderr, x->m);
		FR_VEC_FOREACH (e, &v->schedule.step)
			fprintf(stderr, "step %u\n", *e);
		FR_VEC_FOREACH (e, &v->match)
			fprintf(stderr, "match %u group %d\n", item[e->item].ev, (int)e->group);
		fail_msg("seed %llu: the schedule violates nothing, %u pending\n%s",
			 (unsigned long long)seed, v->npending, text);
	}
	fr_checker_free(c);
}

static uint64_t runs, violated, at_end, masked, work_cuts, work_states;

static void compare_loc(struct search *x, const struct fr_causality *c, const struct fr_mask *mask,
			uint64_t seed, const char *text)
{
	FR_VEC(struct fr_lattice_item) item = {0};
	struct fr_lattice *l = fr_lattice_new(x->m, c);
	struct fr_lattice_question q = {
	    .a = x->a, .mask = mask, .width = 1u << 20, .states = 1u << 24};
	struct fr_lattice_answer v;

	for (fr_ev e = 0; e < x->m->n; e++)
		if (event_of(&x->m->ev[e], x->loc) != FR_NO_NAME)
			fr_vec_push(&item, ((struct fr_lattice_item){
					       e, event_of(&x->m->ev[e], x->loc), 0}));
	if (item.n) {
		brute_rules_init(&x->rules, x->m, NULL);
		x->rules.mask = mask;
		q.item = item.v;
		q.n = (uint32_t)item.n;
		brute_violated(x);
		fr_lattice_ask(l, &q, &v);
		if (v.found != x->violated || v.complete == v.found) {
			gen_print(stderr, x->m);
			fail_msg("seed %llu: the lattice says %s, brute force says %s\n%s",
				 (unsigned long long)seed,
				 v.found      ? "violated"
				 : v.complete ? "not violated"
					      : "nothing",
				 x->violated ? "violated" : "not violated", text);
		}
		if (v.found)
			check_schedule(x, &v, item.v, mask, seed, text);
		runs++;
		violated += v.found;
		at_end += v.at_end;
		masked += mask && v.found;
		work_cuts += v.cuts;
		work_states += x->states;
		fr_lattice_answer_free(&v);
		brute_rules_destroy(&x->rules);
	}
	fr_lattice_free(l);
	fr_vec_free(&item);
	fr_map_free(&x->seen);
}

static const struct fr_mask *random_mask(const struct fr_model *m, uint64_t bits[2][4],
					 struct fr_mask *ret)
{
	if (property_pick(2) || m->n > 256)
		return NULL;
	for (unsigned i = 0; i < 4; i++) {
		bits[0][i] = bits[1][i] = 0;
		for (unsigned k = 0; k < 64; k++) {
			bits[0][i] |= (uint64_t)(property_pick(3) > 0) << k;
			bits[1][i] |= (uint64_t)(property_pick(4) > 0) << k;
		}
	}
	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].flags & FR_F_SYNTH)
			bits[1][e / 64] |= UINT64_C(1) << (e % 64);
	*ret = (struct fr_mask){.id = 1, .reads = bits[0], .writes = bits[1]};
	return ret;
}

static void compare(uint64_t seed)
{
	struct gen_script *script = gen_random(seed, 0);
	struct fr_model *m = gen_build(script);
	struct fr_causality *c = fr_causality_new(m);
	struct fr_mask mask;
	const struct fr_mask *with;
	uint64_t bits[2][4];
	struct fr_auto *a;
	struct fr_spec *s;
	struct fr_err err;

	property_seed(seed);
	s = property_random(property_pick(3) == 0);
	assert_int_equal(fr_auto_new(s->property.v[0], &a, &err), 0);
	with = random_mask(m, bits, &mask);
	if (a->dfa.states <= 64 && m->nthreads <= BRUTE_THREADS && m->n <= BRUTE_EVENTS) {
		struct search x = {.m = m, .a = a};

		x.loc = m->cls[FR_C_LOC].n ? property_pick(m->cls[FR_C_LOC].n) : 0;
		make_monitors(&x);
		compare_loc(&x, c, with, seed, s->text);
		fr_vec_free(&x.monitor);
	}
	fr_auto_free(a);
	fr_spec_free(s);
	fr_causality_free(c);
	fr_model_free(m);
	free(script);
}

static void test_brute(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 4000),
		 seed = cross_env("FORERUN_TEST_SEED", 1);

	(void)state;
	for (uint64_t i = 0; i < n; i++)
		compare(seed + i);
	fprintf(stderr,
		"%llu runs, %llu with a violation, %llu of them at the end, %llu under a mask; "
		"%llu cuts, brute force %llu states\n",
		(unsigned long long)runs, (unsigned long long)violated, (unsigned long long)at_end,
		(unsigned long long)masked, (unsigned long long)work_cuts,
		(unsigned long long)work_states);
	assert_in_range(violated, runs / 20, runs - runs / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_brute),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
