/* The good order of a run that hung: see cause_hang.h. */
#include "confirm/cause_hang.h"
#include "base/assert.h"
#include <string.h>

/* The wait that a thread never returned from. */
struct pending {
	uint32_t thread; /* of the model */
	uint64_t hook, addr;
	uint32_t site;
	uint8_t kind; /* 0: the thread does not wait */
};

static struct pending pending_of(const struct fr_model *m, uint32_t thread)
{
	const struct fr_trace_thread *t = fr_trace_thread(m->trace, m->thread[thread].id);
	struct pending r = {.thread = thread};
	struct fr_iter it;
	struct fr_rec rec;

	if (!t)
		return r;
	fr_iter_open(&it, m->trace, t);
	while (fr_iter_next(&it, &rec, NULL) > 0)
		if (fr_event_kind(rec.e) == FR_EV_PENDING)
			r = (struct pending){.thread = thread,
					     .hook = rec.hook + 1,
					     .addr = fr_event_addr(rec.e),
					     .site = rec.e->site,
					     .kind = (uint8_t)fr_event_aux(rec.e)};
	fr_iter_close(&it);
	return r;
}

/* ---- events of the model ---- */

static uint64_t address(const struct fr_model *m, const struct fr_mev *v)
{
	return m->cls[fr_op_class[v->op]].obj[v->obj].addr;
}

/* Returns the last event of the thread, before this position, that takes the object at an address;
   FR_NO_EV: there is none. */
static fr_ev taken_before(const struct fr_model *m, const struct fr_mthread *t, uint32_t before,
			  uint64_t addr)
{
	while (before--) {
		const struct fr_mev *v = &m->ev[t->ev[before]];

		if ((v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_SHARED ||
		     v->op == FR_OP_SEM_WAIT) &&
		    (!addr || address(m, v) == addr))
			return t->ev[before];
	}
	return FR_NO_EV;
}

/* Returns the position of the last event of the thread with this operation, UINT32_MAX: there is
   none. */
static uint32_t last_of(const struct fr_model *m, const struct fr_mthread *t, enum fr_op op)
{
	for (uint32_t i = t->n; i--;)
		if (m->ev[t->ev[i]].op == op)
			return i;
	return UINT32_MAX;
}

/* ---- orders ---- */

static struct fr_schedule_hook hook_of(const struct fr_model *m, fr_ev e,
				       struct fr_schedule_file *s)
{
	const struct fr_mev *v = &m->ev[e];

	return (struct fr_schedule_hook){.thread =
					     fr_schedule_file_thread(s, m->thread[v->thread].path),
					 .hook = fr_model_hook(m, e),
					 .kind = (uint8_t)fr_model_kind(v),
					 .site = v->site,
					 .role = FR_ROLE_EVENT};
}

/* Does the program end well if the first hook comes before the second? */
static bool ends_well(struct fr_prover *p, struct fr_schedule_file *s,
		      struct fr_schedule_hook first, struct fr_schedule_hook second,
		      const struct fr_execution_how *how)
{
	struct fr_proof good = {.j = {.verdict = FR_VERDICT_REFUTED}};
	bool well;

	fr_assert(first.thread != second.thread);
	s->needs = FR_NEEDS_NO_HARM;
	fr_vec_push(&s->event, first);
	fr_vec_push(&s->target, second);
	fr_prover_first(p, s, how, &good);
	well = good.j.well;
	fr_proof_clear(&good);
	return well;
}

/* Does the program end well if one thread gets its object before another one takes it? */
static bool gets_it_first(struct fr_prover *p, const char *kind, const struct pending *x,
			  uint32_t other, const struct fr_execution_how *how)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
	const struct fr_model *m = p->model;
	const struct fr_mthread *t = &m->thread[other];
	fr_ev took = taken_before(m, t, t->n, x->addr);

	if (!x->kind || took == FR_NO_EV || !x->addr)
		return false;
	fr_schedule_file_begin(&s, m, kind, FR_MEETING_IN_ORDER);
	return ends_well(p, &s,
			 (struct fr_schedule_hook){
			     .thread = fr_schedule_file_thread(&s, m->thread[x->thread].path),
			     .hook = x->hook,
			     .kind = x->kind,
			     .site = x->site,
			     .role = FR_ROLE_EVENT},
			 hook_of(m, took, &s), how);
}

static void find_for_deadlock(struct fr_prover *p, struct fr_findings *f, const char *kind,
			      struct fr_interleaving *w, const struct fr_execution_how *how)
{
	size_t n = w->event.n;

	for (unsigned i = 0; i < 2 && n > 1 && !w->good; i++) {
		/* each waits for the next */
		const struct fr_finding_event *a = &w->event.v[i ? n - 1 : 0];
		const struct fr_finding_event *b = &w->event.v[i ? 0 : 1];
		struct pending x = pending_of(p->model, a->thread);

		if (gets_it_first(p, kind, &x, b->thread, how))
			w->good = i ? FR_GOOD_SECOND_FIRST : FR_GOOD_FIRST_FIRST;
	}
	if (w->good && w->detail)
		w->detail = fr_findings_printf(
		    f, "%s; if one thread takes all first, the program ends well", w->detail);
	else if (w->good)
		w->detail = "if one thread takes all first, the program ends well";
}

/* Returns the event of the signal. */
static fr_ev signal_of(const struct fr_model *m, const struct fr_finding_event *e)
{
	const struct fr_mthread *t = &m->thread[e->thread];

	for (uint32_t i = 0; i < t->n; i++)
		if (m->ev[t->ev[i]].op == e->access && fr_model_hook(m, t->ev[i]) == e->hook)
			return t->ev[i];
	return FR_NO_EV;
}

/* Does the program end well in the other order of a signal and a wait? */
static bool other_order(struct fr_prover *p, const char *kind, const struct fr_finding_event *wait,
			const struct fr_finding_event *signal, bool early,
			const struct fr_execution_how *how)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
	const struct fr_model *m = p->model;
	const struct fr_mthread *t = &m->thread[wait->thread];
	uint32_t begin = last_of(m, t, FR_OP_WAIT_BEGIN);
	fr_ev sent = signal_of(m, signal), from;

	if (begin == UINT32_MAX || sent == FR_NO_EV)
		return false;
	fr_schedule_file_begin(&s, m, kind, FR_MEETING_IN_ORDER);
	if (early)
		return ends_well(p, &s, hook_of(m, fr_head(m, t->ev[begin]), &s),
				 hook_of(m, sent, &s), how);
	from = taken_before(m, t, begin, 0);
	return from != FR_NO_EV &&
	       ends_well(p, &s, hook_of(m, sent, &s), hook_of(m, from, &s), how);
}

/* Does another finding explain the hang? */
static bool is_explained(const struct fr_findings *f)
{
	FR_VEC_FOREACH (x, &f->finding)
		if (x->interleaving.v[0].good)
			return true;
	return false;
}

static void find_for_wakeup(struct fr_prover *p, const struct fr_findings *f, const char *kind,
			    struct fr_interleaving *w, const struct fr_execution_how *how)
{
	bool early = w->event.v[0].role == FR_ROLE_SIGNALS;
	const struct fr_finding_event *signal = &w->event.v[!early], *wait = &w->event.v[early];

	fr_assert(w->event.n == 2 && wait->role == FR_ROLE_WAITS);
	if (is_explained(f)) {
		w->detail = "not tried: another finding explains the hang";
	} else if (other_order(p, kind, wait, signal, early, how)) {
		w->verdict = FR_VERDICT_CONFIRMED;
		w->harm = FR_HARM_HANG;
		w->good = FR_GOOD_SWAPPED;
		w->detail = "in the other order of the two, the program ends well";
	} else {
		w->verdict = FR_VERDICT_UNKNOWN;
		w->detail = "forerun found no other order of the two that ends well";
	}
}

/* Is it a bug that the hanging run shows? only: its number, 0: any. */
static bool is_work(const struct fr_finding *x, uint32_t only)
{
	return x->recorded && !fr_finding_recorded_failure(x) && (!only || x->id == only);
}

static bool has_work(const struct fr_findings *f, uint32_t only)
{
	FR_VEC_FOREACH (x, &f->finding)
		if (is_work(x, only))
			return true;
	return false;
}

void fr_cause_hang(struct fr_prover *p, struct fr_findings *f, uint32_t only,
		   const struct fr_execution_how *how)
{
	if (p->judge.failure != FR_HARM_HANG || !has_work(f, only) || !fr_prover_model(p, NULL) ||
	    !p->model->trace || !fr_prover_fails_again(p, how))
		return;
	FR_VEC_FOREACH (x, &f->finding) {
		if (!is_work(x, only))
			continue;
		FR_VEC_FOREACH (w, &x->interleaving) {
			bool tries = w->event.n && !w->good && !(how->stop && *how->stop);

			if (tries && w->verdict == FR_VERDICT_CONFIRMED)
				find_for_deadlock(p, f, x->kind, w, how);
			else if (tries)
				find_for_wakeup(p, f, x->kind, w, how);
			if (w->good)
				break;
		}
	}
}
