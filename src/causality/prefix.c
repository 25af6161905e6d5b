/*
 * A growing set of events that is a prefix of every thread: see prefix.h. Each event is handed out
 * once, so closing a set costs as much as it contains above the floor, however many threads exist.
 * The backward order through the run makes impossible sets fail early: on random runs of ten
 * million events it examined a hundredth of the events that a forward order did.
 */
#include "causality/prefix.h"

void fr_prefix_init(struct fr_prefix *f, const struct fr_model *m)
{
	*f = (struct fr_prefix){.m = m};
	f->thread = fr_xcalloc(m->nthreads, sizeof(*f->thread));
	f->barrier = fr_xcalloc(m->cls[FR_C_BARRIER].n, sizeof(*f->barrier));
	f->flag = fr_xcalloc(m->cls[FR_C_FLAG].n, sizeof(*f->flag));
}

void fr_prefix_free(struct fr_prefix *f)
{
	free(f->thread);
	free(f->barrier);
	free(f->flag);
	fr_vec_free(&f->touched);
	fr_vec_free(&f->todo);
}

void fr_prefix_begin(struct fr_prefix *f, fr_ev floor)
{
	f->epoch++;
	fr_assert(f->epoch); /* fails after 2^32 questions */
	fr_assert(floor <= f->m->n && (floor == f->m->n || fr_head(f->m, floor) == floor));
	f->floor = floor;
	f->failed = false;
	f->size = 0;
	f->touched.n = f->todo.n = 0;
}

static struct fr_prefix_thread *touch(struct fr_prefix *f, uint32_t t)
{
	struct fr_prefix_thread *x = &f->thread[t];

	if (x->epoch != f->epoch) {
		const struct fr_mthread *th = &f->m->thread[t];
		uint32_t from = fr_list_lower(th->ev, th->n, f->floor);

		*x = (struct fr_prefix_thread){f->epoch, from, from, f->floor, FR_NO_EV};
		fr_vec_push(&f->touched, t);
	}
	return x;
}

/* Index behind e's step in its thread's list. It is at or after `from`, and mostly near it. */
static uint32_t behind(const struct fr_prefix *f, const struct fr_mthread *t, uint32_t from,
		       fr_ev e)
{
	uint32_t step = 1, end;

	while (from + step < t->n && t->ev[from + step] <= e)
		step *= 2;
	end = fr_min(from + step, t->n);
	from += step / 2;
	from += fr_list_lower(t->ev + from, end - from, e) + 1;
	fr_assert_slow(from <= t->n && t->ev[from - 1] >= e);
	while (from < t->n && f->m->ev[t->ev[from]].flags & FR_F_PART)
		from++;
	return from;
}

/* Adds a span to the heap; the one with the latest event is first. */
static void put_span(struct fr_prefix *f, struct fr_prefix_span s)
{
	size_t i = f->todo.n;

	fr_assert_slow(s.from < s.end && f->m->thread[s.thread].ev[s.end - 1] == s.last);
	fr_vec_push(&f->todo, s);
	for (; i && f->todo.v[(i - 1) / 2].last < s.last; i = (i - 1) / 2)
		f->todo.v[i] = f->todo.v[(i - 1) / 2];
	f->todo.v[i] = s;
}

/* Restores the heap after its first span was replaced by s. */
static void sink_span(struct fr_prefix *f, struct fr_prefix_span s)
{
	size_t i = 0, n = f->todo.n;

	for (;;) {
		size_t k = 2 * i + 1;

		if (k + 1 < n && f->todo.v[k + 1].last > f->todo.v[k].last)
			k++;
		if (k >= n || f->todo.v[k].last <= s.last)
			break;
		f->todo.v[i] = f->todo.v[k];
		i = k;
	}
	f->todo.v[i] = s;
}

void fr_prefix_need(struct fr_prefix *f, fr_ev e)
{
	uint32_t t = f->m->ev[e].thread, from;
	const struct fr_mthread *th = &f->m->thread[t];
	struct fr_prefix_thread *x;

	if (e < f->floor)
		return;
	x = touch(f, t);
	if (e >= x->limit) {
		f->failed = true;
		return;
	}
	if (e < x->want)
		return;
	from = x->end;
	x->end = behind(f, th, from, e);
	x->want = th->ev[x->end - 1] + 1;
	f->size += x->end - from;
	put_span(f, (struct fr_prefix_span){t, from, x->end, x->want - 1});
	if (!from)
		fr_prefix_need_some(f, th->create);
}

static void before_pending(struct fr_prefix *f, fr_ev e)
{
	fr_ev prev = fr_model_prev(f->m, e);

	fr_prefix_need_some(f, prev != FR_NO_EV ? prev : f->m->thread[f->m->ev[e].thread].create);
}

void fr_prefix_candidate(struct fr_prefix *f, const struct fr_candidate *what)
{
	fr_assert(what->npending <= FR_TARGETS && what->nedges <= FR_EDGES);
	for (uint32_t i = 0; i < what->npending; i++)
		fr_assert(fr_head(f->m, what->pending[i]) == what->pending[i]);
	for (uint32_t i = 0; i < what->npending; i++)
		touch(f, f->m->ev[what->pending[i]].thread)->limit = what->pending[i];
	for (uint32_t i = 0; i < what->npending; i++)
		before_pending(f, what->pending[i]);
	for (uint32_t i = 0; i < what->nedges; i++) {
		bool pending = false;

		for (uint32_t k = 0; k < what->npending; k++)
			pending |= what->pending[k] == fr_head(f->m, what->edge[i].after);
		fr_prefix_need(f, what->edge[i].before);
		if (!pending)
			fr_prefix_need(f, what->edge[i].after);
	}
	if (what->sees.on)
		fr_prefix_need_some(f, what->sees.write);
}

void fr_prefix_limit(struct fr_prefix *f, fr_ev e)
{
	struct fr_prefix_thread *x = touch(f, f->m->ev[e].thread);

	x->limit = fr_min(x->limit, e);
	f->failed |= e < x->want;
}

fr_ev fr_sees_from(const struct fr_causality *c, const struct fr_model *m,
		   const struct fr_candidate *what, fr_ev from)
{
	uint32_t loc;
	fr_ev e;

	if (!what->sees.on)
		return FR_NO_EV;
	loc = m->ev[what->sees.read].obj;
	e = fr_write_from(c, loc, fr_sees_bytes(m, what), from);
	if (e != FR_NO_EV && e == what->sees.write)
		e = fr_write_from(c, loc, fr_sees_bytes(m, what), e + 1);
	return e;
}

fr_ev fr_sees_first(const struct fr_causality *c, const struct fr_model *m,
		    const struct fr_candidate *what)
{
	fr_ev w = what->sees.write;

	return fr_sees_from(c, m, what, w == FR_NO_EV ? 0 : w + 1);
}

bool fr_sees_hidden(const struct fr_causality *c, const struct fr_model *m,
		    const struct fr_candidate *what, fr_ev other)
{
	fr_ev w = what->sees.write;

	fr_assert_slow(fr_sees_other(m, what, other));
	return w == FR_NO_EV || fr_mhb(c, w, other);
}

fr_ev fr_prefix_next(struct fr_prefix *f)
{
	struct fr_prefix_span s;
	const fr_ev *list;
	fr_ev e;

	if (!f->todo.n || f->failed)
		return FR_NO_EV;
	s = f->todo.v[0];
	list = f->m->thread[s.thread].ev;
	e = list[--s.end];
	fr_assert_slow(e >= f->floor && fr_prefix_has(f, e));
	f->events++;
	if (s.end > s.from) {
		s.last = list[s.end - 1];
		sink_span(f, s);
	} else if (--f->todo.n) {
		sink_span(f, f->todo.v[f->todo.n]);
	}
	return e;
}

void fr_prefix_list(struct fr_prefix *f, fr_ev e, struct fr_prefix_mark *mark, unsigned op)
{
	const struct fr_mev *v = &f->m->ev[e];
	const struct fr_mclass *k = &f->m->cls[fr_op_class[v->op]];
	uint32_t first = k->first[v->obj], end = k->first[v->obj + 1];

	if (mark->epoch != f->epoch)
		*mark = (struct fr_prefix_mark){
		    f->epoch, first + fr_list_lower(k->list + first, end - first, f->floor)};
	fr_assert(first <= mark->at && mark->at <= end);
	for (; mark->at < end && k->list[mark->at] < e; mark->at++)
		if (f->m->ev[k->list[mark->at]].op == op)
			fr_prefix_need(f, k->list[mark->at]);
}

fr_ev fr_prefix_blocker(const struct fr_prefix *f, const struct fr_causality *c, fr_ev failed)
{
	const struct fr_mclass *k = &f->m->cls[FR_C_LOCK];
	uint32_t lock = f->m->ev[failed].obj, first = k->first[lock];
	uint32_t i = first + fr_list_lower(k->list + first, k->first[lock + 1] - first, failed);

	fr_assert(f->m->ev[failed].op == FR_OP_ACQUIRE_FAILED ||
		  f->m->ev[failed].op == FR_OP_ACQUIRE_SHARED_FAILED);
	while (i-- > first && k->list[i] >= f->floor) {
		const struct fr_mev *v = &f->m->ev[k->list[i]];

		if (v->op == FR_OP_RELEASE)
			break;
		if (v->op == FR_OP_ACQUIRE ||
		    (v->op == FR_OP_ACQUIRE_SHARED && f->m->ev[failed].op == FR_OP_ACQUIRE_FAILED &&
		     fr_release_of(c, k->list[i]) > failed))
			return k->list[i];
	}
	return FR_NO_EV;
}

static void all_entered(struct fr_prefix *f, uint32_t barrier)
{
	const struct fr_mclass *k = &f->m->cls[FR_C_BARRIER];

	if (f->barrier[barrier] == f->epoch)
		return;
	f->barrier[barrier] = f->epoch;
	for (uint32_t i = k->first[barrier]; i < k->first[barrier + 1]; i++)
		if (f->m->ev[k->list[i]].op == FR_OP_BARRIER_ENTER)
			fr_prefix_need(f, k->list[i]);
}

static void once_over(struct fr_prefix *f, uint32_t once)
{
	const struct fr_mclass *k = &f->m->cls[FR_C_ONCE];

	for (uint32_t i = k->first[once]; i < k->first[once + 1]; i++) {
		if (f->m->ev[k->list[i]].op == FR_OP_ONCE_END) {
			fr_prefix_need(f, k->list[i]);
			return;
		}
	}
}

void fr_prefix_order(struct fr_prefix *f, fr_ev e)
{
	const struct fr_mev *v = &f->m->ev[e];
	const struct fr_mthread *t;

	switch (v->op) {
	case FR_OP_BARRIER_ENTER:
		if (f->m->cls[FR_C_BARRIER].obj[v->obj].aux)
			all_entered(f, f->m->cls[FR_C_BARRIER].obj[v->obj].aux - 1);
		break;
	case FR_OP_BARRIER_LEAVE:
		all_entered(f, v->obj);
		break;
	case FR_OP_ONCE_DONE:
		once_over(f, v->obj);
		break;
	case FR_OP_JOIN:
		t = &f->m->thread[v->obj];
		fr_prefix_need_some(f, t->n ? t->ev[t->n - 1] : t->create);
		break;
	case FR_OP_ACQUIRE_ALL:
		fr_prefix_list(f, e, &f->flag[v->obj], FR_OP_RELEASE_ALL);
		break;
	default:
		break;
	}
}
