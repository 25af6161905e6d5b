/*
 * Reads that must see another value: see forced.h.
 *
 * Meaning:   the events of the finding happen in an order. What a thread does before its event
 *            comes before what another thread does after a later event. If both events are in
 *            regions of one lock, that holds for all that the regions contain.
 * Forced:    the write that the read saw comes after it now; or a write comes before it now that
 *            came after it in the recorded run.
 * Not seen:  orders that follow from creation, joins, signals and third threads. Then the answer is
 *            no.
 */
#include "confirm/forced.h"
#include "base/assert.h"
#include <string.h>

/* An event of the finding, and the hooks of its thread that come before or after it with it. */
struct span {
	const struct fr_mthread *t;
	uint64_t hook, begin, end;
};

struct spans {
	const struct fr_model *m;
	const struct fr_place_plan *p;
	struct span key[FR_CONTROL_FILE_KEYS];
};

static const struct fr_mthread *thread_of(const struct fr_model *m, const char *path)
{
	for (uint32_t i = 0; i < m->nthreads; i++)
		if (!strcmp(m->thread[i].path, path))
			return &m->thread[i];
	return NULL;
}

static uint32_t position(const struct fr_mthread *t, uint64_t hook)
{
	return fr_hooks_find((struct fr_hooks *)&t->hooks, 0, t->n, hook);
}

/* Finds the region of a lock around a hook. False: the thread does not hold it there. */
static bool find_region(const struct fr_model *m, const struct span *s, uint32_t lock,
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
static void find_spans(const struct spans *x, uint32_t a, uint32_t b, struct span *ret_a,
		       struct span *ret_b)
{
	*ret_a = x->key[a];
	*ret_b = x->key[b];
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

/* Does event a happen before event b, or is it pending while b is? Events on different memory may
   come in any order before the targets (struct fr_control_file_before). */
static bool before(const struct spans *x, uint32_t a, uint32_t b)
{
	enum fr_meeting meeting = x->p->s.meeting;
	uint32_t events = (uint32_t)x->p->s.event.n;

	if (a < b)
		return b >= events || x->p->key[a].memory == x->p->key[b].memory;
	return a != b && b >= events &&
	       (meeting == FR_MEETING_EITHER_ORDER || fr_meeting_blocks(meeting));
}

/* Does the order make `first` of one thread happen before `second` of another? */
static bool is_before(const struct spans *x, const struct fr_mthread *one, uint64_t first,
		      const struct fr_mthread *other, uint64_t second)
{
	for (uint32_t a = 0; a < x->p->nkeys; a++)
		for (uint32_t b = 0; b < x->p->nkeys; b++) {
			struct span s, t;

			if (x->key[a].t != one || x->key[b].t != other || !before(x, a, b))
				continue;
			find_spans(x, a, b, &s, &t);
			if (first <= s.end && second >= t.begin)
				return true;
		}
	return false;
}

/* Looks at the writes to the location that is read. */
static bool is_forced(const struct spans *x, fr_ev read)
{
	const struct fr_model *m = x->m;
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	const struct fr_mthread *t = &m->thread[m->ev[read].thread];
	uint32_t obj = m->ev[read].obj;
	uint64_t hook = fr_model_idx(m, read);
	fr_ev saw = FR_NO_EV;

	fr_assert(obj < k->n);
	for (uint32_t i = k->first[obj]; i < k->first[obj + 1]; i++) {
		fr_ev e = k->list[i];

		if (m->ev[e].op != FR_OP_WRITE || !(m->ev[e].mask & m->ev[read].mask))
			continue;
		if (e < read)
			saw = e;
		else if (m->ev[e].thread != m->ev[read].thread &&
			 is_before(x, &m->thread[m->ev[e].thread], fr_model_idx(m, e), t, hook))
			return true;
	}
	return saw != FR_NO_EV && m->ev[saw].thread != m->ev[read].thread &&
	       is_before(x, t, hook, &m->thread[m->ev[saw].thread], fr_model_idx(m, saw));
}

bool fr_forced_read(const struct fr_model *m, const struct fr_place_plan *p, const char *thread,
		    uint64_t hook)
{
	const struct fr_mthread *t = thread_of(m, thread);
	struct spans x = {.m = m, .p = p};

	for (uint32_t i = 0; i < p->nkeys; i++) {
		x.key[i] = (struct span){.t = thread_of(m, p->s.thread.v[p->key[i].thread]),
					 .hook = p->key[i].hook};
		if (!x.key[i].t)
			return false;
	}
	for (uint32_t i = t ? position(t, hook) : 0; t && i < t->n; i++) {
		if (fr_hooks_get(&t->hooks, i) != hook)
			break;
		if (m->ev[t->ev[i]].op == FR_OP_READ && is_forced(&x, t->ev[i]))
			return true;
	}
	return false;
}
