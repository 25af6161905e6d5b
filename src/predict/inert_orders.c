/* See inert_orders.h. */
#include "predict/inert_orders.h"
#include "base/mem.h"
#include "symbols/sites.h"
#include "causality/slice.h"

#define AROUND 64 /* events of a lock region */

/* Does the thread only access memory while it holds locks around this event? Otherwise it may wait
   there for a thread that needs these locks. */
static bool is_quiet(const struct fr_work *w, fr_ev e)
{
	const struct fr_mthread *t = &w->m->thread[w->m->ev[e].thread];
	uint32_t at = (uint32_t)fr_bisect(t->n, i, t->ev[i] < e), from = at, end = at;
	struct fr_held held;

	while (from && at - from < AROUND && fr_locks_held(w->c, t->ev[from], &held, 1))
		from--;
	while (end < t->n && end - at < AROUND && fr_locks_held(w->c, t->ev[end], &held, 1))
		end++;
	for (uint32_t i = from; i < end; i++) {
		const struct fr_mev *v = &w->m->ev[t->ev[i]];

		if (fr_is_access(v) ? v->flags & FR_F_ATOMIC
				    : fr_op_class[v->op] != FR_C_LOCK || v->flags & FR_F_WAIT)
			return false;
	}
	return at - from < AROUND && end - at < AROUND;
}

/* Does the value decide a branch into a failure? The failure is not an event that it influences. */
static bool decides_failure(const struct fr_work *w, fr_ev read)
{
	struct fr_site_branch b;

	return w->m->trace && w->m->trace->sites &&
	       fr_sites_branch(w->m->trace->sites, w->m->ev[read].site, 0, &b);
}

/* Can neither the value that the read returns nor the order of the events make the program fail? */
static bool is_inert(const struct fr_work *w, const struct fr_instance *in)
{
	fr_ev read = in->what.sees.read;
	bool inert =
	    in->what.sees.on && fr_slice_inert(w->run->slice, read) && !decides_failure(w, read);

	for (uint32_t i = 0; i < in->nactors && inert; i++)
		inert = is_quiet(w, in->actor[i].ev);
	return inert;
}

void fr_inert_leave_out(const struct fr_work *w, struct fr_groups *g)
{
	size_t n = 0;

	FR_VEC_FOREACH (x, &g->group) {
		bool inert = x->instance.n;

		for (size_t i = 0; i < x->instance.n && inert; i++)
			inert = is_inert(w, x->instance.v[i]);
		if (inert) {
			g->excluded += x->instances_seen;
			fr_group_free(x);
		} else {
			g->group.v[n++] = *x;
		}
	}
	g->group.n = n;
}
