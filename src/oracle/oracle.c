/*
 * The oracle: asks the tiers in turn, cheapest first, about parts of the run that grow.
 *
 * 1. The refuter's quick tests. They are certain and hold for the whole run.
 * 2. The sync tier finds a schedule, or says nothing. Then come the refuter's other tests.
 * 3. The precise tier runs the solver on a segment around the targets (prune.c). If the solver
 *    finds a schedule, the candidate is feasible. If it finds none, that holds for the segment
 *    only, so a larger segment follows. The answer is FR_INFEASIBLE only if the segment was the
 *    whole run.
 * 4. The relaxed tier lets as few reads as possible return another value. It searches the segments
 *    that are short, and returns a schedule worth trying.
 * 5. The hybrid tier ignores data and returns a schedule worth trying. It is not asked if a quick
 *    test, which needs no data either, excludes the candidate. It never says infeasible: if it finds
 *    nothing, the earlier answer stands.
 *
 * Invariant:   each FR_FEASIBLE has a schedule that the checker accepted (opt.check); for the
 *              relaxed tier, with these reads different; for the hybrid tier, without regard to
 *              data. A rejected schedule is counted, and the next tier is asked.
 * Shared:      a solver stays open for all candidates whose segments it covers.
 * Not handled: the tier sliced. Asking for it means asking for precise.
 */
#include "oracle/oracle.h"
#include "base/assert.h"
#include "base/debug.h"
#include "oracle/check.h"
#include "oracle/hybrid.h"
#include "oracle/order_relax.h"
#include "oracle/prune.h"
#include "causality/refute.h"
#include "oracle/solve.h"
#include "oracle/sync_tier.h"
#include <time.h>

#define RELAX_LEVELS 2	    /* of the segments */
#define RELAX_LONGEST 8192u /* events of a segment */
#define RELAX_SECONDS 0.2   /* for one candidate, or less if it has less time */
#define RELAX_TOTAL 2.0	    /* for all candidates of one oracle: hybrid is worse, but cheap */
#define OPEN_MAX 4	    /* solvers kept open; the least recently used one is closed first */

struct fr_oracle {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_oracle_opt opt;
	struct fr_refuter *refuter;
	struct fr_sync_tier *sync;
	struct fr_hybrid *hybrid; /* made for the first question */
	bool lean;
	struct fr_relax *relax; /* of `relax_seg` */
	struct fr_range relax_seg;
	const fr_ev *fixed; /* argument of the next question to it: READs that must not differ */
	uint32_t nfixed;
	double relax_s;		    /* spent so far */
	struct fr_checker *checker; /* made for the first schedule */
	const struct fr_solver_ops *ops;
	struct opened {
		struct fr_solver *solver;
		struct fr_range seg;
		uint64_t used;
	} open[OPEN_MAX];
	uint64_t queries, rejected;
	struct fr_oracle_stats stats;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void fr_decision_free(struct fr_decision *v)
{
	fr_schedule_free(&v->schedule);
}

struct fr_oracle *fr_oracle_new(const struct fr_model *m, const struct fr_causality *c,
				const struct fr_oracle_opt *opt)
{
	struct fr_oracle *o = fr_xcalloc(1, sizeof(*o));

	o->m = m;
	o->c = c;
	o->opt = *opt;
	o->refuter = fr_refuter_new(m, c);
	o->sync = fr_sync_new(m, c);
	o->ops = opt->solver ? opt->solver : &fr_solver_order;
	return o;
}

void fr_oracle_free(struct fr_oracle *o)
{
	if (!o)
		return;
	for (unsigned i = 0; i < OPEN_MAX; i++)
		if (o->open[i].solver)
			o->ops->close(o->open[i].solver);
	fr_refuter_free(o->refuter);
	fr_sync_free(o->sync);
	fr_hybrid_free(o->hybrid);
	fr_relax_close(o->relax);
	fr_checker_free(o->checker);
	free(o);
}

uint64_t fr_oracle_rejected(const struct fr_oracle *o)
{
	return o->rejected;
}

void fr_oracle_stats_add(const struct fr_oracle *o, struct fr_oracle_stats *sum)
{
	const struct fr_oracle_stats *s = &o->stats;

	for (unsigned i = 0; i < FR_TIER_COUNT; i++) {
		sum->tier[i].asked += s->tier[i].asked;
		sum->tier[i].yes += s->tier[i].yes;
		sum->tier[i].seconds += s->tier[i].seconds;
	}
	sum->solver_calls += s->solver_calls;
	sum->segments += s->segments;
	sum->segment_sum += s->segment_sum;
	sum->segment_max = fr_max(sum->segment_max, s->segment_max);
	sum->enlarged += s->enlarged;
}

/* Notes that a tier was asked, from `begin` until now. */
static void note(struct fr_oracle *o, enum fr_tier tier, double begin, bool yes)
{
	o->stats.tier[tier].asked++;
	o->stats.tier[tier].yes += yes;
	o->stats.tier[tier].seconds += now() - begin;
}

/* A rejected schedule is a bug of the tier that made it. */
static void reject(struct fr_oracle *o, struct fr_schedule *s, const struct fr_err *why)
{
	o->rejected++;
	fr_debug(FR_DEBUG_ORACLE, "the checker rejects a schedule: %s", why->msg);
	fr_assert_slow(!o->rejected);
	fr_schedule_free(s);
}

static bool accepted(struct fr_oracle *o, const struct fr_candidate *what, struct fr_schedule *s)
{
	struct fr_err err;

	if (!o->opt.check)
		return true;
	if (!o->checker)
		o->checker = fr_checker_new(o->m);
	if (fr_checker_check(o->checker, s, what, &err) == 0)
		return true;
	reject(o, s, &err);
	return false;
}

/* Returns a solver that covers the segment and is not much larger: an open one if possible. */
static struct opened *solver_for(struct fr_oracle *o, const struct fr_range *seg)
{
	struct opened *oldest = &o->open[0];

	fr_assert(seg->cut <= seg->end && seg->end <= o->m->n);
	for (unsigned i = 0; i < OPEN_MAX; i++) {
		struct opened *p = &o->open[i];

		if (p->solver && fr_prune_serves(&p->seg, seg)) {
			p->used = o->queries;
			return p;
		}
		if (oldest->solver && (!p->solver || p->used < oldest->used))
			oldest = p;
	}
	if (oldest->solver)
		o->ops->close(oldest->solver);
	*oldest = (struct opened){.seg = *seg, .used = o->queries};
	oldest->solver = o->ops->open(o->m, seg->cut, seg->end);
	return oldest;
}

/* Chooses the next segment to search. */
static bool choose(const struct fr_oracle *o, const struct fr_candidate *what, unsigned level,
		   struct fr_range *ret)
{
	return o->opt.whole ? !level && fr_prune_whole(o->m, ret)
			    : fr_prune_choose(o->m, o->c, what, level, ret);
}

static void note_segment(struct fr_oracle_stats *s, const struct fr_range *seg, unsigned level)
{
	uint64_t n = seg->end - seg->cut;

	s->solver_calls++;
	s->enlarged += level == 1;
	if (level)
		return;
	s->segments++;
	s->segment_sum += n;
	s->segment_max = fr_max(s->segment_max, n);
}

/* Asks the precise tier. Sets either a final answer, or FR_UNKNOWN with its reason. */
static void search_segments(struct fr_oracle *o, const struct fr_candidate *what, double until,
			    struct fr_decision *ret)
{
	struct fr_range seg;

	ret->answer = FR_UNKNOWN;
	for (unsigned level = 0; choose(o, what, level, &seg); level++) {
		double begin = now(), left = until - begin;
		struct fr_schedule schedule = {0};
		const struct opened *p;
		enum fr_answer a;

		if (left <= 0) {
			ret->reason = FR_WHY_TIME;
			return;
		}
		p = solver_for(o, &seg);
		left = until - now();
		o->queries++;
		note_segment(&o->stats, &seg, level);
		a = left > 0 ? o->ops->ask(p->solver, what, left, &schedule) : FR_UNKNOWN;
		ret->solver_s += now() - begin;
		if (a == FR_UNKNOWN) {
			ret->reason = FR_WHY_TIME;
			return;
		}
		if (a == FR_FEASIBLE) {
			if (!accepted(o, what, &schedule)) {
				ret->reason = FR_WHY_REJECTED;
				return;
			}
			fr_assert(schedule.cut <= p->seg.end);
			ret->answer = FR_FEASIBLE;
			ret->tier = FR_TIER_PRECISE;
			ret->reason = FR_WHY_NONE;
			ret->schedule = schedule;
			return;
		}
		if (p->seg.cut == 0 && p->seg.end == o->m->n) {
			ret->answer = FR_INFEASIBLE;
			ret->tier = FR_TIER_PRECISE;
			ret->reason = FR_WHY_UNSAT;
			return;
		}
	}
	ret->reason = FR_WHY_SEGMENT;
}

static void ask_precise(struct fr_oracle *o, const struct fr_candidate *what,
			struct fr_decision *ret)
{
	double begin = now(), until = begin + o->opt.per_candidate;

	if (o->opt.deadline > 0)
		until = fr_min(until, o->opt.deadline);
	search_segments(o, what, until, ret);
	note(o, FR_TIER_PRECISE, begin, ret->answer == FR_FEASIBLE);
}

/* The refuter's answer, which it began to look for at `begin`. */
static bool infeasible(struct fr_oracle *o, enum fr_reason why, double begin,
		       struct fr_decision *ret)
{
	note(o, FR_TIER_NONE, begin, why != FR_WHY_NONE);
	if (why == FR_WHY_NONE)
		return false;
	ret->answer = FR_INFEASIBLE;
	ret->reason = why;
	return true;
}

/* Asks the tiers whose schedules respect data. True: the hybrid tier could add nothing. */
static bool ask_sound(struct fr_oracle *o, const struct fr_candidate *what, struct fr_decision *ret)
{
	double begin = now();
	enum fr_sync_answer a;

	if (infeasible(o, fr_refuter_quick(o->refuter, what), begin, ret) ||
	    o->opt.tier < FR_TIER_SYNC)
		return true;
	begin = now();
	a = fr_sync_ask(o->sync, what, &ret->schedule);
	note(o, FR_TIER_SYNC, begin, a == FR_SYNC_YES);
	if (a == FR_SYNC_YES && accepted(o, what, &ret->schedule)) {
		ret->answer = FR_FEASIBLE;
		ret->tier = FR_TIER_SYNC;
		ret->reason = FR_WHY_NONE;
		return true;
	}
	begin = now();
	if (infeasible(o, fr_refuter_required(o->refuter, what, false), begin, ret))
		return false;
	if (o->opt.tier < FR_TIER_PRECISE) {
		ret->reason = a == FR_SYNC_YES	  ? FR_WHY_REJECTED
			      : a == FR_SYNC_LONG ? FR_WHY_SEGMENT
						  : FR_WHY_TIER;
		return false;
	}
	begin = now();
	if (infeasible(o, fr_refuter_required(o->refuter, what, true), begin, ret))
		return false;
	ask_precise(o, what, ret);
	return ret->answer == FR_FEASIBLE;
}

void fr_oracle_set_tier(struct fr_oracle *o, enum fr_tier tier)
{
	o->opt.tier = tier;
}

static void guess_hybrid(struct fr_oracle *o, const struct fr_candidate *what,
			 struct fr_decision *ret)
{
	struct fr_schedule s = {0};
	enum fr_hybrid_answer a;
	struct fr_err err;
	uint32_t events, differ = 0;

	fr_assert(ret->answer != FR_FEASIBLE && !ret->schedule.step.n);
	if (!o->hybrid)
		o->hybrid = fr_hybrid_new(o->m, o->c);
	a = fr_hybrid_ask(o->hybrid, what, o->lean, &s, &events);
	if (a != FR_HYBRID_YES)
		return;
	if (!o->checker)
		o->checker = fr_checker_new(o->m);
	if (o->opt.check && fr_checker_check_blind(o->checker, &s, what, &differ, &err) < 0) {
		reject(o, &s, &err);
		return;
	}
	ret->answer = FR_FEASIBLE;
	ret->tier = FR_TIER_HYBRID;
	ret->reason = FR_WHY_NONE;
	ret->schedule = s;
	ret->reads_relaxed = differ;
}

static void ask_hybrid(struct fr_oracle *o, const struct fr_candidate *what,
		       struct fr_decision *ret)
{
	double begin = now();

	guess_hybrid(o, what, ret);
	note(o, FR_TIER_HYBRID, begin, ret->answer == FR_FEASIBLE);
}

void fr_oracle_ask_hybrid(struct fr_oracle *o, const struct fr_candidate *what, bool lean,
			  struct fr_decision *ret)
{
	*ret = (struct fr_decision){.answer = FR_UNKNOWN, .reason = FR_WHY_TIER};
	o->lean = lean;
	ask_hybrid(o, what, ret);
	o->lean = false;
}

static struct fr_relax *relax_for(struct fr_oracle *o, const struct fr_range *seg)
{
	if (!o->relax || o->relax_seg.cut != seg->cut || o->relax_seg.end != seg->end) {
		fr_relax_close(o->relax);
		o->relax = fr_relax_open(o->m, seg->cut, seg->end);
		o->relax_seg = *seg;
	}
	fr_relax_fix(o->relax, o->fixed, o->nfixed);
	return o->relax;
}

static bool accepted_relaxed(struct fr_oracle *o, const struct fr_candidate *what,
			     const fr_ev *read, uint32_t n, struct fr_schedule *s)
{
	struct fr_err err;

	if (!o->checker)
		o->checker = fr_checker_new(o->m);
	if (!o->opt.check || fr_checker_check_relaxed(o->checker, s, what, read, n, &err) == 0)
		return true;
	reject(o, s, &err);
	return false;
}

/* Asks the relaxed tier. A larger segment may need fewer reads that differ. */
static void ask_relaxed(struct fr_oracle *o, const struct fr_candidate *what,
			struct fr_decision *ret)
{
	double begin = now(), most = fr_min(RELAX_SECONDS, RELAX_TOTAL - o->relax_s);
	double until = begin + fr_min(o->opt.per_candidate, most);
	uint32_t max = fr_min(o->opt.relax, (uint32_t)FR_RELAX_MAX), n;
	struct fr_range seg;

	fr_assert(ret->answer != FR_FEASIBLE && !ret->schedule.step.n);
	if (o->opt.deadline > 0)
		until = fr_min(until, o->opt.deadline);
	for (unsigned level = 0;
	     level < RELAX_LEVELS && max && now() < until && choose(o, what, level, &seg);
	     level++) {
		struct fr_schedule s = {0};
		fr_ev read[FR_RELAX_MAX];
		struct fr_relax *r;
		enum fr_answer a;
		uint64_t calls;

		if (seg.end - seg.cut > RELAX_LONGEST)
			break;
		r = relax_for(o, &seg);
		calls = fr_relax_calls(r);
		a = fr_relax_ask(r, what, max, until - now(), read, &n, &s);
		o->stats.solver_calls += fr_relax_calls(r) - calls;
		if (a != FR_FEASIBLE || !accepted_relaxed(o, what, read, n, &s)) {
			fr_schedule_free(&s);
			continue;
		}
		fr_schedule_free(&ret->schedule);
		ret->answer = FR_FEASIBLE;
		ret->tier = FR_TIER_RELAXED;
		ret->reason = FR_WHY_NONE;
		ret->schedule = s;
		ret->reads_relaxed = n;
		for (uint32_t i = 0; i < n; i++)
			ret->relaxed[i] = read[i];
		if (n <= 1 || (!seg.cut && seg.end == o->m->n))
			break;
		max = n - 1;
	}
	o->relax_s += now() - begin;
	ret->solver_s += now() - begin;
	note(o, FR_TIER_RELAXED, begin, ret->answer == FR_FEASIBLE);
}

void fr_oracle_ask_relaxed(struct fr_oracle *o, const struct fr_candidate *what, const fr_ev *fixed,
			   uint32_t n, struct fr_decision *ret)
{
	*ret = (struct fr_decision){.answer = FR_UNKNOWN, .reason = FR_WHY_TIER};
	o->fixed = fixed;
	o->nfixed = n;
	ask_relaxed(o, what, ret);
	o->fixed = NULL;
	o->nfixed = 0;
}

static const char *const answer_name[] = {
    [FR_INFEASIBLE] = "infeasible", [FR_FEASIBLE] = "feasible", [FR_UNKNOWN] = "unknown"};

void fr_oracle_ask(struct fr_oracle *o, const struct fr_candidate *what, struct fr_decision *ret)
{
	*ret = (struct fr_decision){.answer = FR_UNKNOWN, .reason = FR_WHY_TIER};
	if (o->opt.deadline > 0 && now() >= o->opt.deadline) {
		ret->reason = FR_WHY_TOTAL;
		return;
	}
	if (!ask_sound(o, what, ret)) {
		if (o->opt.tier >= FR_TIER_RELAXED)
			ask_relaxed(o, what, ret);
		if (ret->answer != FR_FEASIBLE && o->opt.tier >= FR_TIER_HYBRID)
			ask_hybrid(o, what, ret);
	}
	fr_assert(ret->tier <= o->opt.tier);
	fr_assert(ret->answer != FR_FEASIBLE || ret->tier >= FR_TIER_SYNC);
	fr_assert((ret->answer == FR_FEASIBLE) == (ret->reason == FR_WHY_NONE));
	fr_assert(ret->answer == FR_FEASIBLE || !ret->schedule.step.n);
	fr_assert(!ret->reads_relaxed || ret->tier >= FR_TIER_RELAXED);
	fr_debug(FR_DEBUG_ORACLE,
		 "event %u and %u more, %u edges: %s by tier %s%s%s, solver %.3f s",
		 what->pending[0], what->npending - 1, what->nedges, answer_name[ret->answer],
		 fr_tier_name[ret->tier], *fr_reason_text[ret->reason] ? ": " : "",
		 fr_reason_text[ret->reason], ret->solver_s);
}
