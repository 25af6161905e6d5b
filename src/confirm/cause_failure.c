/* The cause of a failing recorded run: see cause_failure.h. */
#include "confirm/cause_failure.h"
#include "base/assert.h"
#include "confirm/recorded_schedule.h"
#include <string.h>

/* ---- schedules ---- */

/* The event of the finding as a hook of the schedule. False: the model leaves it out. */
static bool hook_of(const struct fr_model *m, const struct fr_finding_event *e,
		    struct fr_schedule_file *s, struct fr_schedule_hook *ret)
{
	const struct fr_mthread *t = e->thread < m->nthreads ? &m->thread[e->thread] : NULL;
	uint32_t i = t ? fr_hooks_find((struct fr_hooks *)&t->hooks, 0, t->n, e->hook) : 0;

	for (; t && i < t->n && fr_hooks_get(&t->hooks, i) == e->hook; i++) {
		const struct fr_mev *v = &m->ev[t->ev[i]];

		if (v->op != e->access || !fr_model_kind(v) || v->flags & FR_F_SYNTH)
			continue;
		*ret = (struct fr_schedule_hook){.thread = fr_schedule_file_thread(s, t->path),
						 .hook = e->hook,
						 .kind = (uint8_t)fr_model_kind(v),
						 .site = v->site,
						 .role = e->role ? e->role : FR_ROLE_EVENT};
		return true;
	}
	return false;
}

/* Adds the events of one thread, or those of all others. False: one is unknown. */
static bool add_events(const struct fr_model *m, const struct fr_interleaving *w, uint32_t thread,
		       bool others, struct fr_schedule_file *s)
{
	FR_VEC_FOREACH (e, &w->event) {
		struct fr_schedule_hook h;

		if ((e->thread == thread) == others)
			continue;
		if (!hook_of(m, e, s, &h))
			return false;
		fr_vec_push(&s->event, h);
	}
	return true;
}

static void begin(const struct fr_schedule_file *of, struct fr_schedule_file *ret)
{
	fr_schedule_file_copy_head(of, ret);
	ret->meeting = FR_MEETING_IN_ORDER;
	ret->needs = FR_NEEDS_NO_HARM;
}

/* Makes a schedule in which the events of one thread come before the others, without turns. The
   caller clears *ret in either case. */
static bool serial(const struct fr_model *m, const struct fr_schedule_file *of,
		   const struct fr_interleaving *w, uint32_t thread, struct fr_schedule_file *ret)
{
	begin(of, ret);
	if (!add_events(m, w, thread, false, ret) || !add_events(m, w, thread, true, ret) ||
	    ret->event.n < 2)
		return false;
	fr_vec_push(&ret->target, ret->event.v[--ret->event.n]);
	return true;
}

/* Does a read come before its write, n - 2 and n - 1? */
static bool reads_early(const struct fr_interleaving *w)
{
	size_t n = w->event.n;

	return n >= 2 && n <= 3 && w->event.v[n - 2].role == FR_ROLE_READER &&
	       fr_role_too_late(w->event.v[n - 1].role) &&
	       w->event.v[n - 2].thread != w->event.v[n - 1].thread;
}

/* Does a read see a later write? In the recorded run it came before. */
static bool sees_later(const struct fr_interleaving *w)
{
	return w->event.n == 2 && w->event.v[0].role == FR_ROLE_WRITER &&
	       w->event.v[1].role == FR_ROLE_READER && w->event.v[0].thread != w->event.v[1].thread;
}

/* Makes the schedule of the recorded order of these two, without turns. */
static bool reversed(const struct fr_model *m, const struct fr_schedule_file *of,
		     const struct fr_interleaving *w, struct fr_schedule_file *ret)
{
	const struct fr_finding_event *now = &w->event.v[w->event.n - 2];
	struct fr_schedule_hook first, second;

	begin(of, ret);
	if (!hook_of(m, now + 1, ret, &first) || !hook_of(m, now, ret, &second))
		return false;
	first.role = reads_early(w) ? FR_ROLE_WRITER : FR_ROLE_FIRST;
	second.role = reads_early(w) ? FR_ROLE_READER : FR_ROLE_SECOND;
	fr_vec_push(&ret->event, first);
	fr_vec_push(&ret->target, second);
	return true;
}

/* Adds the turns of the recorded run up to the target. */
static int add_recorded(struct fr_prover *p, struct fr_schedule_file *s)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file all = {0};
	const struct fr_schedule_hook *target = &s->target.v[0];
	int r = fr_recorded_schedule(fr_prover_model(p, NULL), &all, NULL);

	if (r < 0)
		return r;
	FR_VEC_FOREACH (t, &all.turn) {
		uint32_t thread = fr_schedule_file_thread(s, all.thread.v[t->thread]);
		bool last = thread == target->thread && t->hook >= target->hook;

		fr_schedule_file_turn(s, thread, last ? target->hook - 1 : t->hook);
		if (last)
			break;
	}
	return 0;
}

/* ---- orders that avoid the failure by chance ---- */

/* Does the program end well in an order without turns, with the violation `s`? Then the violation
   is not why it fails, and an order without it that ends well shows nothing. */
static bool harmless(struct fr_prover *p, const struct fr_schedule_file *s,
		     const struct fr_execution_how *how)
{
	struct fr_proof loose = {.j = {.verdict = FR_VERDICT_REFUTED}};
	bool well;

	fr_prover_first(p, s, how, &loose);
	well = loose.j.well;
	fr_proof_clear(&loose);
	return well;
}

/* Most orders of two accesses are intended, so such a finding may be no violation at all. */
static bool may_be_intended(const struct fr_schedule_file *s)
{
	return s->needs == FR_NEEDS_FAILURE || s->needs == FR_NEEDS_BRANCH;
}

/* The same for the finding's order. */
static bool harmless_finding(struct fr_prover *p, const struct fr_schedule_file *s,
			     const struct fr_interleaving *w, const struct fr_execution_how *how)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file same = {0};

	if (!may_be_intended(s))
		return false;
	begin(s, &same);
	if (!add_events(fr_prover_model(p, NULL), w, UINT32_MAX, true, &same) || same.event.n < 2)
		return false;
	fr_vec_push(&same.target, same.event.v[--same.event.n]);
	return harmless(p, &same, how);
}

/* ---- the two cases ---- */

/* Does the program end well in an order without the violation? */
static void find_good(struct fr_prover *p, const struct fr_schedule_file *s,
		      const struct fr_interleaving *w, const struct fr_execution_how *how,
		      struct fr_proof *proof)
{
	const struct fr_model *m = fr_prover_model(p, NULL);
	uint32_t first = w->event.v[0].thread, last = w->event.v[w->event.n - 1].thread;
	/* The thread of the last event first: the nearest order. */
	uint32_t thread[] = {last, first == last ? UINT32_MAX : first};
	bool third = false;

	FR_VEC_FOREACH (e, &w->event)
		third |= e->thread != first && e->thread != last;
	for (unsigned i = 0; m && i < 2 && !proof->good; i++) {
		FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file other = {0};
		struct fr_proof good = {.j = {.verdict = FR_VERDICT_REFUTED}};
		bool all_first = thread[i] == first;

		if (i && w->event.n == 2)
			break; /* that is the order of the finding */
		if (i && thread[i] == UINT32_MAX) {
			FR_VEC_FOREACH (e, &w->event)
				thread[i] = e->thread != first ? e->thread : thread[i];
			all_first = false;
		}
		if (!serial(m, s, w, thread[i], &other))
			return;
		fr_prover_first(p, &other, how, &good);
		if (good.j.well && !harmless_finding(p, s, w, how))
			fr_prover_blame(p,
					w->event.n == 2 ? FR_GOOD_SWAPPED
					: all_first	? FR_GOOD_FIRST_FIRST
					: third		? FR_GOOD_LAST_FIRST
							: FR_GOOD_SECOND_FIRST,
					false, proof);
		fr_proof_clear(&good);
	}
}

/* Does the program end well in the other order than that of `bad`, without turns? If it does so
   only with the turns of the finding, it is not this order that counts; and forerun would not find
   it from the finding that fr_cause_reverse makes. */
static bool other_ends_well(struct fr_prover *p, const struct fr_schedule_file *bad,
			    const struct fr_execution_how *how)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file other = {0};
	struct fr_schedule_hook first = bad->target.v[0], second = bad->event.v[0];

	fr_assert(bad->event.n == 1 && bad->target.n == 1);
	begin(bad, &other);
	first.thread = fr_schedule_file_thread(&other, bad->thread.v[first.thread]);
	second.thread = fr_schedule_file_thread(&other, bad->thread.v[second.thread]);
	fr_vec_push(&other.event, first);
	fr_vec_push(&other.target, second);
	return harmless(p, &other, how);
}

/* Does the recorded order of the two accesses fail? */
static bool find_bad(struct fr_prover *p, const struct fr_schedule_file *s,
		     const struct fr_interleaving *w, const struct fr_execution_how *how,
		     struct fr_proof *proof)
{
	struct fr_schedule_file *bad = fr_xcalloc(1, sizeof(*bad));
	const struct fr_model *m = fr_prover_model(p, NULL);
	struct fr_proof failing = {0};

	if (m && reversed(m, s, w, bad) && other_ends_well(p, bad, how) &&
	    !(may_be_intended(s) && harmless(p, bad, how)) && add_recorded(p, bad) == 0 &&
	    fr_prover_exact(p, bad, bad, false, how, &failing, NULL) == 0 && failing.j.fails) {
		fr_proof_clear(proof);
		*proof = failing;
		proof->path = bad;
		fr_prover_blame(p, FR_GOOD_SWAPPED, false, proof);
		return true;
	}
	fr_proof_clear(&failing);
	fr_schedule_file_clear(bad);
	free(bad);
	return false;
}

/* Does the failure show a bug of this kind? A null dereference, a double free and a missed wake-up
   fail in one way only. Any order that happens to avoid another failure would seem to be its good
   order. */
static bool fails_so(enum fr_needs needs, const struct fr_judgement *j)
{
	return j->fails_so ||
	       (needs != FR_NEEDS_NULL && needs != FR_NEEDS_TWICE && needs != FR_NEEDS_HANG);
}

/* Can the recorded order be the violation, if the finding's order of two accesses ends well? That
   of a null dereference, a double free or a failing branch is no bug of that kind. A hang has its
   deadlock or its lost wakeup (cause_hang.h). */
static bool may_reverse(const struct fr_prover *p, const struct fr_schedule_file *s,
			const struct fr_interleaving *w)
{
	bool hangs = p->judge.failure == FR_HARM_HANG;

	if (s->needs == FR_NEEDS_NULL || s->needs == FR_NEEDS_TWICE ||
	    (s->needs == FR_NEEDS_HANG && !hangs))
		return false;
	return reads_early(w) || (sees_later(w) && s->needs == FR_NEEDS_FAILURE && !hangs);
}

bool fr_cause_find(struct fr_prover *p, const struct fr_schedule_file *s,
		   const struct fr_interleaving *w, const struct fr_execution_how *how,
		   struct fr_proof *proof)
{
	bool threads = false;

	FR_VEC_FOREACH (e, &w->event)
		threads |= e->thread != w->event.v[0].thread;
	if (!how->control || !threads || proof->good ||
	    (s->meeting != FR_MEETING_IN_ORDER && s->meeting != FR_MEETING_HANG) ||
	    !(proof->j.fails || proof->j.well) || !fr_prover_fails_again(p, how))
		return false;
	if (proof->j.fails) {
		if (fails_so(s->needs, &proof->j))
			find_good(p, s, w, how, proof);
		return false;
	}
	return may_reverse(p, s, w) && find_bad(p, s, w, how, proof);
}

void fr_cause_reverse(struct fr_interleaving *w)
{
	size_t n = w->event.n;
	bool early = reads_early(w);
	struct fr_finding_event first, second;

	fr_assert(early || sees_later(w));
	second = w->event.v[n - 2];
	first = w->event.v[n - 1];
	if (n == 3)
		fr_finding_event_free(&w->event.v[0]);
	w->event.n = 2;
	w->event.v[0] = first;
	w->event.v[1] = second;
	w->event.v[0].role = early ? FR_ROLE_WRITER : FR_ROLE_FIRST;
	w->event.v[1].role = early ? FR_ROLE_READER : FR_ROLE_SECOND;
	w->event.v[0].seen = w->event.v[1].seen = false;
	w->left_out += w->witness.n;
	FR_VEC_FOREACH (e, &w->witness)
		fr_finding_event_free(e);
	w->witness.n = 0;
	FR_VEC_FOREACH (e, &w->event) {
		struct fr_finding_event step = *e;

		memset(&step.stack, 0, sizeof(step.stack));
		memset(&step.lock, 0, sizeof(step.lock));
		fr_vec_push(&w->witness, step);
	}
}
