/*
 * Proofs on another path: see place.h. An execution by place only searches. What it finds counts if
 * an exact execution of its turns shows it again, so a finding can always be replayed.
 *
 * Executions: one by place, at most HOLDS more if threads come to their events too early, and one of
 *             the schedule that was found.
 */
#include "confirm/prove.h"
#include "base/assert.h"
#include "confirm/place.h"

#define HOLDS 4

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
		  struct fr_proof *ret)
{
	struct fr_proof proof = {0};

	if (fr_prover_exact(p, path, s, swapped, how, &proof, NULL) == 0 &&
	    proof.j.verdict == FR_VERDICT_CONFIRMED) {
		fr_proof_clear(ret);
		*ret = proof;
		ret->path = path;
		return;
	}
	fr_proof_clear(&proof);
	fr_schedule_file_clear(path);
	free(path);
}

/* Executes the schedule of a run that failed. */
static void prove_failure(struct fr_prover *p, struct fr_schedule_file *failing,
			  const struct fr_execution_how *how, struct fr_proof *ret)
{
	struct fr_proof proof = {0};

	if (fr_prover_exact(p, failing, failing, false, how, &proof, NULL) == 0 &&
	    proof.j.verdict == FR_VERDICT_CONFIRMED) {
		ret->failing = failing;
		ret->failure = proof.j;
		return;
	}
	fr_proof_clear(&proof);
	fr_schedule_file_clear(failing);
	free(failing);
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

void fr_prover_place(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		     const struct fr_execution_how *how, struct fr_proof *ret)
{
	const struct fr_model *m = fr_prover_model(p, NULL);
	struct fr_schedule_file *path;
	enum fr_place_result result;
	struct fr_execution seen;
	struct fr_place_plan plan;

	fr_assert(ret->j.verdict == FR_VERDICT_REFUTED);
	if (!m || !fr_place_plan(s, m, swapped, &plan))
		return;
	if (search(p, &plan, how, &seen)) {
		result = fr_place_result(&plan, &seen, &p->trace->run);
		if (result != FR_PLACE_NOTHING) {
			path = fr_xcalloc(1, sizeof(*path));
			fr_place_schedule(&plan, &seen, result, path);
			if (result == FR_PLACE_HARM)
				prove_failure(p, path, how, ret);
			else
				prove(p, s, path, swapped, how, ret);
		}
		if (ret->j.verdict == FR_VERDICT_REFUTED && ret->j.harm == FR_HARM_NONE)
			explain(p, &seen, ret);
		fr_execution_free(&seen);
	}
	fr_place_plan_free(&plan);
}
