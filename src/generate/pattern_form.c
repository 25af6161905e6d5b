/*
 * The forms of candidate of a match: see pattern_form.h.
 *
 * A match of p1 < ... < pn gives several forms of candidate. In each, the last k events are
 * pending: their values are open, and they happen one after the other from there. The other events
 * have happened, each after the one before it. The largest k is limited by events of one thread and
 * by events that exclude each other. With fewer pending events less is open, but a lock can change
 * hands in between. All k are tried, largest first.
 */
#include "generate/pattern_form.h"
#include "causality/refute.h"

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
		if (i < n - k) {
			in->what.edge[in->what.nedges].before = ev[i];
			in->what.edge[in->what.nedges++].after = ev[i + 1];
		}
	}
	return in;
}

/* Can the last k events be pending at once, by a quick test? */
static bool can_be_pending(const struct fr_pattern *p, const struct fr_model *m,
			   const struct fr_causality *c, const fr_ev *ev, uint32_t k)
{
	for (uint32_t i = p->n - k; i < p->n; i++)
		for (uint32_t j = i + 1; j < p->n; j++)
			if (m->ev[ev[i]].thread == m->ev[ev[j]].thread ||
			    fr_refute_pair(m, c, fr_head(m, ev[i]), fr_head(m, ev[j])) !=
				FR_WHY_NONE)
				return false;
	return true;
}

void fr_pattern_forms(const struct fr_pattern *p, const struct fr_model *m,
		      const struct fr_causality *c, const fr_ev *ev, struct fr_group *ret)
{
	uint32_t k = 1;

	while (k < p->n && can_be_pending(p, m, c, ev, k + 1))
		k++;
	for (; k; k--)
		fr_vec_push(&ret->instance, form(p, m, ev, k));
}
