/*
 * Masks of reads that matter, against brute force on small random runs with random masks:
 *
 *  - each solver, on the whole run and on segments of it: exactly the answers of brute force;
 *  - the closure says yes only with schedules that are feasible, the refuter no only where no cut
 *    of the run has a schedule;
 *  - the oracle, asked about many candidates with different masks, finds the tier and the fewest
 *    reads that must differ;
 *  - the schedule checker accepts a step exactly where brute force can take it.
 *
 * On larger runs, the order solver against Z3, and the closure and the refuter against both.
 *
 * FORERUN_TEST_TRACES: the number of runs (6,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute.h"
#include "cross.h"
#include "fixture.h"
#include "oracle/sync_tier.h"
#include <inttypes.h>

#define RELAX 2
#define MASKS 3
#define STATES 400000

static uint64_t by_tier[FR_TIER_COUNT + 1]; /* the last one: not feasible */
static uint64_t closed;			    /* by the closure because of the mask */
static uint64_t steps[2];		    /* of walks: not possible, possible */

/* ---- masks ---- */

enum { ANY, WRITES, READS, DEPENDENCE, NOTHING, FEW_READS, MASK_KINDS };

struct made {
	struct fr_mask mask;
	uint64_t *reads, *writes;
};

/* A number that stays the same for an event if other operations are taken out of its script. */
static uint64_t number(const struct fr_model *m, uint64_t seed, fr_ev a, fr_ev b)
{
	uint64_t s = seed * 31 + m->ev[a].site * UINT64_C(1009) + m->ev[b].site * UINT64_C(99991) +
		     m->ev[a].op + (m->ev[a].obj + 1) * UINT64_C(7919);

	fx_random(&s);
	return fx_random(&s) >> 8;
}

static void set(uint64_t *bits, fr_ev e, bool on)
{
	bits[e / 64] |= (uint64_t)on << (e % 64);
}

/* Does the value of the write depend on that of the read? */
static bool depends(const struct fr_model *m, uint64_t seed, fr_ev w, fr_ev r)
{
	return r < w && m->ev[r].op == FR_OP_READ && m->ev[w].op == FR_OP_WRITE &&
	       m->ev[r].thread == m->ev[w].thread && number(m, seed, w, r) % 3 == 0;
}

/* Some reads matter; with each of them, the reads on which the writes depend that it saw. */
static void close_dependence(const struct fr_model *m, uint64_t seed, struct made *x)
{
	bool more = true;

	for (fr_ev e = 0; e < m->n; e++)
		set(x->reads, e, m->ev[e].op == FR_OP_READ && number(m, seed, e, e) % 3 == 0);
	while (more) {
		more = false;
		for (fr_ev e = 0; e < m->n; e++) {
			fr_ev saw[8];

			if (m->ev[e].op != FR_OP_READ || !fr_mask_read(&x->mask, e))
				continue;
			fr_model_writers(m, e, saw);
			for (unsigned i = 0; i < 8; i++)
				for (fr_ev r = 0;
				     m->ev[e].mask >> i & 1 && saw[i] != FR_NO_EV && r < saw[i];
				     r++)
					if (depends(m, seed, saw[i], r) &&
					    !fr_mask_read(&x->mask, r)) {
						set(x->reads, r, true);
						more = true;
					}
		}
	}
	for (fr_ev e = 0; e < m->n; e++) {
		bool reliable = m->ev[e].op == FR_OP_WRITE;

		for (fr_ev r = 0; r < e; r++)
			reliable &= !depends(m, seed, e, r) || fr_mask_read(&x->mask, r);
		set(x->writes, e, reliable);
	}
}

static struct made make(const struct fr_model *m, uint64_t seed, uint32_t id)
{
	static const unsigned eighths[][2] = {[ANY] = {4, 4},
					      [WRITES] = {4, 7},
					      [READS] = {7, 4},
					      [NOTHING] = {0, 0},
					      [FEW_READS] = {2, 8}};
	unsigned kind = (seed + id) % MASK_KINDS;
	struct made x = {.reads = fr_xcalloc(fr_mask_words(m) + 1, 8),
			 .writes = fr_xcalloc(fr_mask_words(m) + 1, 8)};

	seed = seed * MASKS + id;
	x.mask = (struct fr_mask){id + 1, x.reads, x.writes};
	if (kind == DEPENDENCE) {
		close_dependence(m, seed, &x);
		return x;
	}
	for (fr_ev e = 0; e < m->n; e++) {
		if (m->ev[e].op == FR_OP_READ)
			set(x.reads, e, number(m, seed, e, e) % 8 < eighths[kind][0]);
		if (m->ev[e].op == FR_OP_WRITE)
			set(x.writes, e, number(m, seed, e, e) % 8 < eighths[kind][1]);
	}
	return x;
}

static void drop(struct made *x)
{
	free(x->reads);
	free(x->writes);
}

/* ---- solvers, closure, refuter ---- */

static bool feasible(const struct cross_run *r, const struct brute *all,
		     const struct fr_candidate *c, fr_ev cut, fr_ev end)
{
	struct brute *b;
	bool yes;

	if (!c->nedges && !c->napart)
		return brute_feasible(all, c, NULL);
	b = brute_masked(r->m, r->mask, c, 0, cut, end, STATES);
	yes = brute_feasible(b, c, NULL);
	brute_free(b);
	return yes;
}

static bool *expect(struct cross_run *r, fr_ev cut, fr_ev end, const struct asked *a)
{
	struct brute *b = brute_masked(r->m, r->mask, NULL, 0, cut, end, STATES);
	bool *ret = fr_xcalloc(a->v.n + 1, sizeof(*ret));

	for (size_t i = 0; i < a->v.n; i++) {
		ret[i] = feasible(r, b, &a->v.v[i], cut, end);
		r->how->n++;
		r->how->yes += ret[i];
	}
	brute_free(b);
	return ret;
}

/* Where the refuter says no, there is no schedule from any cut. */
static bool refuter_agrees(struct cross_run *r, const struct asked *a)
{
	struct fr_refuter *x = fr_refuter_new(r->m, r->c);
	bool good = true;

	for (fr_ev cut = 0; cut < r->m->n && good; cut = cross_boundary(r->m, cut + 1)) {
		struct brute *b = brute_masked(r->m, r->mask, NULL, 0, cut, r->m->n, STATES);

		for (size_t i = 0; i < a->v.n && good; i++)
			if (fr_refuter_ask(x, r->mask, &a->v.v[i]) != FR_WHY_NONE &&
			    feasible(r, b, &a->v.v[i], cut, r->m->n))
				good = cross_complain(r, &a->v.v[i], "the refuter",
						      "excludes what a later cut allows");
		brute_free(b);
	}
	fr_refuter_free(x);
	return good;
}

/* Counts the candidates that the closure finds only because some reads do not matter. */
static void count_closed(struct cross_run *r, const struct asked *a)
{
	struct fr_sync_tier *x = fr_sync_new(r->m, r->c);

	for (size_t i = 0; i < a->v.n; i++) {
		struct fr_schedule s = {0};

		if (fr_sync_ask(x, NULL, &a->v.v[i], &s) != FR_SYNC_YES)
			closed += fr_sync_ask(x, r->mask, &a->v.v[i], &s) == FR_SYNC_YES;
		fr_schedule_free(&s);
	}
	fr_sync_free(x);
}

static void ask_all(struct cross_run *r, struct asked *a)
{
	if (r->how->only) {
		cross_again(r, a);
		return;
	}
	ask_races(r->m, a);
	ask_deadlocks(r->m, a);
	ask_frees(r->m, a);
	ask_sees(r->m, 4, &r->random, a);
	ask_others(r->m, 0, r->m->n, 3, &r->random, a);
}

static bool whole_agrees(struct cross_run *r)
{
	struct asked a = {0};
	bool good, *expected;

	ask_all(r, &a);
	count_closed(r, &a);
	expected = expect(r, 0, r->m->n, &a);
	good = cross_cheap(r, a.v.v, a.v.n, expected) && refuter_agrees(r, &a) &&
	       cross_solver(r, &fr_solver_order, 0, r->m->n, a.v.v, a.v.n, expected);
	if (good && r->how->z3)
		good = cross_solver(r, &fr_solver_z3, 0, r->m->n, a.v.v, a.v.n, expected);
	free(expected);
	ask_free(&a);
	return good;
}

static bool segment_agrees(struct cross_run *r)
{
	fr_ev cut = cross_boundary(r->m, (fr_ev)(fx_random(&r->random) % r->m->n));
	fr_ev end =
	    cross_boundary(r->m, cut + (fr_ev)(fx_random(&r->random) % (r->m->n - cut + 1)));
	struct asked a = {0};
	bool good, *expected;

	ask_others(r->m, cut, end, 6, &r->random, &a);
	ask_sees(r->m, 4, &r->random, &a);
	expected = expect(r, cut, end, &a);
	good = cross_solver(r, r->how->z3 ? &fr_solver_z3 : &fr_solver_order, cut, end, a.v.v,
			    a.v.n, expected);
	free(expected);
	ask_free(&a);
	return good;
}

/* ---- the oracle ---- */

/* Can the schedule be taken step by step, to the targets? */
static bool walks(const struct cross_run *r, const struct fr_mask *mask,
		  const struct fr_candidate *c, const struct fr_schedule *s)
{
	struct brute_walk *w = brute_walk_masked(r->m, mask, s->cut);
	bool good = w;

	for (size_t i = 0; i < s->step.n && good; i++)
		good = brute_walk_step(w, s->step.v[i]);
	for (uint32_t i = 0; i < c->npending && good; i++)
		good = brute_walk_next(w, r->m->ev[c->pending[i]].thread) == c->pending[i];
	good = good && brute_walk_sees(w, c);
	brute_walk_free(w);
	return good;
}

static uint32_t least(const struct cross_run *r, const struct fr_mask *mask, uint32_t relax,
		      const struct fr_candidate *c)
{
	struct brute *b = brute_masked(r->m, mask, c, relax, 0, r->m->n, STATES);
	uint32_t n = brute_least(b, c);

	brute_free(b);
	return n;
}

static const char *wrong(const struct cross_run *r, const struct fr_candidate *c,
			 const struct fr_mask *mask, const struct fr_decision *v)
{
	enum fr_tier tier = v->answer == FR_FEASIBLE ? v->tier : FR_TIER_COUNT;
	uint32_t n;

	if ((tier == FR_TIER_SYNC || tier == FR_TIER_PRECISE) != !least(r, NULL, 0, c))
		return "tiers in which all reads matter";
	if (tier <= FR_TIER_PRECISE)
		return walks(r, NULL, c, &v->schedule) ? NULL : "schedule";
	if (tier == FR_TIER_SLICED)
		return v->mask == mask && mask && walks(r, mask, c, &v->schedule) ? NULL : "sliced";
	n = least(r, mask, RELAX, c);
	if (tier == FR_TIER_COUNT)
		return n > RELAX ? NULL : n ? "relaxed not found" : "sliced not found";
	if (v->mask != mask || n != v->reads_relaxed ||
	    fr_checker_check_relaxed(r->check, mask, &v->schedule, c, v->relaxed, n, NULL) < 0 ||
	    fr_checker_check_relaxed(r->check, mask, &v->schedule, c, v->relaxed + 1, n - 1,
				     NULL) == 0)
		return "relaxed";
	return NULL;
}

struct masks {
	const struct fr_mask *next; /* that the oracle gets */
};

static const struct fr_mask *mask_of(void *ctx, const struct fr_candidate *c)
{
	(void)c;
	return ((struct masks *)ctx)->next;
}

/* Asks one oracle about all candidates, with another mask each time. */
static bool oracle_agrees(struct cross_run *r, const struct made *made)
{
	struct masks ctx = {0};
	const struct fr_oracle_opt opt = {.tier = FR_TIER_RELAXED,
					  .per_candidate = 100,
					  .relax = RELAX,
					  .check = true,
					  .solver = r->how->z3 ? &fr_solver_z3 : NULL,
					  .mask = mask_of,
					  .mask_ctx = &ctx};
	struct fr_oracle *o = fr_oracle_new(r->m, r->c, &opt);
	struct asked a = {0};
	bool good = true;

	ask_all(r, &a);
	for (size_t i = 0; i < a.v.n * MASKS && good; i++) {
		const struct fr_candidate *c = &a.v.v[i % a.v.n];
		struct fr_decision v;
		const char *why;

		ctx.next = (i + i / a.v.n) % MASKS ? &made[(i + i / a.v.n) % MASKS].mask : NULL;
		fr_oracle_ask(o, c, &v);
		by_tier[v.answer == FR_FEASIBLE ? v.tier : FR_TIER_COUNT]++;
		why = wrong(r, c, ctx.next, &v);
		good = !why || cross_complain(r, c, "the oracle is wrong:", why);
		r->how->n++;
		fr_decision_free(&v);
	}
	good = good && !fr_oracle_rejected(o);
	ask_free(&a);
	fr_oracle_free(o);
	return good;
}

/* ---- the checker ---- */

/* From a cut, takes steps of any threads as long as one is possible. */
static bool checker_agrees(struct cross_run *r)
{
	const struct fr_candidate nothing = {0};
	struct fr_schedule s = {.cut =
				    cross_boundary(r->m, (fr_ev)(fx_random(&r->random) % r->m->n))};
	struct brute_walk *w = brute_walk_masked(r->m, r->mask, s.cut);
	bool good = w;

	for (unsigned failed = 0; good && failed < 8;) {
		fr_ev e = brute_walk_next(w, (unsigned)(fx_random(&r->random) % r->m->nthreads));
		bool possible;

		if (e == FR_NO_EV) {
			failed++;
			continue;
		}
		possible = brute_walk_step(w, e);
		steps[possible]++;
		fr_vec_push(&s.step, e);
		if ((fr_checker_check_sliced(r->check, r->mask, &s, &nothing, NULL) == 0) !=
		    possible)
			good = cross_complain(r, &nothing, "the checker",
					      possible ? "rejects a possible schedule"
						       : "accepts an impossible one");
		failed = possible ? 0 : failed + 1;
		s.step.n -= !possible;
	}
	brute_walk_free(w);
	fr_vec_free(&s.step);
	return good;
}

/* ---- all of it ---- */

static bool all_agrees(struct cross_run *r)
{
	struct made made[MASKS];
	bool good = true;

	for (uint32_t i = 0; i < MASKS; i++)
		made[i] = make(r->m, r->how->seed, i);
	for (uint32_t i = 0; i < MASKS && good; i++) {
		r->mask = &made[i].mask;
		good = whole_agrees(r) && (r->how->only || segment_agrees(r)) && checker_agrees(r);
	}
	r->mask = NULL;
	good = good && oracle_agrees(r, made);
	for (uint32_t i = 0; i < MASKS; i++)
		drop(&made[i]);
	return good;
}

static void small_runs(void **state)
{
	static const struct cross_check check = {
	    .agrees = all_agrees, .failure = "the tier sliced and brute force disagree"};
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 6000);
	struct cross_how how = {.seconds = 1000};

	(void)state;
	cross_runs(&check, n, &how);
	print_message("%" PRIu64 " runs, %" PRIu64 " questions; to the oracle: ", n, how.n);
	for (unsigned i = FR_TIER_SYNC; i <= FR_TIER_RELAXED; i++)
		print_message("%s %" PRIu64 ", ", fr_tier_name[i], by_tier[i]);
	print_message("not feasible %" PRIu64 "\n%" PRIu64
		      " found by the closure under a mask; %" PRIu64 " steps, %" PRIu64
		      " not possible\n",
		      by_tier[FR_TIER_COUNT], closed, steps[1], steps[0]);
	assert_int_equal(how.undecided, 0);
	if (n < 100)
		return;
	for (unsigned i = FR_TIER_SYNC; i <= FR_TIER_RELAXED; i++)
		assert_true(by_tier[i] > n / 50);
	assert_true(closed > n / 10 && steps[0] > n && steps[1] > n);
}

/* ---- larger runs ---- */

/* The order solver gives every answer that Z3 finds in time. */
static bool solvers_agree(struct cross_run *r)
{
	struct made x = make(r->m, r->how->seed, 0);
	struct asked a = {0};
	bool good, *expected;

	r->mask = &x.mask;
	if (r->how->only) {
		cross_again(r, &a);
	} else {
		ask_near_races(r->m, 4, &r->random, &a);
		ask_sees(r->m, 3, &r->random, &a);
		ask_others(r->m, 0, r->m->n, 3, &r->random, &a);
	}
	good = cross_decided(r, &fr_solver_z3, false, &a, &expected) &&
	       cross_solver(r, &fr_solver_order, 0, r->m->n, a.v.v, a.v.n, expected) &&
	       cross_cheap(r, a.v.v, a.v.n, expected);
	free(expected);
	ask_free(&a);
	drop(&x);
	return good;
}

static uint32_t up_to_128(uint64_t seed)
{
	return 30 + (uint32_t)((seed - 1) * 7 % 98);
}

/* Runs of up to 128 events: in longer ones, the order solver also tries later cuts, at which more
   is known. */
static void larger_runs(void **state)
{
	static const struct cross_check check = {
	    .agrees = solvers_agree, .events = up_to_128, .failure = "the solvers disagree"};
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 6000) / 60;
	struct cross_how how = {.seconds = 2};

	(void)state;
	cross_runs(&check, n, &how);
	print_message("%" PRIu64 " runs, %" PRIu64 " candidates, %" PRIu64 " of them feasible\n", n,
		      how.n, how.yes);
	if (n >= 50)
		assert_true(how.yes > n && how.n - how.yes > n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(small_runs),
	    cmocka_unit_test(larger_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
