/* Turns predictions into findings: see describe.h. Of a schedule, it shows a few steps. */
#include "predict/describe.h"
#include "base/assert.h"
#include <string.h>

#define SHOWN 12       /* steps shown, besides the events of the finding */
#define LOOK_BACK 4096 /* events of the recorded order that are searched for them */

static bool of_actor(const struct fr_model *m, const struct fr_instance *in, fr_ev e)
{
	for (uint32_t i = 0; i < in->nactors; i++)
		if (m->ev[in->actor[i].ev].thread == m->ev[e].thread)
			return true;
	return false;
}

/* Is it a step that explains the finding? Shown are operations of the finding's threads on locks
   and on the same memory. */
static bool worth_showing(const struct fr_model *m, const struct fr_instance *in, fr_ev e)
{
	const struct fr_mev *v = &m->ev[e];

	if (!of_actor(m, in, e) || v->flags & FR_F_SYNTH)
		return false;
	switch (fr_op_class[v->op]) {
	case FR_C_LOC:
		for (uint32_t i = 0; i < in->nactors; i++) {
			const struct fr_mev *a = &m->ev[in->actor[i].ev];

			if (fr_is_access(a) && a->obj == v->obj && a->mask & v->mask)
				return true;
		}
		return false;
	case FR_C_HEAP:
	case FR_C_MARK:
		return false;
	default:
		return v->op != FR_OP_EXIT && v->op != FR_OP_START;
	}
}

struct steps {
	fr_ev ev[SHOWN + FR_TARGETS];
	uint32_t n, others; /* others: steps that are no events of the finding */
	uint32_t left;	    /* events of the finding before the targets, not met yet */
};

static bool is_pending(const struct fr_model *m, const struct fr_instance *in, fr_ev e)
{
	for (uint32_t i = 0; i < in->what.npending; i++)
		if (in->what.pending[i] == fr_head(m, e))
			return true;
	return false;
}

/* Does the finding's event happen before the targets? */
static bool is_before(const struct fr_model *m, const struct fr_instance *in,
		      const struct fr_actor *a)
{
	return !fr_role_too_late(a->role) && !is_pending(m, in, a->ev);
}

/* Returns the finding's event in this step, NULL = none. */
static const struct fr_actor *actor_of(const struct fr_model *m, const struct fr_instance *in,
				       fr_ev head)
{
	for (uint32_t i = 0; i < in->nactors; i++)
		if (fr_head(m, in->actor[i].ev) == head)
			return &in->actor[i];
	return NULL;
}

/* Backwards: takes a step unless its thread has its share. Always takes the finding's events. */
static void take(struct steps *r, const struct fr_model *m, const struct fr_instance *in, fr_ev e)
{
	uint32_t own = 0, share = SHOWN / (in->nactors ? in->nactors : 1);

	fr_assert(r->others <= SHOWN && r->n + r->left <= fr_array_size(r->ev));
	if (r->left && actor_of(m, in, e)) {
		r->ev[r->n++] = e;
		r->left--;
		return;
	}
	if (r->others == SHOWN || !worth_showing(m, in, e))
		return;
	for (uint32_t i = 0; i < r->n; i++)
		own += m->ev[r->ev[i]].thread == m->ev[e].thread;
	if (own >= (share > 2 ? share : 2))
		return;
	r->ev[r->n++] = e;
	r->others++;
}

/* Returns the last steps of the schedule that are worth showing, in order, with the events of the
   finding that are not its targets. */
static struct steps last_steps(const struct fr_model *m, const struct fr_feasible *w)
{
	const struct fr_schedule *s = &w->decision.schedule;
	const struct fr_instance *in = w->instance;
	struct steps r = {.n = 0};
	fr_ev e = s->cut;

	for (uint32_t i = 0; i < in->nactors; i++)
		r.left += is_before(m, in, &in->actor[i]);
	fr_assert(r.left <= FR_TARGETS);
	for (size_t i = s->step.n; i-- > 0 && (r.others < SHOWN || r.left);)
		take(&r, m, in, s->step.v[i]);
	for (uint32_t k = 0; e-- > 0 && k < LOOK_BACK && (r.others < SHOWN || r.left); k++)
		if (!(m->ev[e].flags & FR_F_PART))
			take(&r, m, in, e);
	/* Then those from long ago, in the order of the recorded run. */
	for (uint32_t i = in->nactors; i-- > 0 && r.left;)
		if (fr_head(m, in->actor[i].ev) <= e && is_before(m, in, &in->actor[i])) {
			r.ev[r.n++] = fr_head(m, in->actor[i].ev);
			r.left--;
		}
	for (uint32_t i = 0; i < r.n / 2; i++) {
		e = r.ev[i];
		r.ev[i] = r.ev[r.n - 1 - i];
		r.ev[r.n - 1 - i] = e;
	}
	return r;
}

/* Returns the allocation of the accessed memory; FR_NO_EV: it is not on the heap. */
static fr_ev allocation(const struct fr_model *m, fr_ev e)
{
	const struct fr_mev *v = &m->ev[e];
	uint32_t heap = fr_is_access(v)			  ? m->cls[FR_C_LOC].obj[v->obj].aux
			: fr_op_class[v->op] == FR_C_HEAP ? v->obj + 1
							  : 0;
	uint32_t count = heap ? m->cls[FR_C_HEAP].obj[heap - 1].count : 0;

	return count ? count - 1 : FR_NO_EV;
}

/* Asks for the call stack of an event, and of the event that names its object. */
static void want(struct fr_describer *d, fr_ev e)
{
	fr_hook_stacks_want(d->stacks, d->m, e);
	fr_hook_stacks_want(d->stacks, d->m, fr_describe_namer(d->m, e));
}

void fr_describe_want(struct fr_describer *d, const struct fr_predicted *p)
{
	fr_ev heap = allocation(d->m, p->interleaving.v[0].instance->actor[0].ev);
	struct fr_held held[FR_TARGETS];

	if (heap != FR_NO_EV)
		fr_hook_stacks_want(d->stacks, d->m, heap);
	FR_VEC_FOREACH (w, &p->interleaving) {
		const struct fr_instance *in = w->instance;
		struct steps s = last_steps(d->m, w);

		for (uint32_t i = 0; i < s.n; i++)
			want(d, s.ev[i]);
		for (uint32_t i = 0; i < in->nactors; i++) {
			fr_ev e = in->actor[i].ev;
			uint32_t n = fr_locks_held(d->c, fr_head(d->m, e), held, FR_TARGETS);

			want(d, e);
			for (uint32_t k = 0; k < n && k < FR_TARGETS; k++)
				want(d, held[k].acquire);
		}
	}
}

/* Returns the write of a read-modify-write. */
static fr_ev main_part(const struct fr_model *m, fr_ev e)
{
	fr_ev head = fr_head(m, e);

	if (m->ev[e].op != FR_OP_READ)
		return e;
	for (fr_ev i = head; i < m->n && (i == head || m->ev[i].flags & FR_F_PART); i++)
		if (m->ev[i].op == FR_OP_WRITE && m->ev[i].obj == m->ev[e].obj &&
		    !(m->ev[i].flags & FR_F_SYNTH))
			return i;
	return e;
}

/* Shows an acquisition that blocked at the end of the run like any other. */
static enum fr_op asked_for(const struct fr_mev *v)
{
	if (v->flags & FR_F_BLOCKING && v->op == FR_OP_ACQUIRE_FAILED)
		return FR_OP_ACQUIRE;
	if (v->flags & FR_F_BLOCKING && v->op == FR_OP_ACQUIRE_SHARED_FAILED)
		return FR_OP_ACQUIRE_SHARED;
	return v->op;
}

/* Returns the finding's number, from 1, of a lock, condition, semaphore or once; 0 = other. */
static uint32_t object(struct fr_describer *d, fr_ev e)
{
	const struct fr_mev *v = &d->m->ev[e];
	enum fr_class c = fr_op_class[v->op];
	uint64_t key = (uint64_t)c << 32 | v->obj;

	if (c != FR_C_LOCK && c != FR_C_COND && c != FR_C_SEM && c != FR_C_ONCE)
		return 0;
	for (uint32_t i = 0; i < d->objects.n; i++)
		if (d->objects.v[i] == key)
			return i + 1;
	fr_vec_push(&d->objects, key);
	return (uint32_t)d->objects.n;
}

struct fr_finding_event fr_describe_step(struct fr_describer *d, fr_ev e)
{
	const struct fr_mev *v;
	struct fr_finding_event r = {0};

	e = main_part(d->m, e);
	v = &d->m->ev[e];
	r.thread = v->thread;
	r.path = fr_findings_str(d->f, d->m->thread[v->thread].path);
	r.access = asked_for(v);
	r.name = fr_describe_name(d, e);
	r.object = object(d, e);
	r.atomic = v->flags & FR_F_ATOMIC;
	r.known = fr_describe_value(d->m, e, &r.value);
	r.at = fr_describe_position(d, e);
	r.hook = fr_model_hook(d->m, e);
	return r;
}

static struct fr_finding_event event(struct fr_describer *d, const struct fr_actor *a)
{
	struct fr_held held[FR_TARGETS];
	uint32_t n = fr_locks_held(d->c, fr_head(d->m, a->ev), held, FR_TARGETS);
	struct fr_finding_event r;

	for (uint32_t k = 0; k < n && k < FR_TARGETS; k++)
		object(d, held[k].acquire); /* number held locks before the one waited for */
	r = fr_describe_step(d, a->ev);

	r.role = a->role;
	fr_describe_stack(d, a->ev, &r);
	for (uint32_t k = 0; k < n && k < FR_TARGETS; k++) {
		fr_ev acquire = held[k].acquire;

		fr_vec_push(&r.lock, ((struct fr_finding_lock){fr_describe_name(d, acquire),
							       object(d, acquire), held[k].shared,
							       fr_describe_position(d, acquire)}));
	}
	return r;
}

/* Hides the values after the cut that the schedule does not promise: all values in the tiers that
   guess; otherwise those of reads that do not matter, and of writes that depend on these. */
static void hide_values(const struct fr_model *m, const struct fr_feasible *w,
			const struct steps *s, struct fr_interleaving *r)
{
	const struct fr_decision *v = &w->decision;
	bool guess = v->tier >= FR_TIER_RELAXED;

	for (size_t i = 0; i < r->witness.n; i++)
		if (i >= s->n ? guess
			      : s->ev[i] >= v->schedule.cut &&
				    (guess || !fr_mask_step(m, v->mask, fr_head(m, s->ev[i]))))
			r->witness.v[i].known = false;
	if (guess)
		FR_VEC_FOREACH (e, &r->event)
			e->known = false;
}

static struct fr_interleaving interleaving(struct fr_describer *d, const struct fr_feasible *w)
{
	const struct fr_instance *in = w->instance;
	struct fr_interleaving r = {.verdict = FR_VERDICT_PREDICTED, .harm = FR_HARM_NOT_KNOWN};
	struct steps s = last_steps(d->m, w);

	fr_assert(w->decision.answer == FR_FEASIBLE && in->nactors && in->nactors <= FR_TARGETS);
	for (uint32_t i = 0; i < in->nactors; i++) {
		struct fr_finding_event e = event(d, &in->actor[i]);

		if (w->group->label)
			e.name = fr_findings_str(d->f, w->group->label[i]);
		fr_vec_push(&r.event, e);
	}
	for (uint32_t i = 0; i < s.n; i++) {
		const struct fr_actor *a = actor_of(d->m, in, s.ev[i]);
		struct fr_finding_event e = fr_describe_step(d, a ? a->ev : s.ev[i]);

		e.role = a ? a->role : FR_ROLE_NONE;
		if (a)
			e.name = r.event.v[a - in->actor].name;
		fr_vec_push(&r.witness, e);
	}
	for (uint32_t i = 0; i < in->nactors; i++) {
		struct fr_finding_event e = fr_describe_step(d, in->actor[i].ev);

		if (!is_pending(d->m, in, in->actor[i].ev))
			continue;
		e.role = r.event.v[i].role;
		e.name = r.event.v[i].name;
		fr_vec_push(&r.witness, e);
	}
	hide_values(d->m, w, &s, &r);
	r.left_out = (uint64_t)w->decision.schedule.cut + w->decision.schedule.step.n;
	r.left_out -= fr_min(r.left_out, (uint64_t)s.n);
	return r;
}

/* Adds a name unless it is empty or in the list already. */
static void add_once(struct fr_finding_words *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i], name))
			return;
	if (*name)
		fr_vec_push(list, name);
}

/* Returns "a, b", and frees the list. */
static const char *joined(struct fr_findings *f, struct fr_finding_words *list)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

	FR_VEC_FOREACH (name, list)
		fr_buf_printf(&b, "%s%s", b.n ? ", " : "", *name);
	fr_vec_free(list);
	return fr_findings_str(f, b.s ? b.s : "");
}

/* Returns the locks and joins of a cycle by the first thread's names: those that it holds, then the
   one that it waits for. The others have the names that their waiters use. */
static const char *cycle(struct fr_describer *d, const struct fr_interleaving *w)
{
	struct fr_finding_words name = {0};
	const struct fr_finding_event *me = &w->event.v[0];
	uint64_t said = 0; /* a bit for each event */

	fr_assert(w->event.n && w->event.n <= 64);
	FR_VEC_FOREACH (e, &w->event)
		me = e->thread < me->thread ? e : me;
	FR_VEC_FOREACH (l, &me->lock)
		FR_VEC_FOREACH (e, &w->event)
			if (e->object == l->object && !(said >> (e - w->event.v) & 1)) {
				add_once(&name, l->name);
				said |= UINT64_C(1) << (e - w->event.v);
			}
	for (uint32_t i = 0; i < w->event.n; i++) {
		const struct fr_finding_event *e = &w->event.v[(me - w->event.v + i) % w->event.n];

		if (!(said >> (e - w->event.v) & 1))
			add_once(&name, e->name);
	}
	return joined(d->f, &name);
}

/* The event that names the memory of an actor: for the end of local variables, the use of one. */
static fr_ev namer(const struct fr_model *m, const struct fr_instance *in, uint32_t i)
{
	const struct fr_mev *v = &m->ev[in->actor[i].ev];

	if (v->op == FR_OP_FREE && !m->cls[FR_C_HEAP].obj[v->obj].count)
		for (uint32_t k = i + 1; k < in->nactors; k++)
			if (in->actor[k].memory == in->actor[i].memory)
				return in->actor[k].ev;
	return in->actor[i].ev;
}

/* Returns the names of the memory, each once, as the first event names it, and of other objects. */
static const char *subject(const struct fr_describer *d, const struct fr_instance *in)
{
	struct fr_finding_words all = {0};

	for (uint32_t i = 0; i < in->nactors; i++) {
		const struct fr_actor *a = &in->actor[i];
		const char *name = fr_describe_name(d, main_part(d->m, namer(d->m, in, i)));
		bool said = false;

		for (uint32_t k = 0; a->memory && k < i; k++)
			said |= in->actor[k].memory == a->memory;
		if (!a->memory)
			add_once(&all, name);
		else if (!said)
			fr_vec_push(&all, name);
	}
	return joined(d->f, &all);
}

static struct fr_position allocated(const struct fr_describer *d, fr_ev e)
{
	struct fr_position none = {.file = "", .function = ""};

	e = allocation(d->m, e);
	return e == FR_NO_EV ? none : fr_describe_position(d, e);
}

/* Did the recorded run end there? Each thread of the cycle waited until forerun ended the run. */
static bool is_recorded(const struct fr_describer *d, const struct fr_predicted *p)
{
	const struct fr_instance *in = p->interleaving.v[0].instance;

	if (!d->m->trace || !d->m->trace->run.hang || p->generator->meeting != FR_MEETING_CYCLE)
		return false;
	for (uint32_t i = 0; i < in->nactors; i++) {
		const struct fr_mev *v = &d->m->ev[in->actor[i].ev];

		if (!(v->flags & FR_F_BLOCKING) ||
		    (v->op != FR_OP_ACQUIRE_FAILED && v->op != FR_OP_ACQUIRE_SHARED_FAILED))
			return false;
	}
	return true;
}

/*
 * Does the access in between race with the second local access? If not, both are atomic, or
 * something else protects the location: a lock that both take, a lock of the program's own. Then
 * the lock around the local accesses has another purpose. Pending accesses to different locations,
 * as of two units with opposite orders, do not race: each location may have a lock of its own.
 */
static bool races(const struct fr_model *m, const struct fr_predicted *p)
{
	FR_VEC_FOREACH (w, &p->interleaving) {
		const struct fr_candidate *c = &w->instance->what;

		if (c->npending > 1 && w->decision.tier <= FR_TIER_SLICED &&
		    m->ev[c->pending[0]].obj == m->ev[c->pending[1]].obj &&
		    !(m->ev[c->pending[0]].flags & m->ev[c->pending[1]].flags & FR_F_ATOMIC))
			return true;
	}
	return false;
}

static enum fr_region region_of(const struct fr_model *m, const struct fr_predicted *p)
{
	enum fr_region ret = p->interleaving.v[0].group->region;

	return ret == FR_REGION_LOCK && !races(m, p) ? FR_REGION_OUTER : ret;
}

struct fr_finding *fr_describe(struct fr_describer *d, const struct fr_predicted *p)
{
	const struct fr_decision *v = &p->interleaving.v[0].decision;
	struct fr_finding f = {.kind = p->generator->name,
			       .needs = fr_group_needs(p->generator, p->interleaving.v[0].group),
			       .rank = p->generator->rank,
			       .tier = v->tier,
			       .reads_relaxed = v->reads_relaxed,
			       .solver_s = v->solver_s,
			       .seen = p->seen};

	fr_assert(p->interleaving.n && !d->objects.n);
	FR_VEC_FOREACH (w, &p->interleaving)
		fr_vec_push(&f.interleaving, interleaving(d, w));
	for (uint32_t i = 0; v->tier == FR_TIER_RELAXED && i < v->reads_relaxed; i++)
		fr_vec_push(&f.relaxed, fr_describe_step(d, v->relaxed[i]));
	fr_vec_free(&d->objects);
	f.subject = p->interleaving.v[0].group->subject
			? fr_findings_str(d->f, p->interleaving.v[0].group->subject)
		    : p->generator->meeting == FR_MEETING_CYCLE
			? cycle(d, &f.interleaving.v[0])
			: subject(d, p->interleaving.v[0].instance);
	f.doubt = p->interleaving.v[0].group->doubt;
	FR_VEC_FOREACH (w, &p->interleaving)
		f.doubt = fr_min(f.doubt, w->group->doubt);
	f.region = region_of(d->m, p);
	f.shape = p->interleaving.v[0].group->shape;
	f.allocated = allocated(d, p->interleaving.v[0].instance->actor[0].ev);
	f.recorded = is_recorded(d, p);
	if (f.recorded) {
		f.interleaving.v[0].verdict = FR_VERDICT_CONFIRMED;
		f.interleaving.v[0].harm = FR_HARM_HANG;
	}
	fr_vec_push(&d->f->finding, f);
	return &d->f->finding.v[d->f->finding.n - 1];
}
