/*
 * Turns from steps. Steps of one thread that follow one another are one turn; the turn ends at the
 * hook of its last part. Hooks that the model left out (memory of one thread alone) go with the
 * turn that comes to them.
 */
#include "report/schedule_build.h"
#include <stdio.h>
#include <string.h>

static void add_turn(struct fr_sched *s, const struct fr_model *m, fr_ev e)
{
	fr_sched_turn(s, m->ev[e].thread, fr_model_idx(m, e));
}

/* A step with all its parts. */
static void add_step(struct fr_sched *s, const struct fr_model *m, fr_ev head)
{
	fr_ev e = head;

	do
		add_turn(s, m, e++);
	while (e < m->n && m->ev[e].flags & FR_F_PART);
}

static void begin(struct fr_sched *s, const struct fr_model *m, const char *kind)
{
	*s = (struct fr_sched){.kind = fr_xstrdup(kind)};
	for (uint32_t t = 0; t < m->nthreads; t++)
		fr_vec_push(&s->thread, fr_xstrdup(m->thread[t].path));
	if (!m->trace)
		return;
	memcpy(s->run_id, m->trace->run.run_id, sizeof(s->run_id));
	FR_VEC_FOREACH (x, &m->trace->run.modules) {
		char id[65] = "";

		for (unsigned i = 0; i < x->build_id_len && i < 32; i++)
			snprintf(id + 2 * i, 3, "%02x", x->build_id[i]);
		fr_vec_push(&s->module, ((struct fr_sched_module){*id ? fr_xstrdup(id) : NULL,
								  fr_xstrdup(x->path)}));
	}
}

/* Makes the turns of the recorded order up to an event. */
static void extend(struct fr_order *o, fr_ev cut)
{
	if (!o->whole.kind)
		begin(&o->whole, o->m, "recorded");
	for (; o->done < cut; o->done++) {
		size_t n = o->whole.turn.n;

		add_turn(&o->whole, o->m, o->done);
		if (o->whole.turn.n != n)
			fr_vec_push(&o->begin, o->done);
	}
}

/* Turns of the recorded order that begin before the cut. */
static size_t turns_before(const struct fr_order *o, fr_ev cut)
{
	return fr_bisect(o->begin.n, i, o->begin.v[i] < cut);
}

/* How far each thread has come before an event of the recorded order. */
static void set_last(struct fr_sched *s, const struct fr_model *m, fr_ev before)
{
	for (uint32_t t = 0; t < m->nthreads; t++) {
		const struct fr_mthread *th = &m->thread[t];
		size_t n = fr_bisect(th->n, i, th->ev[i] < before);

		fr_vec_push(&s->last, n ? fr_model_idx(m, th->ev[n - 1]) : 0);
	}
}

/* Everything before the cut: full turns by reference or as they are, the last one up to the cut. */
static void add_prefix(struct fr_order *o, fr_ev cut, struct fr_sched *s)
{
	size_t n;

	extend(o, cut);
	n = turns_before(o, cut);
	if (!n)
		return;
	set_last(s, o->m, o->begin.v[n - 1]);
	if (n - 1 > FR_SCHEDULE_INLINE) {
		s->prefix = n - 1;
		o->used = true;
	} else {
		for (size_t i = 0; i < n - 1; i++)
			fr_vec_push(&s->turn, o->whole.turn.v[i]);
	}
	for (fr_ev e = o->begin.v[n - 1]; e < cut; e++)
		add_turn(s, o->m, e);
}

/* What the trace says of it; else what the model does. */
static struct fr_sched_hook hook(const struct fr_model *m, const struct fr_looks *looks, fr_ev e)
{
	static const uint8_t kind[FR_OP_COUNT] = {
	    [FR_OP_READ] = FR_EV_READ,
	    [FR_OP_WRITE] = FR_EV_WRITE,
	    [FR_OP_ACQUIRE] = FR_EV_MUTEX_LOCK,
	    [FR_OP_RELEASE] = FR_EV_MUTEX_UNLOCK,
	    [FR_OP_ACQUIRE_SHARED] = FR_EV_RW_RDLOCK,
	    [FR_OP_RELEASE_SHARED] = FR_EV_RW_UNLOCK,
	    [FR_OP_ACQUIRE_FAILED] = FR_EV_MUTEX_LOCK,
	    [FR_OP_ACQUIRE_SHARED_FAILED] = FR_EV_RW_RDLOCK,
	    [FR_OP_WAIT_BEGIN] = FR_EV_MUTEX_UNLOCK,
	    [FR_OP_WAIT] = FR_EV_COND_WAIT,
	    [FR_OP_SIGNAL] = FR_EV_COND_SIGNAL,
	    [FR_OP_BROADCAST] = FR_EV_COND_BROADCAST,
	    [FR_OP_SEM_WAIT] = FR_EV_SEM_WAIT,
	    [FR_OP_SEM_POST] = FR_EV_SEM_POST,
	    [FR_OP_SEM_FAILED] = FR_EV_SEM_WAIT,
	    [FR_OP_BARRIER_ENTER] = FR_EV_BARRIER_ENTER,
	    [FR_OP_BARRIER_LEAVE] = FR_EV_BARRIER_LEAVE,
	    [FR_OP_ONCE_BEGIN] = FR_EV_ONCE_BEGIN,
	    [FR_OP_ONCE_END] = FR_EV_ONCE_END,
	    [FR_OP_ONCE_DONE] = FR_EV_ONCE_DONE,
	    [FR_OP_CREATE] = FR_EV_THREAD_CREATE,
	    [FR_OP_JOIN] = FR_EV_THREAD_JOIN,
	    [FR_OP_START] = FR_EV_THREAD_START,
	    [FR_OP_EXIT] = FR_EV_THREAD_EXIT,
	    [FR_OP_ACQUIRE_ALL] = FR_EV_USER_ACQUIRE,
	    [FR_OP_RELEASE_ALL] = FR_EV_USER_RELEASE,
	    [FR_OP_ALLOC] = FR_EV_ALLOC,
	    [FR_OP_FREE] = FR_EV_FREE,
	};
	const struct fr_mev *v = &m->ev[e];
	const struct fr_look *k = fr_looks_get(looks, m, e);
	struct fr_sched_hook h = {
	    .thread = v->thread, .hook = fr_model_idx(m, e), .kind = kind[v->op], .site = v->site};

	if (!k) {
		if (v->op == FR_OP_MARK)
			h.kind = (uint8_t)v->obj;
		h.known = fr_describe_value(m, e, &h.value);
		return h;
	}
	h.kind = k->kind;
	h.site = k->site;
	h.known = k->known;
	h.value = k->value;
	return h;
}

/* Those of the finding: on the way, and at the end. */
static void add_events(const struct fr_model *m, const struct fr_looks *looks,
		       const struct fr_instance *in, struct fr_sched *ret)
{
	for (uint32_t i = 0; i < in->nactors; i++) {
		struct fr_sched_hook h = hook(m, looks, fr_head(m, in->actor[i].ev));
		bool pending = false;

		for (uint32_t k = 0; k < in->what.npending; k++)
			pending |= in->what.pending[k] == fr_head(m, in->actor[i].ev);
		h.place = in->actor[i].place;
		h.role = fr_xstrdup(in->actor[i].role);
		if (pending)
			fr_vec_push(&ret->target, h);
		else
			fr_vec_push(&ret->event, h);
	}
}

void fr_sched_build(struct fr_order *o, const struct fr_looks *looks, const char *kind,
		    const struct fr_reached *w, struct fr_sched *ret)
{
	const struct fr_schedule *s = &w->verdict.schedule;
	const struct fr_instance *in = w->instance;

	begin(ret, o->m, kind);
	add_prefix(o, s->cut, ret);
	FR_VEC_FOREACH (e, &s->step) {
		struct fr_sched_hook h = hook(o->m, looks, *e);

		/* Without data nothing is known of the values on the way. */
		h.known &= w->verdict.tier != FR_TIER_HYBRID;
		add_step(ret, o->m, *e);
		if (h.kind && !(o->m->ev[*e].flags & FR_F_SYNTH))
			fr_vec_push(&ret->expect, h);
	}
	/* Up to the brink of each target: through hooks that the model left out. */
	for (uint32_t i = 0; i < in->what.npending; i++)
		fr_sched_turn(ret, o->m->ev[in->what.pending[i]].thread,
			      fr_model_idx(o->m, in->what.pending[i]) - 1);
	add_events(o->m, looks, in, ret);
}

/* Hooks that a thread executed: what it waited for at the end is an event of the model, but did not
   happen. */
static uint64_t executed(const struct fr_model *m, uint32_t thread)
{
	const struct fr_trace_thread *t =
	    m->trace ? fr_trace_thread(m->trace, m->thread[thread].id) : NULL;

	return t && t->hooks ? t->hooks : UINT64_MAX;
}

const struct fr_sched *fr_order_whole(struct fr_order *o)
{
	FR_CLEANUP(fr_freep) uint64_t *last = fr_xcalloc(o->m->nthreads, sizeof(*last));
	FR_CLEANUP(fr_freep) uint64_t *end = fr_xcalloc(o->m->nthreads, sizeof(*end));
	size_t n = 0;

	extend(o, o->m->n);
	for (uint32_t t = 0; t < o->m->nthreads; t++)
		end[t] = executed(o->m, t);
	FR_VEC_FOREACH (t, &o->whole.turn) {
		t->hook = fr_min(t->hook, end[t->thread]);
		if (t->hook <= last[t->thread])
			continue;
		last[t->thread] = t->hook;
		o->whole.turn.v[n++] = *t;
	}
	o->whole.turn.n = n;
	return &o->whole;
}

void fr_order_free(struct fr_order *o)
{
	fr_sched_clear(&o->whole);
	fr_vec_free(&o->begin);
	*o = (struct fr_order){0};
}
