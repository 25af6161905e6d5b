/* Findings that count only with harm: see needs_harm.h. */
#include "confirm/needs_harm.h"
#include "base/assert.h"
#include "base/hash.h"
#include <signal.h>
#include <string.h>

#define NEAR_NULL (UINT64_C(1) << 20) /* nothing is mapped below */

/* ---- the harm that counts ---- */

/* Does the target read null, and the program then dereference null? */
static bool dereferences_null(const struct fr_execution *seen, enum fr_harm harm)
{
	const struct fr_control_file *c = seen->file.c;
	const struct fr_control_file_seen *read = &c->met[c->ntargets - 1];

	fr_assert(c->ntargets && c->ntargets <= FR_CONTROL_FILE_TARGETS);
	if (!read->id || read->value)
		return false;
	return harm == FR_HARM_SANITIZER ||
	       (harm == FR_HARM_CRASH && (int)c->crash.signal == seen->signal &&
		(seen->signal == SIGSEGV || seen->signal == SIGBUS) && !c->crash.sent &&
		c->crash.addr < NEAR_NULL);
}

/* Does the thread wait for a wake-up, and not for a lock? */
static bool waits_for_wakeup(const struct fr_control_file_waiter *w)
{
	return !w->polls && !w->holder &&
	       (w->seen.kind == FR_EV_COND_WAIT || w->seen.kind == FR_EV_SEM_WAIT ||
		w->seen.kind == FR_EV_FUTEX_WAIT || w->seen.kind == FR_EV_INPUT);
}

/* Does a thread wait for ever for a wake-up? */
static bool misses_wakeup(const struct fr_execution *seen)
{
	const struct fr_control_file *c = seen->file.c;

	for (uint32_t i = 0; c->phase == FR_PHASE_HANG && i < c->nwaiters; i++)
		if (waits_for_wakeup(&c->waiter[i]))
			return true;
	return false;
}

/* Does a thread wait for ever for a wake-up or at a barrier, and no thread for anything else but
   the end of another? */
static bool is_never_woken(const struct fr_execution *seen)
{
	const struct fr_control_file *c = seen->file.c;
	bool found = false;

	for (uint32_t i = 0; c->phase == FR_PHASE_HANG && i < c->nwaiters; i++) {
		const struct fr_control_file_waiter *w = &c->waiter[i];
		bool wakeup = waits_for_wakeup(w) || w->seen.kind == FR_EV_BARRIER_ENTER ||
			      w->seen.kind == FR_EV_BARRIER_LEAVE;

		if (w->polls || (!wakeup && w->seen.kind != FR_EV_THREAD_JOIN))
			return false;
		found |= wakeup;
	}
	return found;
}

/* Returns the site of the failing call that the thread of the target made because of the value that
   it read; 0: none. */
static uint32_t failed_at(const struct fr_sites *sites, const struct fr_execution *seen)
{
	const struct fr_control_file *c = seen->file.c;
	const struct fr_control_file_seen *read = &c->met[c->ntargets - 1];
	struct fr_site_branch b;

	fr_assert(c->ntargets && c->ntargets <= FR_CONTROL_FILE_TARGETS);
	for (uint32_t i = 0; fr_sites_branch(sites, read->site, i, &b); i++)
		for (uint32_t k = 0; k < c->nfailed; k++)
			if (c->failed[k].id == read->id && c->failed[k].site == b.fails)
				return b.fails;
	return 0;
}

static bool fails(enum fr_harm harm)
{
	return harm == FR_HARM_CRASH || harm == FR_HARM_ASSERT || harm == FR_HARM_SANITIZER ||
	       harm == FR_HARM_HANG;
}

static bool counts(enum fr_needs needs, const struct fr_sites *sites,
		   const struct fr_execution *seen, enum fr_harm harm)
{
	switch (needs) {
	case FR_NEEDS_FAILURE:
		return fails(harm);
	case FR_NEEDS_BRANCH:
		return fails(harm) || (harm == FR_HARM_EXIT && failed_at(sites, seen));
	case FR_NEEDS_NULL:
		return dereferences_null(seen, harm);
	case FR_NEEDS_TWICE:
		return seen->file.c->freed_twice &&
		       (harm == FR_HARM_CRASH || harm == FR_HARM_SANITIZER);
	case FR_NEEDS_HANG:
		return harm == FR_HARM_HANG && misses_wakeup(seen);
	default:
		return true;
	}
}

/* Another exit status is the harm: says which call it comes from. */
static void explain_exit(const struct fr_sites *sites, const struct fr_execution *seen,
			 struct fr_judgement *j)
{
	uint32_t site = failed_at(sites, seen);
	struct fr_site_info s = fr_sites_get(sites, site);
	char *was = j->detail;

	j->where = fr_judge_number(fr_hash_bytes(FR_HASH_START, &site, sizeof(site)));
	j->detail =
	    fr_xasprintf("%s; the thread calls %s at %s:%u in %s()", was ? was : "",
			 *s.name ? s.name : "a function that fails", s.file, s.line, s.function);
	free(was);
}

void fr_need_excuse(enum fr_needs needs, enum fr_harm failure, const struct fr_sites *sites,
		    const struct fr_execution *seen, struct fr_judgement *j)
{
	char *was = j->detail;

	j->fails_so = j->fails && counts(needs, sites, seen, failure);
	if (j->verdict != FR_VERDICT_CONFIRMED || !fr_harm_seen(j->harm))
		return;
	if (counts(needs, sites, seen, j->harm)) {
		j->never_woken = j->harm == FR_HARM_HANG && is_never_woken(seen);
		if (needs == FR_NEEDS_BRANCH && j->harm == FR_HARM_EXIT)
			explain_exit(sites, seen, j);
		return;
	}
	j->harm = FR_HARM_NONE;
	j->where = j->where_named = 0;
	j->detail = fr_xasprintf("%s; that is no harm of this kind of bug", was ? was : "");
	free(was);
}

/* ---- the name of a hang ---- */

/* The same as is_never_woken for the recorded run. */
static bool recorded_never_woken(const struct fr_finding *x)
{
	bool found = false;

	if (!fr_finding_recorded_failure(x) || x->interleaving.v[0].harm != FR_HARM_HANG)
		return false;
	FR_VEC_FOREACH (e, &x->interleaving.v[0].event) {
		bool wakeup = e->access == FR_OP_WAIT || e->access == FR_OP_SEM_WAIT ||
			      e->access == FR_OP_BARRIER_LEAVE;

		if (e->role != FR_ROLE_WAITS || (!wakeup && e->access != FR_OP_JOIN))
			return false;
		found |= wakeup;
	}
	return found;
}

void fr_need_name(struct fr_findings *f)
{
	bool recorded = false;

	FR_VEC_FOREACH (x, &f->finding)
		recorded |= recorded_never_woken(x);
	FR_VEC_FOREACH (x, &f->finding) {
		FR_VEC_FOREACH (w, &x->interleaving)
			w->never_woken |= w->good && recorded;
		fr_finding_name(x);
	}
}

/* ---- one bug, one report ---- */

static bool is_shown(const struct fr_finding *x)
{
	return x->interleaving.v[0].verdict == FR_VERDICT_CONFIRMED && !fr_finding_folded(x) &&
	       fr_harm_seen(x->interleaving.v[0].harm);
}

static bool same_position(const struct fr_position *a, const struct fr_position *b)
{
	return a->line && a->line == b->line && a->column == b->column && !strcmp(a->file, b->file);
}

/* Do the findings have an access in common, or memory? */
static bool meets(const struct fr_finding *a, const struct fr_finding *b)
{
	if (*a->subject && !strcmp(a->subject, b->subject))
		return true;
	FR_VEC_FOREACH (x, &a->interleaving.v[0].event)
		FR_VEC_FOREACH (y, &b->interleaving.v[0].event)
			if (same_position(&x->at, &y->at) && !strcmp(x->name, y->name))
				return true;
	return false;
}

/* Is it a deadlock? Each event of it waits. *ret_signals: they all wait for signals, not for
   locks. */
static bool is_deadlock(const struct fr_finding *x, bool *ret_signals)
{
	*ret_signals = true;
	FR_VEC_FOREACH (e, &x->interleaving.v[0].event) {
		if (e->role != FR_ROLE_WAITS)
			return false;
		*ret_signals &= e->access == FR_OP_WAIT;
	}
	return !x->needs;
}

/* Is it folded if another finding explains its failure? */
static bool may_be_explained(const struct fr_finding *x)
{
	bool signals;

	return x->needs || fr_finding_is_guess(x) || (is_deadlock(x, &signals) && signals) ||
	       (x->region && x->interleaving.v[0].harm == FR_HARM_HANG);
}

/* Is it a null dereference or a double free? Such a finding says itself why the program fails. */
static bool says_why(const struct fr_finding *x)
{
	return x->needs == FR_NEEDS_NULL || x->needs == FR_NEEDS_TWICE;
}

/* Is it a use after free? It says why the program fails better than an order of other accesses. */
static bool uses_freed(const struct fr_finding *x)
{
	FR_VEC_FOREACH (e, &x->interleaving.v[0].event)
		if (e->access == FR_OP_FREE)
			return !x->needs && !x->region;
	return false;
}

/* Is it a missed wake-up, predicted or of a recorded run that hung? */
static bool misses_signal(const struct fr_finding *x)
{
	bool signals;

	return x->needs == FR_NEEDS_HANG || (is_deadlock(x, &signals) && signals);
}

/* Does another thread's write get lost between a read and a write? */
static bool loses_update(const struct fr_finding *x)
{
	return x->region && x->shape == FR_SHAPE_RWW;
}

/* Do both end in one failure, or explain that of the recorded run? */
static bool same_failure(const struct fr_finding *a, const struct fr_finding *b)
{
	return (a->interleaving.v[0].good && b->interleaving.v[0].good) ||
	       fr_finding_harm_same(a, b);
}

/* Does `by` explain the failure of x? Of two with the same need, the first does. A deadlock with a
   lock explains any other hang at the same waits; otherwise a missed wake-up does. A thread that
   comes between accesses which belong together explains it, even if x is about other memory: the
   order of x lets it come there. A finding about the same memory, with a failure, explains every
   order of accesses to it that fails. No other kind explains a finding that says why; that finding
   explains others, except guesses about its own memory. A use after free explains every order of
   other accesses that fails in the same way. A missed wake-up does not explain a lost update: a
   thread that waits for a count in a loop misses no wake-up if the count is wrong. If both explain
   the recorded run, the lost update does. */
static bool explains(const struct fr_finding *by, const struct fr_finding *x)
{
	enum fr_harm harm = x->interleaving.v[0].harm;
	bool signals;

	if (by == x || !is_shown(by))
		return false;
	if ((x->needs == FR_NEEDS_FAILURE || x->needs == FR_NEEDS_BRANCH) &&
	    by->needs != x->needs && by->needs != FR_NEEDS_FAILURE && meets(by, x) &&
	    by->interleaving.v[0].harm >= fr_min(harm, FR_HARM_EXIT + 1))
		return true;
	/* A program may wait at one line of its own for several reasons. */
	if (!same_failure(by, x))
		return false;
	if (is_deadlock(by, &signals) && !signals)
		return true;
	if (by->needs == x->needs)
		return x->needs && by < x;
	if (misses_signal(x) && loses_update(by) && by->interleaving.v[0].good)
		return true;
	if (x->needs == FR_NEEDS_HANG || says_why(x))
		return false;
	if (uses_freed(by) && (x->needs == FR_NEEDS_FAILURE || x->needs == FR_NEEDS_BRANCH))
		return true;
	if (says_why(by))
		return x->needs || !meets(by, x);
	if (by->needs == FR_NEEDS_HANG)
		return !loses_update(x);
	return x->needs && (by->region || meets(by, x));
}

void fr_need_explain(struct fr_findings *f)
{
	FR_VEC_FOREACH (x, &f->finding) {
		bool asks = may_be_explained(x);

		x->explained_by = asks ? 0 : x->explained_by;
		FR_VEC_FOREACH (by, &f->finding)
			if (asks && is_shown(x) && explains(by, x))
				x->explained_by = by->id;
	}
}
