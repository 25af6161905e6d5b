/*
 * The forms of candidate of a match: see pattern_form.h.
 *
 * A match of p1 < ... < pn gives several forms of candidate. In each, the last k events are
 * pending: their values are open, and they happen one after the other from there. The other events
 * have happened, each after the one before it. The largest k is limited by events of one thread and
 * by events that exclude each other. With fewer pending events less is open, but a lock can change
 * hands in between. All k are tried, largest first.
 *
 * Pending events are at once and consecutive anyway. Between events that have happened, edges
 * demand it:
 *
 *      a || b  the step before a is before b, and the step before b is before a. Then neither has
 *              happened when the later of these two steps has;
 *      a ; b   the step before b is before a, and b is before the step after a. The step after a
 *              must then happen, though a feasible order without it may exist.
 *
 * Each of the events of one `||` comes before each of the next. Events of one `||` are either all
 * pending or none. Of two consecutive events of different threads, only the second may be pending
 * if the step after the first is pending too; else both are.
 */
#include "generate/pattern_form.h"
#include "causality/refute.h"

static void add_edge(struct fr_instance *in, fr_ev before, fr_ev after)
{
	fr_assert(in->what.nedges < FR_EDGES && before < FR_NO_EV && after < FR_NO_EV);
	in->what.edge[in->what.nedges].before = before;
	in->what.edge[in->what.nedges++].after = after;
}

/* The step after e in its thread, or FR_NO_EV. */
static fr_ev step_after(const struct fr_model *m, fr_ev e)
{
	fr_ev x = fr_model_next(m, fr_head(m, e));

	while (x != FR_NO_EV && m->ev[x].flags & FR_F_PART)
		x = fr_model_next(m, x);
	return x;
}

bool fr_pattern_adjacent(const struct fr_model *m, fr_ev a, fr_ev b)
{
	return step_after(m, a) == fr_head(m, b);
}

/* b is the next step of its thread when a happens. */
static void add_pending_at(struct fr_instance *in, const struct fr_model *m, fr_ev b, fr_ev a)
{
	fr_ev before = fr_step_before(m, b);

	if (before != FR_NO_EV)
		add_edge(in, before, a);
}

/* Adds the edges of event i, which has happened, with the later events. `pending`: the first that
   is pending. */
static void add_edges(const struct fr_pattern *p, const struct fr_model *m, const fr_ev *ev,
		      uint32_t i, uint32_t pending, struct fr_instance *in)
{
	uint32_t k = i + 1;

	for (; k < p->n && p->ev[k].link == FR_LINK_AT_ONCE; k++) {
		add_pending_at(in, m, ev[k], ev[i]);
		add_pending_at(in, m, ev[i], ev[k]);
	}
	fr_assert(k < p->n); /* the last events are pending */
	if (p->ev[k].link == FR_LINK_NEXT && fr_rows_meets(p->ev, k)) {
		add_pending_at(in, m, ev[k], ev[i]);
		if (k < pending && step_after(m, ev[i]) != FR_NO_EV)
			add_edge(in, ev[k], step_after(m, ev[i]));
	}
	do
		add_edge(in, ev[i], ev[k++]);
	while (k < p->n && p->ev[k].link == FR_LINK_AT_ONCE);
}

/* The form with the last k events pending. */
static struct fr_instance *form(const struct fr_pattern *p, const struct fr_model *m,
				const fr_ev *ev, uint32_t k)
{
	uint32_t n = p->n;
	struct fr_instance *in = fr_instance_new(n);

	fr_assert(k && k <= n);
	for (uint32_t i = 0; i < n; i++) {
		in->actor[i] = (struct fr_actor){ev[i], FR_ROLE_EVENT, p->ev[i].loc + 1u};
		if (i >= n - k)
			in->what.pending[in->what.npending++] = fr_head(m, ev[i]);
		if (i < n - k)
			add_edges(p, m, ev, i, n - k, in);
	}
	fr_assert(in->what.npending == k);
	return in;
}

/* Can the last k events be pending at once, by a quick test? */
static bool can_be_pending(const struct fr_pattern *p, const struct fr_model *m,
			   const struct fr_causality *c, const fr_ev *ev, uint32_t k)
{
	for (uint32_t i = p->n - k; i < p->n; i++)
		for (uint32_t j = i + 1; j < p->n; j++)
			if (m->ev[ev[i]].thread == m->ev[ev[j]].thread ||
			    fr_pair_infeasible(m, c, fr_head(m, ev[i]), fr_head(m, ev[j])) !=
				FR_WHY_NONE)
				return false;
	return true;
}

/* May the last k events be pending, and the others not? */
static bool can_divide(const struct fr_pattern *p, const struct fr_model *m, const fr_ev *ev,
		       uint32_t k)
{
	uint32_t at = p->n - k;

	if (!at || !fr_rows_meets(p->ev, at))
		return true;
	for (uint32_t i = at + 1; i < p->n && p->ev[at].link == FR_LINK_NEXT; i++)
		if (p->ev[i].thread == p->ev[at - 1].thread)
			return fr_pattern_adjacent(m, ev[at - 1], ev[i]);
	return false;
}

/* The largest number of last events that can be pending at once. */
static uint32_t most_pending(const struct fr_pattern *p, const struct fr_model *m,
			     const struct fr_causality *c, const fr_ev *ev)
{
	uint32_t k = 1;

	while (k < p->n && can_be_pending(p, m, c, ev, k + 1))
		k++;
	return k;
}

bool fr_pattern_has_form(const struct fr_pattern *p, const struct fr_model *m,
			 const struct fr_causality *c, const fr_ev *ev)
{
	uint32_t k = 1;

	while (k < p->n && !can_divide(p, m, ev, k))
		k++;
	return k == 1 || can_be_pending(p, m, c, ev, k);
}

void fr_pattern_forms(const struct fr_pattern *p, const struct fr_model *m,
		      const struct fr_causality *c, const fr_ev *ev, struct fr_group *ret)
{
	size_t before = ret->instance.n;

	for (uint32_t k = most_pending(p, m, c, ev); k; k--)
		if (can_divide(p, m, ev, k))
			fr_vec_push(&ret->instance, form(p, m, ev, k));
	fr_assert(ret->instance.n > before); /* see_match has asked fr_pattern_has_form */
}
