/* The verdict of a property's automaton: see judge_property.h. */
#include "confirm/prove.h"
#include "base/assert.h"

/* Did the program come to the end of its run, by itself or at a hang? */
static bool is_over(const struct fr_execution *seen)
{
	return (seen->ended == FR_ENDED_ITSELF && !seen->signal) ||
	       (seen->ended == FR_ENDED_PHASE && seen->file.c->phase == FR_PHASE_HANG);
}

bool fr_prover_watches(const struct fr_prover *p, const struct fr_schedule_file *s)
{
	return p->watch.has && !fr_meeting_blocks(s->meeting) &&
	       fr_meeting_has_targets(s->meeting) && p->watch.has(p->watch.arg, s->kind);
}

void fr_prover_watch(struct fr_prover *p, const struct fr_schedule_file *s,
		     const struct fr_execution *seen, const struct fr_event_folder *f,
		     struct fr_proof *proof)
{
	char *was = proof->j.detail;

	if (!f->dir || proof->j.verdict != FR_VERDICT_CONFIRMED ||
	    !fr_event_folder_complete(f, &p->trace->run, p->dir, seen) ||
	    p->watch.ask(p->watch.arg, s, f->dir, is_over(seen)) != FR_PROPERTY_KEPT)
		return;
	proof->kept = true;
	proof->j.verdict = FR_VERDICT_UNKNOWN;
	proof->j.harm = FR_HARM_NONE;
	proof->j.fails = proof->j.well = proof->j.fails_so = false;
	proof->j.where = proof->j.where_named = 0;
	proof->j.end = 0;
	proof->j.detail = fr_xasprintf(
	    "the events happened in this order, but together with the other events of the "
	    "property the run did not violate it%s%s",
	    was ? "; " : "", was ? was : "");
	free(was);
}
