/*
 * Proofs on another path: see place_plan.h. An execution by place only searches. Its result counts
 * if an exact execution of its turns shows it again, so a finding can always be replayed.
 *
 * Executions: one by place for each plan, at most HOLDS more if threads come to their events too
 *             early, and one of the schedule that was found.
 */
#include "confirm/prove.h"
#include "base/assert.h"
#include "base/debug.h"
#include "confirm/forced_value.h"
#include "confirm/place_plan.h"

#define HOLDS 4

static const char *const placed_name[] = {
    [FR_PLACED_NOT] = "not over", [FR_PLACED_ALL] = "all",     [FR_PLACED_EARLY] = "early",
    [FR_PLACED_REGION] = "anew",  [FR_PLACED_STUCK] = "stuck", [FR_PLACED_BOUND] = "too long",
};

/* Executes the plan until no thread comes too early. True: *ret is an execution. */
static bool search(struct fr_prover *p, struct fr_place_plan *plan,
		   const struct fr_execution_how *how, struct fr_execution *ret)
{
	struct fr_execution_how plain = {.limit = how->limit, .stop = how->stop};
	bool last = false;

	for (unsigned i = 0; i <= HOLDS; i++) {
		struct fr_control_file_by_place by = fr_place_how(plan, last || i == HOLDS);
		struct fr_control_file_how file_how = {.swapped = plan->swapped, .by_place = &by};

		p->runs++;
		if (fr_prover_execute(p, &plan->s, &file_how, &plain, ret, NULL) < 0)
			return false;
		fr_debug(FR_DEBUG_CONFIRM, "by place, %u: %s, %u of %u events, thread %s",
			 plan->how, placed_name[ret->file.c->placed], ret->file.c->milestones_seen,
			 plan->nmilestones, fr_execution_thread_text(ret, ret->file.c->current));
		if (by.goes_on || ret->ended == FR_ENDED_STOP ||
		    ret->file.c->placed != FR_PLACED_EARLY)
			return true;
		last = !fr_place_hold(plan, ret);
		fr_execution_free(ret);
	}
	return false;
}

/* Executes the schedule that the search found. */
static void prove(struct fr_prover *p, const struct fr_schedule_file *s,
		  struct fr_schedule_file *path, bool swapped, const struct fr_execution_how *how,
		  bool *ret_kept, struct fr_proof *ret)
{
	struct fr_proof proof = {0};

	if (fr_prover_exact(p, path, s, swapped, how, &proof, NULL) == 0 &&
	    proof.j.verdict == FR_VERDICT_CONFIRMED) {
		fr_proof_clear(ret);
		*ret = proof;
		ret->path = path;
		return;
	}
	*ret_kept |= proof.kept;
	fr_proof_clear(&proof);
	fr_schedule_file_clear(path);
	free(path);
}

/* Executes the schedule of a run that failed, unless another one did. */
static void prove_failure(struct fr_prover *p, struct fr_schedule_file *failing,
			  const struct fr_execution_how *how, struct fr_proof *ret)
{
	struct fr_proof proof = {0};

	if (!ret->failing && fr_prover_exact(p, failing, failing, false, how, &proof, NULL) == 0 &&
	    proof.j.verdict == FR_VERDICT_CONFIRMED) {
		ret->failing = failing;
		ret->failure = proof.j;
		return;
	}
	fr_proof_clear(&proof);
	fr_schedule_file_clear(failing);
	free(failing);
}

/* Is it a failure that another execution has shown? */
static bool is_known(struct fr_prover *p, const struct fr_execution *seen,
		     const struct fr_execution_how *how)
{
	uint64_t where;

	pthread_mutex_lock(&p->lock);
	where = fr_judge_where(&p->judge, seen, how->limit);
	pthread_mutex_unlock(&p->lock);
	return where && fr_known_fails(&p->known, where);
}

/* Adds the read that sent the program elsewhere to the reason for the refutation. */
static void explain(struct fr_prover *p, const struct fr_execution *seen, struct fr_proof *ret)
{
	FR_CLEANUP(fr_freep) char *was = ret->j.detail;
	struct fr_control_file_read read;
	struct fr_buf b = {0};
	uint64_t recorded;

	if (!seen->attached || !fr_place_cause(seen, p->trace, &read, &recorded)) {
		was = NULL;
		return;
	}
	fr_explain_read(&p->judge, seen, &read, recorded, &b);
	fr_buf_printf(&b, "; then %s", was ? was : "");
	ret->j.detail = b.s;
	ret->j.end = 0;
}

/* The results of searches about the order of the events. */
struct shown {
	bool open; /* a search ended before it was clear that this order cannot happen */
	bool kept; /* it came to the events, but the run did not violate the property */
	bool
	    forced; /* the read that sent the program elsewhere must see that value in this order */
};

static void look(struct fr_prover *p, const struct fr_model *m, const struct fr_place_plan *plan,
		 const struct fr_execution *seen, struct shown *shown)
{
	uint32_t placed = seen->file.c->placed;
	struct fr_control_file_read read;
	uint64_t recorded;
	bool forced;

	shown->open |=
	    placed == FR_PLACED_EARLY || placed == FR_PLACED_REGION || placed == FR_PLACED_BOUND;
	if (!seen->attached || !fr_place_cause(seen, p->trace, &read, &recorded))
		return;
	forced = fr_forced_read(m, plan, seen->file.thread[read.thread], read.hook);
	shown->forced |= forced;
	shown->open |= !forced;
}

/* Follows one plan. True: nothing is left to try, and *ret has the result. */
static bool follow(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		   enum fr_by_place by, const struct fr_execution_how *how, struct shown *shown,
		   struct fr_proof *ret)
{
	const struct fr_model *m = fr_prover_model(p, NULL);
	enum fr_place_result result;
	struct fr_schedule_file *path;
	struct fr_execution seen;
	struct fr_place_plan plan;
	bool over = true;

	if (!m || !fr_place_plan(s, m, swapped, by, &plan))
		return true;
	if (search(p, &plan, how, &seen)) {
		result = fr_place_result(&plan, &seen, &p->trace->run);
		look(p, m, &plan, &seen, shown);
		/* The plans differ only after the first event. If all but the last event happen, it
		   may help to let others run. */
		over = !seen.file.c->milestones_seen || by == FR_BY_PLACE_FIRST ||
		       (by == FR_BY_PLACE_MILESTONES &&
			seen.file.c->milestones_seen + 1 < plan.nmilestones);
		if (result == FR_PLACE_HARM && is_known(p, &seen, how))
			result = FR_PLACE_NOTHING;
		if (result != FR_PLACE_NOTHING) {
			path = fr_xcalloc(1, sizeof(*path));
			fr_place_schedule(&plan, &seen, result, path);
			if (result == FR_PLACE_HARM)
				prove_failure(p, path, how, ret);
			else
				prove(p, s, path, swapped, how, &shown->kept, ret);
		}
		if (by == FR_BY_PLACE_TURNS && ret->j.verdict == FR_VERDICT_REFUTED &&
		    ret->j.harm == FR_HARM_NONE)
			explain(p, &seen, ret);
		over |= ret->j.verdict != FR_VERDICT_REFUTED || seen.ended == FR_ENDED_STOP;
		fr_execution_free(&seen);
	}
	fr_place_plan_free(&plan);
	return over;
}

void fr_proof_leave_open(struct fr_proof *p, const char *why)
{
	char *was = p->j.detail;

	if (p->j.verdict != FR_VERDICT_REFUTED || p->j.harm != FR_HARM_NONE)
		return;
	p->j.verdict = FR_VERDICT_UNKNOWN;
	p->j.end = 0;
	p->j.detail =
	    fr_xasprintf("the program took another path, and forerun %s: %s", why, was ? was : "");
	free(was);
}

void fr_prover_place(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		     const struct fr_execution_how *how, struct fr_proof *ret)
{
	const struct fr_model *m = fr_prover_model(p, NULL);
	bool repeats = m && fr_place_repeats(s, m);
	struct shown shown = {0};

	fr_assert(ret->j.verdict == FR_VERDICT_REFUTED);
	for (enum fr_by_place by = FR_BY_PLACE_TURNS; by < FR_BY_PLACE_FIRST; by++)
		if (follow(p, s, swapped, by, how, &shown, ret))
			break;
	/* An impossible order may be possible at another time. */
	if (!shown.open && repeats && ret->j.verdict == FR_VERDICT_REFUTED &&
	    ret->j.harm == FR_HARM_NONE)
		follow(p, s, swapped, FR_BY_PLACE_FIRST, how, &shown, ret);
	ret->clear =
	    shown.forced && !shown.open && !shown.kept && ret->j.verdict == FR_VERDICT_REFUTED;
	if (shown.kept)
		fr_proof_leave_open(
		    ret,
		    "found these events on it only where the run did not violate the property");
	else if (shown.open)
		fr_proof_leave_open(ret, "did not find a path to these accesses on it");
	else if (repeats)
		fr_proof_leave_open(
		    ret, "did not try all times at which the threads come to these accesses");
}

void fr_prover_first(struct fr_prover *p, const struct fr_schedule_file *s,
		     const struct fr_execution_how *how, struct fr_proof *ret)
{
	struct shown shown = {0};

	fr_assert(ret->j.verdict == FR_VERDICT_REFUTED && !s->turn.n);
	follow(p, s, false, FR_BY_PLACE_FIRST, how, &shown, ret);
}
