/*
 * The violations of a property, one instance after the other: see property.h.
 *
 * Limits:      where a limit stopped the search, or where one instance has more candidates than a
 *              group keeps, the lattice engine walks all orders of the instance
 *              (property_lattice.h). If it leaves orders open, cut_off counts them. Of many
 *              instances that are alike, the group keeps the first, as other generators do.
 */
#include "generate/property.h"
#include "base/assert.h"
#include "generate/property_hunt.h"
#include "generate/property_instance.h"
#include "generate/property_lattice.h"
#include <string.h>

#define CREDIT 2000000u /* nodes of all searches, and for each occurrence: */
#define CREDIT_EACH 64u
#define EVENTS_MAX 100000u /* of an instance that is searched */

/* ---- instances ---- */

/* Matches the events that open and close regions. */
static void find_partners(struct fr_hunt *h)
{
	FR_CLEANUP(fr_freep)
	struct fr_lattice_item *item = fr_xcalloc(h->item.n + 1, sizeof(*item));

	for (size_t i = 0; i < h->item.n; i++)
		item[i] = (struct fr_lattice_item){h->item.v[i].ev, h->item.v[i].event, 0};
	fr_walker_partners(h->a, h->m, item, (uint32_t)h->item.n);
	for (size_t i = 0; i < h->item.n; i++)
		h->item.v[i].partner = item[i].partner;
}

/* The lane of a thread; a new one if there is room, else UINT32_MAX. */
static uint32_t lane_of(struct fr_hunt *h, uint32_t thread)
{
	uint32_t i = 0;

	fr_assert(h->lanes <= FR_HUNT_THREADS);
	while (i < h->lanes && h->lane[i].thread != thread)
		i++;
	if (i == FR_HUNT_THREADS)
		return UINT32_MAX;
	if (i == h->lanes) {
		h->lane[i].thread = thread;
		h->lane[i].name = FR_NO_NAME;
		h->lane[i].item.n = 0;
		h->lane[i].next = h->lane[i].from = 0;
		h->lanes++;
	}
	return i;
}

static void hunt_instance(struct fr_hunt *h, const struct fr_occurrences *o,
			  const fr_occurrence_list *list)
{
	h->item.n = h->lanes = 0;
	h->limited = false;
	h->added = 0;
	FR_VEC_FOREACH (i, list) {
		const struct fr_occurrence *e = &o->v.v[*i];
		uint32_t lane = lane_of(h, h->m->ev[e->ev].thread);

		if (lane == UINT32_MAX || h->item.n == EVENTS_MAX) {
			h->ret->cut_off++; /* a violation could be missed, and one invented */
			h->limited = true;
			return;
		}
		fr_assert(!h->item.n || h->item.v[h->item.n - 1].ev < e->ev); /* as recorded */
		fr_vec_push(&h->lane[lane].item, (uint32_t)h->item.n);
		fr_vec_push(&h->item, ((struct fr_hunt_item){e->ev, e->event, lane, 0}));
	}
	if (h->kind->property->region.n)
		find_partners(h);
	fr_assert(h->lanes && h->lanes <= h->m->nthreads);
	h->nodes = 0;
	h->credit += (uint64_t)h->item.n * CREDIT_EACH;
	if (h->credit < FR_HUNT_NODES) {
		h->ret->cut_off++;
		h->limited = true;
		return;
	}
	fr_hunt_search(h);
	h->ret->cut_off += h->nodes >= FR_HUNT_NODES;
	h->limited |= h->nodes >= FR_HUNT_NODES;
	h->credit -= fr_min(h->credit, (uint64_t)h->nodes);
}

/* ---- walks ---- */

/* Makes the match of a walk that of the hunt: without events that change nothing, if there are too
   many, and then the last ones. *pending: how many of them are pending. */
static void take_match(struct fr_hunt *h, const struct fr_walked *w, uint32_t *pending)
{
	const struct fr_lattice_answer *v = &w->answer;
	uint32_t before = h->a->dfa.start;
	bool all = v->match.n <= FR_HUNT_MATCH;

	h->n = *pending = 0;
	for (size_t i = 0; i < v->match.n; i++) {
		uint32_t to = v->match.v[i].state;
		bool last = i + v->npending >= v->match.n;

		if (!all && !last && to == before)
			continue;
		if (h->n == FR_HUNT_MATCH) {
			memmove(h->at, h->at + 1, (FR_HUNT_MATCH - 1) * sizeof(*h->at));
			memmove(h->state, h->state + 1, FR_HUNT_MATCH * sizeof(*h->state));
			h->n--;
		}
		h->state[h->n] = before;
		h->at[h->n++] = v->match.v[i].item;
		h->state[h->n] = before = to;
		*pending += last;
	}
}

/* Loads the events of a walked instance as the hunt's items. */
static void load_items(struct fr_hunt *h, const struct fr_walked *w)
{
	h->item.n = 0;
	for (uint32_t i = 0; i < w->n; i++)
		fr_vec_push(&h->item,
			    ((struct fr_hunt_item){w->item[i].ev, w->item[i].event, 0, 0}));
	h->instance = w->instance;
}

/* Adds the violation that a walk found, with its schedule: it is tried first. */
static void add_walked(void *arg, struct fr_walked *w)
{
	struct fr_hunt *h = arg;
	struct fr_instance *in;
	struct fr_group *g;
	uint32_t pending;

	load_items(h, w);
	take_match(h, w, &pending);
	fr_assert(h->n && pending && pending <= h->n);
	in = fr_instance_new(h->n);
	in->found = true;
	in->to_end = w->answer.at_end;
	in->mask = w->mask;
	in->schedule = w->answer.schedule;
	w->answer.schedule = (struct fr_schedule){0};
	for (uint32_t i = 0; i < h->n; i++) {
		fr_ev e = h->item.v[h->at[i]].ev, head = fr_head(h->m, e);
		bool last = i + pending >= h->n;

		in->actor[i] = (struct fr_actor){e, fr_hunt_role(h, i, pending), 0};
		if (last && !fr_is_pending(&in->what, head))
			in->what.pending[in->what.npending++] = head;
		if (i && i + pending <= h->n)
			fr_hunt_add_edge(&in->what, h->item.v[h->at[i - 1]].ev, e);
	}
	g = fr_hunt_group(h);
	if (g->instance.n == FR_INSTANCES)
		fr_instance_free(g->instance.v[--g->instance.n]);
	fr_vec_push(&g->instance, in);
	memmove(g->instance.v + 1, g->instance.v, (g->instance.n - 1) * sizeof(*g->instance.v));
	g->instance.v[0] = in;
	h->n = 0;
}

/* Notes the present instance for a walk, with the number of limits that stopped its search. */
static void note_walk(struct fr_hunt *h, struct fr_walker *w, uint64_t cut_off)
{
	if (h->limited)
		fr_walker_note(w, h->instance, cut_off);
	else
		h->ret->cut_off += cut_off;
}

void fr_property_generate(const struct fr_generator *self, const struct fr_model *m,
			  const struct fr_causality *c, const struct fr_generate_opt *opt,
			  struct fr_groups *ret)
{
	const struct fr_property_kind *kind = (const struct fr_property_kind *)self;
	struct fr_hunt h = {
	    .kind = kind, .a = kind->automaton, .m = m, .c = c, .ret = ret, .credit = CREDIT};
	struct fr_occurrences o;
	struct fr_instances x;
	fr_occurrence_list list = {0};
	struct fr_walker walker = {.kind = kind, .m = m, .c = c, .opt = opt, .ret = ret};
	size_t n = 0;

	fr_assert(self->generate == fr_property_generate); /* so it is the start of a kind */
	*ret = (struct fr_groups){0};
	fr_occurrences_find(m, kind->property, &o);
	h.o = &o;
	fr_instances_init(&x, &o);
	FR_VEC_FOREACH (i, &x.v) {
		uint64_t before = ret->cut_off, cut_off;

		fr_instances_events(&x, i, &list);
		if (!list.n)
			continue;
		h.instance = i;
		hunt_instance(&h, &o, &list);
		cut_off = ret->cut_off - before;
		ret->cut_off = before;
		note_walk(&h, &walker, cut_off);
	}
	ret->cut_off += x.cut_off;
	fr_walker_run(&walker, &x, add_walked, &h);
	for (size_t i = 0; i < ret->group.n; i++)
		if (ret->group.v[i].instance.n)
			ret->group.v[n++] = ret->group.v[i];
		else
			fr_group_free(&ret->group.v[i]);
	ret->group.n = n;
	fr_instances_free(&x);
	fr_occurrences_free(&o);
	fr_vec_free(&list);
	fr_vec_free(&h.item);
	for (uint32_t i = 0; i < FR_HUNT_THREADS; i++)
		fr_vec_free(&h.lane[i].item);
	fr_map_free(&h.groups);
	fr_groups_sort(ret);
}
