/* The failure of the recorded run: see failure.h. */
#include "predict/failure.h"
#include "base/assert.h"
#include "base/io.h"
#include "findings/end_text.h"
#include "findings/explain_crash.h"
#include "findings/run_failure.h"
#include "symbols/symbol.h"
#include <inttypes.h>
#include <signal.h>
#include <string.h>

/* ---- the ends of the threads ---- */

/* Reads a thread to its end. Returns 1 if it had not ended, 0, or -errno. */
static int read_thread(const struct fr_trace *t, const struct fr_trace_thread *th,
		       struct fr_failure_thread *ret, struct fr_err *reterr)
{
	struct fr_iter it;
	struct fr_rec rec;
	int r;

	fr_iter_open(&it, t, th);
	while ((r = fr_iter_next(&it, &rec, reterr)) > 0) {
		unsigned kind = fr_event_kind(rec.e);

		fr_stack_feed(&ret->stack, &rec);
		if (fr_event_class(kind) != 'x' || kind == FR_EV_PENDING)
			ret->last = *rec.e;
	}
	fr_iter_close(&it);
	if (!fr_hook_stack_fits(t->sites, &ret->stack, ret->last.site))
		ret->stack.frame.n = 0;
	return r < 0 ? r : fr_event_kind(&ret->last) != FR_EV_THREAD_EXIT;
}

/* Puts the failing thread first. */
static void take(struct fr_failure *f, const struct fr_model *m, struct fr_failure_thread *x)
{
	uint32_t id = m->trace->run.crash.stack.id;

	fr_assert(x->thread < m->nthreads && f->thread.n <= FR_FAILURE_THREADS);
	if (f->thread.n == FR_FAILURE_THREADS) {
		f->left_out++;
		fr_stack_free(&x->stack);
		return;
	}
	fr_vec_push(&f->thread, *x);
	if (id && m->thread[x->thread].id == id) {
		f->thread.v[f->thread.n - 1] = f->thread.v[0];
		f->thread.v[0] = *x;
	}
}

int fr_failure_open(const struct fr_model *m, struct fr_failure *ret, struct fr_err *reterr)
{
	struct fr_failure f = {.harm = FR_HARM_NOT_KNOWN};

	if (m->trace && !m->trace->run.imported)
		f.harm = fr_run_failure(m->trace, &f.report);
	for (uint32_t i = 0; f.harm != FR_HARM_NOT_KNOWN && i < m->nthreads; i++) {
		const struct fr_trace_thread *th = fr_trace_thread(m->trace, m->thread[i].id);
		struct fr_failure_thread x = {.thread = i};
		int r = th ? read_thread(m->trace, th, &x, reterr) : 0;

		if (r > 0)
			take(&f, m, &x);
		else
			fr_stack_free(&x.stack);
		if (r < 0) {
			fr_failure_free(&f);
			return r;
		}
	}
	fr_failure_find_signals(&f, m);
	*ret = f;
	return 0;
}

void fr_failure_free(struct fr_failure *f)
{
	FR_VEC_FOREACH (x, &f->thread)
		fr_stack_free(&x->stack);
	fr_vec_free(&f->thread);
	fr_vec_free(&f->signal);
	free(f->report);
	*f = (struct fr_failure){.harm = FR_HARM_NOT_KNOWN};
}

/* ---- the finding ---- */

uint32_t fr_failure_held(const struct fr_describer *d, uint32_t thread, struct fr_held *held)
{
	return fr_min(fr_locks_held_at(d->c, thread, d->m->thread[thread].n, held, FR_TARGETS),
		      (uint32_t)FR_TARGETS);
}

void fr_failure_want(const struct fr_failure *f, struct fr_describer *d)
{
	struct fr_held held[FR_TARGETS];

	FR_VEC_FOREACH (x, &f->thread)
		for (uint32_t n = fr_failure_held(d, x->thread, held), k = 0; k < n; k++)
			fr_hook_stacks_want(d->stacks, d->m, held[k].acquire);
	FR_VEC_FOREACH (s, &f->signal)
		fr_hook_stacks_want(d->stacks, d->m, s->ev);
}

static const char *thread_path(const struct fr_describer *d, uint64_t id)
{
	const struct fr_trace_thread *t =
	    id <= UINT32_MAX ? fr_trace_thread(d->m->trace, (uint32_t)id) : NULL;

	return t ? t->path : "?";
}

/* Adds the position of the program counter, with the functions into which it was inlined. Returns
   whether it is in the innermost function that the thread is known to have entered. */
static bool add_pc(const struct fr_describer *d, struct fr_pcsites *pcs, const struct fr_crash *c,
		   struct fr_finding_event *e)
{
	struct fr_pcsite p = {.how = FR_PCSITE_NOTHING};
	uint32_t n = c->stack.n;

	if (c->pc)
		fr_pcsite_resolve(pcs, c->pc, &p);
	if (p.how == FR_PCSITE_SOURCE) {
		fr_vec_push(&e->stack, ((struct fr_position){fr_findings_str(d->f, p.file),
							     fr_findings_str(d->f, p.function),
							     p.line, p.column}));
		for (uint32_t i = 0; i < p.nframes; i++)
			fr_vec_push(&e->stack, ((struct fr_position){
						   fr_findings_str(d->f, p.frames[i].file),
						   fr_findings_str(d->f, p.frames[i].function),
						   p.frames[i].line, p.frames[i].column}));
	}
	return n &&
	       fr_explain_in_frame(&(struct fr_explainer){d->m->trace->sites, pcs}, &p, &c->stack);
}

/* Adds where the thread failed. In a library, the program's own last position stands for it. */
static void add_crash(const struct fr_describer *d, struct fr_pcsites *pcs,
		      const struct fr_crash *c, uint32_t last, struct fr_finding_event *e)
{
	uint32_t n = c->stack.n;
	size_t own = 0;

	if (!add_pc(d, pcs, c, e)) {
		own = e->stack.n;
		fr_describe_site(d, n && c->stack.call[n - 1] ? c->stack.call[n - 1] : last, e);
	}
	for (uint32_t i = n; i-- > 1;)
		fr_describe_site(d, c->stack.call[i - 1], e);
	e->at = fr_describe_own_position(e, own < e->stack.n ? own : 0);
}

/* The operation that a thread waits in; FR_OP_MARK: it does not wait in one. */
static enum fr_op waits_in(const struct fr_event *e)
{
	if (fr_event_kind(e) != FR_EV_PENDING)
		return FR_OP_MARK;
	switch (fr_event_aux(e)) {
	case FR_EV_THREAD_JOIN:
		return FR_OP_JOIN;
	case FR_EV_COND_WAIT:
	case FR_EV_FUTEX_WAIT:
		return FR_OP_WAIT;
	case FR_EV_SEM_WAIT:
		return FR_OP_SEM_WAIT;
	case FR_EV_BARRIER_ENTER:
	case FR_EV_BARRIER_LEAVE:
		return FR_OP_BARRIER_LEAVE;
	case FR_EV_ONCE_DONE:
		return FR_OP_ONCE_DONE;
	case FR_EV_RW_RDLOCK:
		return FR_OP_ACQUIRE_SHARED;
	default:
		return FR_OP_ACQUIRE;
	}
}

/* The name of the object that the thread waits for. */
static const char *awaited(const struct fr_describer *d, const struct fr_failure_thread *x)
{
	const struct fr_run *run = &d->m->trace->run;
	uint64_t addr = fr_event_addr(&x->last);
	uint32_t n = (uint32_t)x->stack.frame.n;
	FR_CLEANUP(fr_freep) uint32_t *site = fr_xcalloc(n + 1, sizeof(*site));
	FR_CLEANUP(fr_freep) char *name = NULL;
	uint32_t k = 0;

	if (fr_event_aux(&x->last) == FR_EV_THREAD_JOIN)
		return fr_findings_printf(d->f, "thread %s", thread_path(d, addr));
	site[k++] = x->last.site;
	for (uint32_t i = n; i-- > 1;)
		site[k++] = x->stack.frame.v[i - 1].call;
	name = fr_explain_object(d->m->trace->sites, run->modules.v, run->modules.n,
				 fr_event_aux(&x->last), addr, site, k);
	if (!name)
		name = fr_symbol_data(run->modules.v, run->modules.n, addr);
	return name ? fr_findings_str(d->f, name)
		    : fr_findings_printf(d->f, "the object at 0x%" PRIx64, addr);
}

struct fr_finding_event fr_failure_event(struct fr_describer *d, const struct fr_failure *f,
					 const struct fr_failure_thread *x, struct fr_pcsites *pcs)
{
	const struct fr_crash *c = &d->m->trace->run.crash;
	const struct fr_mthread *t = &d->m->thread[x->thread];
	bool fails = f->harm != FR_HARM_HANG && c->signal && t->id == c->stack.id;
	struct fr_finding_event e = {.thread = x->thread, .access = FR_OP_MARK, .name = ""};
	struct fr_held held[FR_TARGETS];

	fr_assert(x->thread < d->m->nthreads);
	e.path = fr_findings_str(d->f, t->path);
	e.role = fails ? FR_ROLE_FAILS : FR_ROLE_EVENT;
	e.hook = t->n ? fr_model_hook(d->m, t->ev[t->n - 1]) : 0;
	if (fails) {
		add_crash(d, pcs, c, x->last.site, &e);
	} else {
		e.access = waits_in(&x->last);
		if (e.access != FR_OP_MARK) {
			e.role = FR_ROLE_WAITS;
			e.name = awaited(d, x);
		}
		fr_describe_site(d, x->last.site, &e);
		for (uint32_t i = (uint32_t)x->stack.frame.n; i-- > 1;)
			fr_describe_site(d, x->stack.frame.v[i - 1].call, &e);
		e.at = fr_describe_own_position(&e, 0);
	}
	for (uint32_t n = fr_failure_held(d, x->thread, held), k = 0; k < n; k++)
		fr_vec_push(&e.lock, ((struct fr_finding_lock){
					 .name = fr_describe_name(d, held[k].acquire),
					 .shared = held[k].shared,
					 .at = fr_describe_position(d, held[k].acquire)}));
	return e;
}

void fr_failure_wait_text(const struct fr_finding_event *e, struct fr_buf *out)
{
	fr_assert(e->role == FR_ROLE_WAITS && e->name);
	fr_buf_printf(out, "%sthread %s waits for ", out->n ? "; " : "", e->path);
	if (e->access == FR_OP_JOIN)
		fr_buf_printf(out, "the end of %s", e->name);
	else
		fr_buf_printf(out, "%s`%s`", e->access == FR_OP_WAIT ? "a signal of " : "",
			      e->name);
	if (e->at.line)
		fr_buf_printf(out, " at %s:%" PRIu32 " in %s()", e->at.file, e->at.line,
			      e->at.function);
}

static void detail(const struct fr_failure *f, const struct fr_describer *d,
		   const struct fr_interleaving *w, struct fr_pcsites *pcs, struct fr_buf *out)
{
	const struct fr_run *r = &d->m->trace->run;

	if (f->report) {
		fr_buf_puts(out, f->report);
	} else if (f->harm == FR_HARM_CRASH) {
		fr_explain_crash(&(struct fr_explainer){d->m->trace->sites, pcs}, fr_run_crash(r),
				 &r->crash, thread_path(d, r->crash.stack.id), out);
	} else if (f->harm == FR_HARM_HANG) {
		FR_VEC_FOREACH (e, &w->event)
			if (e->role == FR_ROLE_WAITS)
				fr_failure_wait_text(e, out);
	} else if (r->signal) {
		fr_buf_printf(out, "signal %d (%s), but exit status %d was expected", r->signal,
			      strsignal(r->signal), r->expect_exit);
	} else {
		fr_buf_printf(out, "exit status %d, but %d was expected", r->exit, r->expect_exit);
	}
	if (f->left_out)
		fr_buf_printf(out, "; %" PRIu32 " more threads are not shown", f->left_out);
}

struct fr_finding *fr_failure_describe(const struct fr_failure *f, struct fr_describer *d)
{
	FR_CLEANUP(fr_pcsites_freep)
	struct fr_pcsites *pcs =
	    fr_pcsites_new(d->m->trace->run.modules.v, d->m->trace->run.modules.n);
	FR_CLEANUP(fr_buf_free) struct fr_buf text = {0};
	struct fr_interleaving w = {.verdict = FR_VERDICT_CONFIRMED, .harm = f->harm};
	struct fr_finding x = {.kind = FR_KIND_FAILURE,
			       .failure = true,
			       .subject = "",
			       .seen = 1,
			       .recorded = true,
			       .unscheduled = true,
			       .allocated = {.file = "", .function = ""}};

	fr_assert(f->harm != FR_HARM_NOT_KNOWN);
	FR_VEC_FOREACH (t, &f->thread)
		fr_vec_push(&w.event, fr_failure_event(d, f, t, pcs));
	detail(f, d, &w, pcs, &text);
	w.detail = fr_findings_str(d->f, text.s);
	fr_vec_push(&x.interleaving, w);
	fr_vec_push(&d->f->finding, x);
	return &d->f->finding.v[d->f->finding.n - 1];
}
