/*
 * The bugs that a hanging recorded run shows at its end, and that no generator finds, because a
 * wait that never returned is no event of the model: see failure.h.
 */
#include "predict/failure.h"
#include <string.h>

#define SIGNALS_MAX 4 /* signals of a condition variable that may have been lost */

/* ---- deadlocks ---- */

static bool holds(const struct fr_describer *d, uint32_t thread, uint32_t lock)
{
	struct fr_held held[FR_TARGETS];

	for (uint32_t n = fr_failure_held(d, thread, held), k = 0; k < n; k++)
		if (held[k].lock == lock)
			return true;
	return false;
}

/* Does the thread have units of the semaphore: has it taken more than it has posted? */
static bool has_units(const struct fr_describer *d, uint32_t thread, uint64_t sem)
{
	const struct fr_mthread *t = &d->m->thread[thread];
	int64_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct fr_mev *v = &d->m->ev[t->ev[i]];

		if (fr_op_class[v->op] == FR_C_SEM && d->m->cls[FR_C_SEM].obj[v->obj].addr == sem)
			n += (v->op == FR_OP_SEM_WAIT) - (v->op == FR_OP_SEM_POST);
	}
	return n > 0;
}

/* Does a reader wait behind this writer? */
static bool is_behind(const struct fr_describer *d, const struct fr_failure_thread *x,
		      const struct fr_failure_thread *writer)
{
	const struct fr_mclass *k = &d->m->cls[FR_C_LOCK];
	uint64_t addr = fr_event_addr(&x->last);

	if (fr_event_aux(&x->last) != FR_EV_RW_RDLOCK ||
	    fr_event_kind(&writer->last) != FR_EV_PENDING ||
	    fr_event_aux(&writer->last) != FR_EV_RW_WRLOCK || fr_event_addr(&writer->last) != addr)
		return false;
	for (uint32_t i = 0; i < k->n; i++)
		if (k->obj[i].addr == addr && k->obj[i].aux == FR_LOCK_RW_WRITERS)
			return true;
	return false;
}

/* Can any thread that still runs end this wait: one for a signal, or for others at a barrier? */
static bool needs_any(const struct fr_event *last)
{
	switch (fr_event_aux(last)) {
	case FR_EV_COND_WAIT:
	case FR_EV_FUTEX_WAIT:
	case FR_EV_BARRIER_ENTER:
	case FR_EV_BARRIER_LEAVE:
		return true;
	default:
		return false;
	}
}

/* Does the thread wait for something that others hold: a lock or a semaphore? */
static bool waits_for_holder(const struct fr_event *last)
{
	return fr_event_kind(last) == FR_EV_PENDING && fr_event_aux(last) != FR_EV_THREAD_JOIN &&
	       !needs_any(last);
}

/* Does the thread wait for something that the other one has? All threads hang: a signal or an entry
   to a barrier can only come from a thread that is stuck at a lock or a semaphore. */
static bool waits_for(const struct fr_describer *d, const struct fr_failure_thread *x,
		      const struct fr_failure_thread *other)
{
	const struct fr_mthread *t = &d->m->thread[x->thread];
	const struct fr_mev *v = t->n ? &d->m->ev[t->ev[t->n - 1]] : NULL;

	if (fr_event_kind(&x->last) != FR_EV_PENDING)
		return false;
	if (fr_event_aux(&x->last) == FR_EV_THREAD_JOIN)
		return fr_event_addr(&x->last) == d->m->thread[other->thread].id;
	if (fr_event_aux(&x->last) == FR_EV_SEM_WAIT)
		return has_units(d, other->thread, fr_event_addr(&x->last));
	if (needs_any(&x->last))
		return waits_for_holder(&other->last);
	if (is_behind(d, x, other))
		return true;
	return v && v->flags & FR_F_BLOCKING && fr_op_class[v->op] == FR_C_LOCK &&
	       (v->op == FR_OP_ACQUIRE_FAILED || v->op == FR_OP_ACQUIRE_SHARED_FAILED) &&
	       holds(d, other->thread, v->obj);
}

struct cycle {
	size_t n;
	uint8_t thread[FR_FAILURE_THREADS]; /* each waits for the next; indices in fr_failure */
};

/* Finds the shortest cycle through a thread. edge: bit k of i = thread i waits for thread k. */
static bool cycle_through(const uint64_t *edge, size_t n, size_t start, struct cycle *ret)
{
	uint8_t from[FR_FAILURE_THREADS], queue[FR_FAILURE_THREADS];
	uint64_t seen = 0;
	size_t head = 0, tail = 0;

	queue[tail++] = (uint8_t)start;
	while (head < tail) {
		size_t i = queue[head++];

		if (edge[i] >> start & 1) {
			for (ret->n = 1; i != start; i = from[i])
				ret->thread[ret->n++] = (uint8_t)i;
			ret->thread[0] = (uint8_t)start;
			for (size_t a = 1, b = ret->n - 1; a < b; a++, b--) {
				uint8_t t = ret->thread[a];

				ret->thread[a] = ret->thread[b];
				ret->thread[b] = t;
			}
			return true;
		}
		for (size_t k = 0; k < n; k++)
			if (edge[i] >> k & 1 && !(seen >> k & 1)) {
				seen |= UINT64_C(1) << k;
				from[k] = (uint8_t)i;
				queue[tail++] = (uint8_t)k;
			}
	}
	return false;
}

/* Finds the shortest cycle. */
static bool find_cycle(const struct fr_describer *d, const struct fr_failure *f, struct cycle *ret)
{
	uint64_t edge[FR_FAILURE_THREADS] = {0};
	struct cycle c;

	_Static_assert(FR_FAILURE_THREADS <= 64, "one bit for each thread");
	fr_assert(f->thread.n <= FR_FAILURE_THREADS);
	for (size_t i = 0; i < f->thread.n; i++)
		for (size_t k = 0; k < f->thread.n; k++)
			if (waits_for(d, &f->thread.v[i], &f->thread.v[k]))
				edge[i] |= UINT64_C(1) << k;
	ret->n = 0;
	for (size_t i = 0; i < f->thread.n; i++)
		if (cycle_through(edge, f->thread.n, i, &c) && (!ret->n || c.n < ret->n))
			*ret = c;
	return ret->n > 0;
}

struct fr_finding *fr_failure_deadlock(const struct fr_failure *f, struct fr_describer *d)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf text = {0}, names = {0};
	struct fr_interleaving w = {.verdict = FR_VERDICT_CONFIRMED, .harm = FR_HARM_HANG};
	const struct fr_generator *g = fr_generator_of_hang(FR_HANG_BUG_CYCLE);
	struct fr_finding x = {.kind = g->name,
			       .rank = g->rank,
			       .seen = 1,
			       .recorded = true,
			       .unscheduled = true,
			       .allocated = {.file = "", .function = ""}};
	struct cycle c;

	if (f->harm != FR_HARM_HANG || !find_cycle(d, f, &c))
		return NULL;
	for (size_t i = 0; i < c.n; i++) {
		struct fr_finding_event e = fr_failure_event(d, f, &f->thread.v[c.thread[i]], NULL);

		fr_buf_printf(&names, "%s%s", names.n ? ", " : "", e.name);
		fr_failure_wait_text(&e, &text);
		fr_vec_push(&w.event, e);
	}
	x.subject = fr_findings_str(d->f, names.s);
	w.detail = fr_findings_str(d->f, text.s);
	fr_vec_push(&x.interleaving, w);
	fr_vec_push(&d->f->finding, x);
	return &d->f->finding.v[d->f->finding.n - 1];
}

/* ---- lost wakeups ---- */

/* Returns the condition variable or futex at this address, UINT32_MAX = none. The last one counts:
   memory may be used again. */
static uint32_t cond_at(const struct fr_model *m, uint64_t addr)
{
	for (uint32_t i = m->cls[FR_C_COND].n; i--;)
		if (m->cls[FR_C_COND].obj[i].addr == addr)
			return i;
	return UINT32_MAX;
}

/* Has a wait for this condition variable been examined already? */
static bool examined(const struct fr_failure *f, uint64_t addr)
{
	FR_VEC_FOREACH (s, &f->signal)
		if (fr_event_addr(&f->thread.v[s->waiter].last) == addr)
			return true;
	return false;
}

/* Notes the last signal of each other thread to the condition variable that a thread waits for. */
static void add_signals(struct fr_failure *f, const struct fr_model *m, uint32_t waiter)
{
	const struct fr_failure_thread *x = &f->thread.v[waiter];
	uint32_t cond = cond_at(m, fr_event_addr(&x->last)), n = 0;
	const struct fr_mclass *k = &m->cls[FR_C_COND];
	size_t first = f->signal.n;

	if (cond == UINT32_MAX || examined(f, fr_event_addr(&x->last)))
		return;
	for (uint32_t i = k->first[cond + 1]; i-- > k->first[cond] && n < SIGNALS_MAX;) {
		const struct fr_mev *v = &m->ev[k->list[i]];
		bool seen =
		    v->thread == x->thread || (v->op != FR_OP_SIGNAL && v->op != FR_OP_BROADCAST);

		for (size_t s = first; s < f->signal.n && !seen; s++)
			seen = m->ev[f->signal.v[s].ev].thread == v->thread;
		if (seen)
			continue;
		fr_vec_push(&f->signal, ((struct fr_failure_signal){waiter, k->list[i]}));
		n++;
	}
}

void fr_failure_find_signals(struct fr_failure *f, const struct fr_model *m)
{
	for (uint32_t i = 0; f->harm == FR_HARM_HANG && i < f->thread.n; i++) {
		const struct fr_event *last = &f->thread.v[i].last;

		if (fr_event_kind(last) == FR_EV_PENDING &&
		    (fr_event_aux(last) == FR_EV_COND_WAIT ||
		     fr_event_aux(last) == FR_EV_FUTEX_WAIT))
			add_signals(f, m, i);
	}
}

/* The signal and the wait, in the recorded order. */
static struct fr_interleaving lost(const struct fr_failure *f, struct fr_describer *d,
				   const struct fr_failure_signal *s)
{
	const struct fr_failure_thread *x = &f->thread.v[s->waiter];
	struct fr_interleaving w = {.verdict = FR_VERDICT_PREDICTED, .harm = FR_HARM_NOT_KNOWN};
	struct fr_finding_event wait = fr_failure_event(d, f, x, NULL);
	struct fr_finding_event signal = fr_describe_step(d, s->ev);
	const struct fr_mthread *t = &d->m->thread[x->thread];

	fr_assert(t->n);
	signal.role = FR_ROLE_SIGNALS;
	fr_describe_stack(d, s->ev, &signal);
	if (s->ev < t->ev[t->n - 1]) {
		fr_vec_push(&w.event, signal);
		fr_vec_push(&w.event, wait);
	} else {
		fr_vec_push(&w.event, wait);
		fr_vec_push(&w.event, signal);
	}
	return w;
}

struct fr_finding *fr_failure_wakeup(const struct fr_failure *f, struct fr_describer *d, size_t *i)
{
	const struct fr_generator *g = fr_generator_of_hang(FR_HANG_BUG_SIGNAL);
	struct fr_finding x = {.kind = g->name,
			       .rank = g->rank,
			       .seen = 1,
			       .recorded = true,
			       .unscheduled = true,
			       .allocated = {.file = "", .function = ""}};
	uint32_t waiter;

	if (*i == f->signal.n)
		return NULL;
	for (waiter = f->signal.v[*i].waiter; *i < f->signal.n && f->signal.v[*i].waiter == waiter;
	     ++*i)
		fr_vec_push(&x.interleaving, lost(f, d, &f->signal.v[*i]));
	FR_VEC_FOREACH (e, &x.interleaving.v[0].event)
		if (e->role == FR_ROLE_WAITS)
			x.subject = e->name;
	fr_vec_push(&d->f->finding, x);
	return &d->f->finding.v[d->f->finding.n - 1];
}
