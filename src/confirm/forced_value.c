/*
 * Reads that must see another value: see forced_value.h.
 *
 * Meaning:   the events of the finding happen in an order. Everything that a thread does before its
 *            event precedes everything that another thread does after a later event. If both
 *            events are in regions of one lock, that holds for all that the regions contain.
 * Forced:    of all writes of the recorded run, the read can see only one, and that is not the one
 *            that it saw then. If it can see several, one of them may lead to the events.
 * Settled:   the branch that sent the program elsewhere may depend on earlier reads of the thread
 *            too (`if (a == b)`), and the value that the read sees on earlier reads of its writer.
 *            So none of these may find another value than in the recorded run.
 * Not seen:  orders that follow from creation, joins, signals and third threads. Then the answer is
 *            no.
 */
#include "confirm/forced_value.h"
#include "base/assert.h"
#include <string.h>

#define WRITES_MAX 64	 /* writes to a location that are examined */
#define EARLIER_MAX 4096 /* events of a thread before a read that are examined */

/* An event of the finding, and the hooks of its thread that come before or after it with it. */
struct forced_span {
	const struct fr_mthread *t;
	uint64_t hook, begin, end;
};

struct spans {
	const struct fr_model *m;
	const struct fr_place_plan *p;
	struct forced_span milestone[FR_CONTROL_FILE_MILESTONES];
};

static const struct fr_mthread *thread_of(const struct fr_model *m, const char *path)
{
	uint32_t i = fr_model_thread(m, path);

	return i != UINT32_MAX ? &m->thread[i] : NULL;
}

static uint32_t position(const struct fr_mthread *t, uint64_t hook)
{
	return fr_hooks_find((struct fr_hooks *)&t->hooks, 0, t->n, hook);
}

/* Finds the region of a lock around a hook. False: the thread does not hold it there. */
static bool find_region(const struct fr_model *m, const struct forced_span *s, uint32_t lock,
			uint64_t *ret_begin, uint64_t *ret_end)
{
	uint32_t at = position(s->t, s->hook), i = at;

	for (; i; i--) {
		const struct fr_mev *e = &m->ev[s->t->ev[i - 1]];

		if (e->obj != lock || (e->op != FR_OP_ACQUIRE && e->op != FR_OP_RELEASE))
			continue;
		if (e->op == FR_OP_RELEASE)
			return false;
		break;
	}
	if (!i)
		return false;
	*ret_begin = fr_hooks_get(&s->t->hooks, i - 1);
	*ret_end = UINT64_MAX;
	for (i = at; i < s->t->n; i++) {
		const struct fr_mev *e = &m->ev[s->t->ev[i]];

		if (e->op == FR_OP_RELEASE && e->obj == lock) {
			*ret_end = fr_hooks_get(&s->t->hooks, i);
			break;
		}
	}
	return true;
}

/* Finds the spans of two events of which a happens before b: wider if one lock guards both. */
static void find_spans(const struct spans *x, uint32_t a, uint32_t b, struct forced_span *ret_a,
		       struct forced_span *ret_b)
{
	*ret_a = x->milestone[a];
	*ret_b = x->milestone[b];
	ret_a->begin = ret_a->end = ret_a->hook;
	ret_b->begin = ret_b->end = ret_b->hook;
	for (uint32_t i = position(ret_a->t, ret_a->hook); i; i--) {
		const struct fr_mev *e = &x->m->ev[ret_a->t->ev[i - 1]];
		uint64_t begin[2], end[2];

		if (e->op != FR_OP_ACQUIRE ||
		    !find_region(x->m, ret_a, e->obj, &begin[0], &end[0]) ||
		    !find_region(x->m, ret_b, e->obj, &begin[1], &end[1]))
			continue;
		ret_a->begin = begin[0];
		ret_a->end = end[0];
		ret_b->begin = begin[1];
		ret_b->end = end[1];
		return;
	}
}

/* Does event a happen before event b, or is it pending while b is? Some events come in any order
   before the targets (struct fr_control_file_before). */
static bool before(const struct spans *x, uint32_t a, uint32_t b)
{
	enum fr_meeting meeting = x->p->s.meeting;
	uint32_t events = (uint32_t)x->p->s.event.n;

	if (a < b)
		return b >= events || (x->p->milestone[a].memory == x->p->milestone[b].memory &&
				       !(fr_role_in_any_order(x->p->s.event.v[a].role) &&
					 fr_role_in_any_order(x->p->s.event.v[b].role)));
	return a != b && b >= events &&
	       (meeting == FR_MEETING_EITHER_ORDER || fr_meeting_blocks(meeting));
}

/* Does the order make `first` of one thread happen before `second` of another? */
static bool is_before(const struct spans *x, const struct fr_mthread *one, uint64_t first,
		      const struct fr_mthread *other, uint64_t second)
{
	for (uint32_t a = 0; a < x->p->nmilestones; a++)
		for (uint32_t b = 0; b < x->p->nmilestones; b++) {
			struct forced_span s, t;

			if (x->milestone[a].t != one || x->milestone[b].t != other ||
			    !before(x, a, b))
				continue;
			find_spans(x, a, b, &s, &t);
			if (first <= s.end && second >= t.begin)
				return true;
		}
	return false;
}

/* Must event a happen before event b in the order of the finding? */
static bool must_precede(const struct spans *x, fr_ev a, fr_ev b)
{
	const struct fr_mev *v = &x->m->ev[a], *w = &x->m->ev[b];
	uint64_t first = fr_model_hook(x->m, a), second = fr_model_hook(x->m, b);

	if (v->thread == w->thread)
		return first < second;
	return is_before(x, &x->m->thread[v->thread], first, &x->m->thread[w->thread], second);
}

/* Can the read see write i of n? n: the value before all of them. */
static bool can_see(const struct spans *x, fr_ev read, const fr_ev *write, uint32_t n, uint32_t i)
{
	uint8_t mask = x->m->ev[read].mask;

	if (i < n && (must_precede(x, read, write[i]) ||
		      fr_model_hook(x->m, read) == fr_model_hook(x->m, write[i])))
		return false;
	for (uint32_t k = 0; k < n; k++)
		if (k != i && (x->m->ev[write[k]].mask & mask) == mask &&
		    (i == n || must_precede(x, write[i], write[k])) &&
		    must_precede(x, write[k], read))
			return false; /* overwritten before the read */
	return true;
}

/* The writes that a read can see in the order of the finding. */
struct sources {
	uint32_t n;	 /* how many; the initial value counts */
	bool recorded;	 /* one of them is the one that it saw in the recorded run */
	bool same_value; /* all of them wrote the value that it saw */
	fr_ev write;	 /* one of them; FR_NO_EV: the initial value */
};

/* False: too many writes to tell. */
static bool find_sources(const struct spans *x, fr_ev read, struct sources *ret)
{
	const struct fr_model *m = x->m;
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	uint32_t obj = m->ev[read].obj, n = 0, saw = UINT32_MAX;
	fr_ev write[WRITES_MAX];

	fr_assert(obj < k->n);
	for (uint32_t i = k->first[obj]; i < k->first[obj + 1]; i++) {
		fr_ev e = k->list[i];

		if (m->ev[e].op != FR_OP_WRITE || !(m->ev[e].mask & m->ev[read].mask))
			continue;
		if (n == WRITES_MAX)
			return false;
		if (e < read)
			saw = n;
		write[n++] = e;
	}
	saw = fr_min(saw, n);
	*ret = (struct sources){.same_value = true, .write = FR_NO_EV};
	for (uint32_t i = 0; i <= n; i++)
		if (can_see(x, read, write, n, i)) {
			ret->n++;
			ret->recorded |= i == saw;
			ret->same_value &=
			    i == saw || (i < n && m->ev[write[i]].mask == m->ev[read].mask &&
					 m->ev[write[i]].value == m->ev[read].value &&
					 !(m->ev[write[i]].flags & FR_F_RANGE) &&
					 !(m->ev[read].flags & FR_F_RANGE));
			if (i < n)
				ret->write = write[i];
		}
	return true;
}

/* Do the reads of the thread before this position find the values of the recorded run? */
static bool are_settled(const struct spans *x, const struct fr_mthread *t, uint32_t before)
{
	if (before > EARLIER_MAX)
		return false;
	for (uint32_t i = 0; i < before; i++) {
		struct sources s;

		if (x->m->ev[t->ev[i]].op != FR_OP_READ)
			continue;
		if (!find_sources(x, t->ev[i], &s) || !s.same_value)
			return false;
	}
	return true;
}

/* Must the read see one write, which is not the one that it saw in the recorded run, whatever the
   earlier reads of its thread and of the writer find? */
static bool is_forced(const struct spans *x, const struct fr_mthread *t, uint32_t position)
{
	struct sources s;
	const struct fr_mthread *writer;

	if (!find_sources(x, t->ev[position], &s) || s.n != 1 || s.recorded ||
	    !are_settled(x, t, position))
		return false;
	if (s.write == FR_NO_EV)
		return true;
	writer = &x->m->thread[x->m->ev[s.write].thread];
	return are_settled(x, writer, fr_model_pos(x->m, s.write));
}

bool fr_forced_read(const struct fr_model *m, const struct fr_place_plan *p, const char *thread,
		    uint64_t hook)
{
	const struct fr_mthread *t = thread_of(m, thread);
	struct spans x = {.m = m, .p = p};

	for (uint32_t i = 0; i < p->nmilestones; i++) {
		x.milestone[i] =
		    (struct forced_span){.t = thread_of(m, p->s.thread.v[p->milestone[i].thread]),
					 .hook = p->milestone[i].hook};
		if (!x.milestone[i].t)
			return false;
	}
	for (uint32_t i = t ? position(t, hook) : 0; t && i < t->n; i++) {
		if (fr_hooks_get(&t->hooks, i) != hook)
			break;
		if (m->ev[t->ev[i]].op == FR_OP_READ && is_forced(&x, t, i))
			return true;
	}
	return false;
}
