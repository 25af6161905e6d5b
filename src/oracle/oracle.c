/*
 * The oracle: asks the tiers in turn, cheapest first, about parts of the run that grow.
 *
 * 1. The refuter's quick tests. They are certain and hold for the whole run.
 * 2. The sync tier finds a schedule, or says nothing. Then come the refuter's other tests.
 * 3. The precise tier runs the solver on a segment around the targets (prune.c). If the solver
 *    finds a schedule, the candidate is feasible. If it finds none, that holds for the segment
 *    only, so a larger segment follows. The answer is FR_INFEASIBLE only if the segment was the
 *    whole run.
 * 4. The sliced tier asks the same as 2 and 3 again, but lets the reads that do not matter to the
 *    candidate return anything. It is not asked if all of them matter.
 * 5. The relaxed tier lets as few reads that matter as possible return another value. It searches
 *    the segments that are short, and returns a schedule worth trying.
 * 6. The hybrid tier ignores data and returns a schedule worth trying. It is not asked if a quick
 *    test, which needs no data either, excludes the candidate. It never says infeasible: if it
 *    finds nothing, the earlier answer stands.
 *
 * Invariant:   each FR_FEASIBLE has a schedule that the checker accepted (opt.check); for the
 *              sliced tier, under the mask; for the relaxed tier, with these reads different; for
 *              the hybrid tier, without regard to data. A rejected schedule is counted, and the
 *              next tier is asked.
 * Shared:      a solver stays open for all candidates whose segments it covers, and whose masks say
 *              the same about its segment.
 * Not handled: under a mask, a later cut can be better than an earlier one, because everything
 *              before it has its recorded value. The sliced tier does not try all cuts.
 */
#include "oracle/oracle.h"
#include "base/assert.h"
#include "base/term.h"
#include "base/debug.h"
#include "oracle/check.h"
#include "oracle/hybrid.h"
#include "oracle/order_relax.h"
#include "oracle/prune.h"
#include "causality/refute.h"
#include "oracle/solve.h"
#include "oracle/sync_tier.h"

#define RELAX_LEVELS 2	    /* of the segments */
#define RELAX_LONGEST 8192u /* events of a segment */
#define RELAX_SECONDS 0.2   /* for one candidate, or less if it has less time */
#define RELAX_TOTAL 2.0	    /* for all candidates of one oracle: hybrid is worse, but cheap */
/* Solvers kept open, of the tiers precise and sliced together: one for each of four lengths of
   segments. The least recently used one is closed first. */
#define OPEN_MAX 8

_Static_assert(FR_TIER_NONE < FR_TIER_SYNC && FR_TIER_SYNC < FR_TIER_PRECISE &&
		   FR_TIER_PRECISE < FR_TIER_SLICED && FR_TIER_SLICED < FR_TIER_RELAXED &&
		   FR_TIER_RELAXED < FR_TIER_HYBRID,
	       "a later tier includes the earlier ones");

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
	const struct fr_mask *relax_mask;
	const fr_ev *fixed; /* argument of the next question to it: READs that must not differ */
	uint32_t nfixed;
	double relax_s;		    /* spent so far */
	struct fr_checker *checker; /* made for the first schedule */
	const struct fr_solver_ops *ops;
	struct opened {
		struct fr_solver *solver;
		struct fr_range seg;
		const struct fr_mask *mask;
		uint64_t used;
	} open[OPEN_MAX];
	uint64_t queries, rejected;
	struct fr_oracle_stats stats;
};

void fr_decision_free(struct fr_decision *v)
{
	fr_schedule_free(&v->schedule);
}

struct fr_oracle *fr_oracle_new(const struct fr_model *m, const struct fr_causality *c,
				const struct fr_oracle_opt *opt)
{
	struct fr_oracle *o = fr_xcalloc(1, sizeof(*o));

	fr_assert(opt->tier < FR_TIER_COUNT);
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
		fr_assert(s->tier[i].yes <= s->tier[i].asked);
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

static const struct fr_mask *mask_of(const struct fr_oracle *o, const struct fr_candidate *what)
{
	return o->opt.mask ? o->opt.mask(o->opt.mask_ctx, what) : NULL;
}

/* Notes that a tier was asked, from `begin` until now. */
static void note(struct fr_oracle *o, enum fr_tier tier, double begin, bool yes)
{
	o->stats.tier[tier].asked++;
	o->stats.tier[tier].yes += yes;
	o->stats.tier[tier].seconds += fr_now_s() - begin;
}

/* A rejected schedule is a bug of the tier that made it. */
static void reject(struct fr_oracle *o, struct fr_schedule *s, const struct fr_err *why)
{
	o->rejected++;
	fr_debug(FR_DEBUG_ORACLE, "the checker rejects a schedule: %s", why->msg);
	fr_assert_slow(!o->rejected);
	fr_schedule_free(s);
}

static bool accepted(struct fr_oracle *o, const struct fr_mask *mask,
		     const struct fr_candidate *what, struct fr_schedule *s)
{
	struct fr_err err;

	if (!o->opt.check)
		return true;
	if (!o->checker)
		o->checker = fr_checker_new(o->m);
	if (fr_checker_check_sliced(o->checker, mask, s, what, &err) == 0)
		return true;
	reject(o, s, &err);
	return false;
}

bool fr_oracle_accepts(struct fr_oracle *o, const struct fr_candidate *what, struct fr_schedule *s)
{
	fr_assert(o->opt.later);
	return accepted(o, NULL, what, s);
}

/* Returns a solver that covers the segment and is not much larger: an open one if possible. */
static struct opened *solver_for(struct fr_oracle *o, const struct fr_mask *mask,
				 const struct fr_range *seg)
{
	struct opened *oldest = &o->open[0];

	fr_assert(seg->cut <= seg->end && seg->end <= o->m->n);
	for (unsigned i = 0; i < OPEN_MAX; i++) {
		struct opened *p = &o->open[i];

		if (p->solver && fr_prune_serves(&p->seg, seg) &&
		    fr_mask_same(o->m, p->mask, mask, p->seg.cut, p->seg.end)) {
			p->used = o->queries;
			return p;
		}
		if (oldest->solver && (!p->solver || p->used < oldest->used))
			oldest = p;
	}
	if (oldest->solver)
		o->ops->close(oldest->solver);
	*oldest = (struct opened){.seg = *seg, .mask = mask, .used = o->queries};
	oldest->solver = o->ops->open(o->m, mask, seg->cut, seg->end);
	return oldest;
}

/* Chooses the next segment to search. */
static bool choose(const struct fr_oracle *o, const struct fr_candidate *what, unsigned level,
		   struct fr_range *ret)
{
	return o->opt.whole ? !level && fr_prune_whole(o->m, ret)
			    : fr_prune_choose(o->m, o->c, what, level, ret);
}

static void note_segment(struct fr_oracle_stats *s, const struct fr_range *seg, unsigned level,
			 const struct fr_mask *mask)
{
	uint64_t n = seg->end - seg->cut;

	s->solver_calls++;
	s->enlarged += level == 1 && !mask;
	if (level || mask)
		return;
	s->segments++;
	s->segment_sum += n;
	s->segment_max = fr_max(s->segment_max, n);
}

/* Asks a solver about one segment. *ret_whole: the solver's segment is the whole run. */
static enum fr_answer search_segment(struct fr_oracle *o, const struct fr_mask *mask,
				     const struct fr_candidate *what, const struct fr_range *seg,
				     double until, bool *ret_whole, struct fr_decision *ret)
{
	const struct opened *p = solver_for(o, mask, seg);
	double left = until - fr_now_s();
	enum fr_answer a;

	o->queries++;
	*ret_whole = p->seg.cut == 0 && p->seg.end == o->m->n;
	a = left > 0 ? o->ops->ask(p->solver, what, left, &ret->schedule) : FR_UNKNOWN;
	fr_assert(a != FR_FEASIBLE ||
		  (p->seg.cut <= ret->schedule.cut && ret->schedule.cut <= p->seg.end));
	ret->reason = a == FR_UNKNOWN ? FR_WHY_TIME : FR_WHY_UNSAT;
	if (a == FR_FEASIBLE && !accepted(o, mask, what, &ret->schedule)) {
		ret->reason = FR_WHY_REJECTED;
		a = FR_UNKNOWN;
	}
	return a;
}

/* Asks the precise tier, or under a mask the sliced tier. Sets either a final answer, or FR_UNKNOWN
   with its reason. */
static void search_segments(struct fr_oracle *o, const struct fr_mask *mask,
			    const struct fr_candidate *what, struct fr_decision *ret)
{
	double start = fr_now_s(), until = start + o->opt.per_candidate;
	struct fr_range seg, last = {o->m->n, 0};

	fr_assert(!ret->schedule.step.n);
	if (o->opt.deadline > 0)
		until = fr_min(until, o->opt.deadline);
	ret->answer = FR_UNKNOWN;
	ret->tier = FR_TIER_NONE;
	ret->reason = FR_WHY_SEGMENT;
	for (unsigned level = 0; choose(o, what, level, &seg); level++) {
		bool whole = seg.cut == 0 && seg.end == o->m->n;
		enum fr_answer a = FR_INFEASIBLE;

		fr_assert(seg.cut <= last.cut && seg.end >= last.end); /* it grows */
		last = seg;
		if (fr_now_s() >= until) {
			ret->reason = FR_WHY_TIME;
			break;
		}
		/* If everything matters in the segment, the precise tier has searched it. */
		if (!mask || !fr_mask_all(o->m, mask, seg.cut, seg.end)) {
			note_segment(&o->stats, &seg, level, mask);
			a = search_segment(o, mask, what, &seg, until, &whole, ret);
		}
		if (a == FR_INFEASIBLE && !whole) {
			ret->reason = FR_WHY_SEGMENT;
			continue;
		}
		ret->answer = a;
		if (a != FR_UNKNOWN)
			ret->tier = mask ? FR_TIER_SLICED : FR_TIER_PRECISE;
		if (a != FR_UNKNOWN)
			ret->reason = a == FR_FEASIBLE ? FR_WHY_NONE : FR_WHY_UNSAT;
		break;
	}
	ret->solver_s += fr_now_s() - start;
}

/* The refuter's answer, which it began to look for at `begin`. */
static bool infeasible(struct fr_oracle *o, enum fr_reason why, double begin,
		       struct fr_decision *ret)
{
	note(o, FR_TIER_NONE, begin, why != FR_WHY_NONE);
	if (why == FR_WHY_NONE)
		return false;
	fr_assert(!ret->schedule.step.n);
	ret->answer = FR_INFEASIBLE;
	ret->reason = why;
	return true;
}

/* Asks the tiers in which all reads matter. True: no other tier could add anything. */
static bool ask_strict(struct fr_oracle *o, const struct fr_candidate *what,
		       struct fr_decision *ret)
{
	double begin = fr_now_s();
	enum fr_sync_answer a;

	if (infeasible(o, fr_refuter_quick(o->refuter, what), begin, ret) ||
	    o->opt.tier < FR_TIER_SYNC)
		return true;
	begin = fr_now_s();
	a = fr_sync_ask(o->sync, NULL, what, &ret->schedule);
	note(o, FR_TIER_SYNC, begin, a == FR_SYNC_YES);
	if (a == FR_SYNC_YES && (o->opt.later || accepted(o, NULL, what, &ret->schedule))) {
		ret->answer = FR_FEASIBLE;
		ret->tier = FR_TIER_SYNC;
		ret->reason = FR_WHY_NONE;
		return true;
	}
	/* A proof of infeasibility costs more than the sync tier: it pays only before a search. */
	if (o->opt.tier < FR_TIER_PRECISE) {
		ret->reason = a == FR_SYNC_YES	  ? FR_WHY_REJECTED
			      : a == FR_SYNC_LONG ? FR_WHY_SEGMENT
						  : FR_WHY_TIER;
		return false;
	}
	for (unsigned far = 0; far < 2; far++) {
		begin = fr_now_s();
		if (infeasible(o, fr_refuter_required(o->refuter, NULL, what, far), begin, ret))
			return false;
	}
	begin = fr_now_s();
	search_segments(o, NULL, what, ret);
	note(o, FR_TIER_PRECISE, begin, ret->answer == FR_FEASIBLE);
	return ret->answer == FR_FEASIBLE;
}

/* Looks for a schedule under the mask. */
static void search_sliced(struct fr_oracle *o, const struct fr_mask *mask,
			  const struct fr_candidate *what, struct fr_decision *ret)
{
	if (fr_sync_ask(o->sync, mask, what, &ret->schedule) == FR_SYNC_YES &&
	    accepted(o, mask, what, &ret->schedule)) {
		ret->answer = FR_FEASIBLE;
		ret->tier = FR_TIER_SLICED;
		ret->reason = FR_WHY_NONE;
	} else if (fr_refuter_required(o->refuter, mask, what, false) != FR_WHY_NONE ||
		   fr_refuter_required(o->refuter, mask, what, true) != FR_WHY_NONE) {
		ret->answer = FR_INFEASIBLE;
	} else {
		search_segments(o, mask, what, ret);
	}
}

/* Asks the sliced tier. If it finds no schedule, the earlier answer stands, unless that is
   infeasible and this tier does not know. */
static void ask_sliced(struct fr_oracle *o, const struct fr_mask *mask,
		       const struct fr_candidate *what, struct fr_decision *ret)
{
	struct fr_decision v = {.mask = mask};
	double begin = fr_now_s();

	fr_assert(mask && ret->answer != FR_FEASIBLE && !ret->schedule.step.n);
	search_sliced(o, mask, what, &v);
	v.solver_s += ret->solver_s;
	fr_assert(v.answer == FR_FEASIBLE || !v.schedule.step.n);
	if (v.answer == FR_FEASIBLE || (v.answer == FR_UNKNOWN && ret->answer == FR_INFEASIBLE))
		*ret = v;
	ret->solver_s = v.solver_s;
	note(o, FR_TIER_SLICED, begin, v.answer == FR_FEASIBLE);
}

void fr_oracle_set_tier(struct fr_oracle *o, enum fr_tier tier)
{
	fr_assert(tier < FR_TIER_COUNT);
	o->opt.tier = tier;
}

void fr_oracle_set_relax(struct fr_oracle *o, uint32_t most)
{
	o->opt.relax = most;
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
	ret->mask = NULL; /* the sliced tier may have been asked first, and not known */
	ret->reason = FR_WHY_NONE;
	ret->schedule = s;
	ret->reads_relaxed = differ;
}

static void ask_hybrid(struct fr_oracle *o, const struct fr_candidate *what,
		       struct fr_decision *ret)
{
	double begin = fr_now_s();

	guess_hybrid(o, what, ret);
	note(o, FR_TIER_HYBRID, begin, ret->answer == FR_FEASIBLE);
}

void fr_oracle_ask_hybrid(struct fr_oracle *o, const struct fr_candidate *what, bool lean,
			  struct fr_decision *ret)
{
	fr_assert(!o->lean);
	fr_candidate_assert(o->m, what);
	*ret = (struct fr_decision){.answer = FR_UNKNOWN, .reason = FR_WHY_TIER};
	o->lean = lean;
	ask_hybrid(o, what, ret);
	o->lean = false;
}

static struct fr_relax *relax_for(struct fr_oracle *o, const struct fr_mask *mask,
				  const struct fr_range *seg)
{
	if (!o->relax || o->relax_seg.cut != seg->cut || o->relax_seg.end != seg->end ||
	    !fr_mask_same(o->m, o->relax_mask, mask, seg->cut, seg->end)) {
		fr_relax_close(o->relax);
		o->relax = fr_relax_open(o->m, mask, seg->cut, seg->end);
		o->relax_seg = *seg;
		o->relax_mask = mask;
	}
	fr_relax_fix(o->relax, o->fixed, o->nfixed);
	return o->relax;
}

static bool accepted_relaxed(struct fr_oracle *o, const struct fr_mask *mask,
			     const struct fr_candidate *what, const fr_ev *read, uint32_t n,
			     struct fr_schedule *s)
{
	struct fr_err err;

	if (!o->checker)
		o->checker = fr_checker_new(o->m);
	if (!o->opt.check ||
	    fr_checker_check_relaxed(o->checker, mask, s, what, read, n, &err) == 0)
		return true;
	reject(o, s, &err);
	return false;
}

/* Asks the relaxed tier. A larger segment may need fewer reads that differ. */
static void ask_relaxed(struct fr_oracle *o, const struct fr_mask *mask,
			const struct fr_candidate *what, struct fr_decision *ret)
{
	double begin = fr_now_s(), most = fr_min(RELAX_SECONDS, RELAX_TOTAL - o->relax_s);
	double until = begin + fr_min(o->opt.per_candidate, most);
	uint32_t max = fr_min(o->opt.relax, (uint32_t)FR_RELAX_MAX), n;
	struct fr_range seg;

	fr_assert(ret->answer != FR_FEASIBLE && !ret->schedule.step.n);
	if (o->opt.deadline > 0)
		until = fr_min(until, o->opt.deadline);
	for (unsigned level = 0;
	     level < RELAX_LEVELS && max && fr_now_s() < until && choose(o, what, level, &seg);
	     level++) {
		struct fr_schedule s = {0};
		fr_ev read[FR_RELAX_MAX];
		struct fr_relax *r;
		enum fr_answer a;
		uint64_t calls;

		if (seg.end - seg.cut > RELAX_LONGEST)
			break;
		r = relax_for(o, mask, &seg);
		calls = fr_relax_calls(r);
		a = fr_relax_ask(r, what, max, until - fr_now_s(), read, &n, &s);
		o->stats.solver_calls += fr_relax_calls(r) - calls;
		if (a != FR_FEASIBLE || !accepted_relaxed(o, mask, what, read, n, &s)) {
			fr_schedule_free(&s);
			continue;
		}
		fr_schedule_free(&ret->schedule);
		ret->answer = FR_FEASIBLE;
		ret->tier = FR_TIER_RELAXED;
		ret->mask = mask;
		ret->reason = FR_WHY_NONE;
		ret->schedule = s;
		ret->reads_relaxed = n;
		for (uint32_t i = 0; i < n; i++)
			ret->relaxed[i] = read[i];
		if (n <= 1 || (!seg.cut && seg.end == o->m->n))
			break;
		max = n - 1;
	}
	o->relax_s += fr_now_s() - begin;
	ret->solver_s += fr_now_s() - begin;
	note(o, FR_TIER_RELAXED, begin, ret->answer == FR_FEASIBLE);
}

void fr_oracle_ask_relaxed(struct fr_oracle *o, const struct fr_candidate *what, const fr_ev *fixed,
			   uint32_t n, struct fr_decision *ret)
{
	fr_assert(!o->fixed && !o->nfixed);
	for (uint32_t i = 0; i < n; i++)
		fr_assert(fixed[i] < o->m->n && o->m->ev[fixed[i]].op == FR_OP_READ);
	fr_candidate_assert(o->m, what);
	*ret = (struct fr_decision){.answer = FR_UNKNOWN, .reason = FR_WHY_TIER};
	o->fixed = fixed;
	o->nfixed = n;
	ask_relaxed(o, mask_of(o, what), what, ret);
	o->fixed = NULL;
	o->nfixed = 0;
}

void fr_oracle_take(struct fr_oracle *o, const struct fr_candidate *what,
		    const struct fr_mask *mask, const struct fr_schedule *s,
		    struct fr_decision *ret)
{
	struct fr_schedule copy = {.cut = s->cut};

	fr_candidate_assert(o->m, what);
	FR_VEC_FOREACH (e, &s->step)
		fr_vec_push(&copy.step, *e);
	*ret = (struct fr_decision){.answer = FR_UNKNOWN, .reason = FR_WHY_REJECTED};
	if (!accepted(o, mask, what, &copy))
		return;
	*ret = (struct fr_decision){.answer = FR_FEASIBLE,
				    .tier = mask ? FR_TIER_SLICED : FR_TIER_PRECISE,
				    .mask = mask,
				    .schedule = copy};
}

bool fr_oracle_completes(struct fr_oracle *o, const struct fr_candidate *what,
			 const struct fr_decision *v)
{
	fr_assert(v->answer == FR_FEASIBLE);
	if (v->tier > FR_TIER_SLICED)
		return false;
	if (!o->checker)
		o->checker = fr_checker_new(o->m);
	return fr_checker_completes(o->checker, v->mask, &v->schedule, what);
}

static const char *const answer_name[] = {
    [FR_INFEASIBLE] = "infeasible", [FR_FEASIBLE] = "feasible", [FR_UNKNOWN] = "unknown"};

void fr_oracle_ask(struct fr_oracle *o, const struct fr_candidate *what, struct fr_decision *ret)
{
	fr_candidate_assert(o->m, what);
	*ret = (struct fr_decision){.answer = FR_UNKNOWN, .reason = FR_WHY_TIER};
	if (o->opt.deadline > 0 && fr_now_s() >= o->opt.deadline) {
		ret->reason = FR_WHY_TOTAL;
		return;
	}
	if (!ask_strict(o, what, ret)) {
		const struct fr_mask *mask =
		    o->opt.tier >= FR_TIER_SLICED ? mask_of(o, what) : NULL;

		if (mask)
			ask_sliced(o, mask, what, ret);
		if (ret->answer != FR_FEASIBLE && o->opt.tier >= FR_TIER_RELAXED)
			ask_relaxed(o, mask, what, ret);
		if (ret->answer != FR_FEASIBLE && o->opt.tier >= FR_TIER_HYBRID)
			ask_hybrid(o, what, ret);
	}
	fr_assert(ret->tier <= o->opt.tier);
	fr_assert(ret->answer != FR_FEASIBLE || ret->tier >= FR_TIER_SYNC);
	fr_assert((ret->answer == FR_FEASIBLE) == (ret->reason == FR_WHY_NONE));
	fr_assert(ret->answer == FR_FEASIBLE || !ret->schedule.step.n);
	fr_assert(!ret->reads_relaxed || ret->tier >= FR_TIER_RELAXED);
	fr_assert(ret->tier != FR_TIER_RELAXED || ret->reads_relaxed <= FR_RELAX_MAX);
	fr_assert(!ret->mask || ret->answer != FR_FEASIBLE || ret->tier == FR_TIER_SLICED ||
		  ret->tier == FR_TIER_RELAXED);
	for (uint32_t i = 0; ret->answer == FR_FEASIBLE && i < what->npending; i++)
		fr_assert(ret->schedule.cut <= what->pending[i]);
	fr_debug(FR_DEBUG_ORACLE,
		 "event %u and %u more, %u edges: %s by tier %s%s%s, solver %.3f s",
		 what->pending[0], what->npending - 1, what->nedges, answer_name[ret->answer],
		 fr_tier_name[ret->tier], *fr_reason_text[ret->reason] ? ": " : "",
		 fr_reason_text[ret->reason], ret->solver_s);
}
