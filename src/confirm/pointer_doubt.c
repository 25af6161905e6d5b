/*
 * Doubts about refutations: see pointer_doubt.h.
 *
 * Meaning: a thread read a pointer into the object of the refuted access, and a confirmed finding
 *          is about the location of that pointer. In another interleaving the thread may then
 *          access another object, which other threads use at other times.
 * Not seen: addresses that depend on such a location in another way, as an index does.
 */
#include "confirm/pointer_doubt.h"
#include "base/assert.h"
#include "model/model_heap.h"

/* Events of the thread before the access at which to look for the pointer. */
#define BACK 10000

/* Returns the position in its thread of the access at this hook; its thread's `n`: not found. */
static uint32_t position(const struct fr_model *m, const struct fr_finding_event *e)
{
	const struct fr_mthread *t = &m->thread[e->thread];
	uint32_t i = fr_hooks_find((struct fr_hooks *)&t->hooks, 0, t->n, e->hook);

	for (; i < t->n && fr_hooks_get(&t->hooks, i) == e->hook; i++)
		if (m->ev[t->ev[i]].op == e->access && fr_op_class[e->access] == FR_C_LOC)
			return i;
	return t->n;
}

/* Notes for each location the first confirmed finding about it, NULL: none. */
static const struct fr_finding **note_confirmed(const struct fr_findings *f,
						const struct fr_model *m)
{
	const struct fr_finding **by = fr_xcalloc(m->cls[FR_C_LOC].n + 1, sizeof(*by));

	FR_VEC_FOREACH (x, &f->finding)
		FR_VEC_FOREACH (w, &x->interleaving) {
			if (w->verdict != FR_VERDICT_CONFIRMED || w->other_path || !w->schedule)
				continue;
			FR_VEC_FOREACH (e, &w->event) {
				uint32_t i = e->thread < m->nthreads ? position(m, e) : 0, obj;

				if (e->thread >= m->nthreads || i == m->thread[e->thread].n)
					continue;
				obj = m->ev[m->thread[e->thread].ev[i]].obj;
				fr_assert(obj < m->cls[FR_C_LOC].n);
				if (!by[obj])
					by[obj] = x;
			}
		}
	return by;
}

/* Returns the finding that may change the address of this access, NULL: none. */
static const struct fr_finding *changes_address(const struct fr_model *m,
						const struct fr_finding *const *by,
						const struct fr_finding_event *e)
{
	const struct fr_mthread *t = &m->thread[e->thread];
	uint32_t i = position(m, e), end, heap;

	if (i == t->n)
		return NULL;
	heap = m->cls[FR_C_LOC].obj[m->ev[t->ev[i]].obj].aux;
	end = i > BACK ? i - BACK : 0;
	for (; heap && i > end; i--) {
		fr_ev ev = t->ev[i - 1];
		const struct fr_mev *r = &m->ev[ev];

		if (r->op == FR_OP_READ && r->mask == 0xff && !(r->flags & FR_F_NOVALUE) &&
		    by[r->obj] && fr_heap_find(m, r->value, ev) == heap - 1)
			return by[r->obj];
	}
	return NULL;
}

static void doubt(struct fr_findings *f, const struct fr_model *m,
		  const struct fr_finding *const *by, const struct fr_finding *x,
		  struct fr_interleaving *w)
{
	FR_VEC_FOREACH (e, &w->event) {
		const struct fr_finding *y =
		    e->thread < m->nthreads ? changes_address(m, by, e) : NULL;

		if (!y || y == x)
			continue;
		w->verdict = FR_VERDICT_UNKNOWN;
		w->detail = fr_findings_printf(f,
					       "%s; but thread %s reads the address of `%s` from "
					       "memory of a confirmed finding "
					       "(%s on `%s`), and may get another one",
					       w->detail ? w->detail : "refuted", e->path, e->name,
					       y->kind, y->subject);
		return;
	}
}

void fr_doubt_refuted(struct fr_findings *f, const struct fr_model *m)
{
	const struct fr_finding **by = note_confirmed(f, m);

	FR_VEC_FOREACH (x, &f->finding)
		FR_VEC_FOREACH (w, &x->interleaving)
			if (w->verdict == FR_VERDICT_REFUTED && !fr_harm_seen(w->harm))
				doubt(f, m, by, x, w);
	free(by);
}
