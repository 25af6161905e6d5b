/* Walks of the lattice engine: see property_lattice.h. */
#include "generate/property_lattice.h"
#include "base/assert.h"
#include "base/term.h"
#include <string.h>

#define WIDTH 8192u		   /* cuts of a level */
#define STATES (UINT64_C(1) << 16) /* of one walk */
#define CREDIT (UINT64_C(1) << 20) /* of all walks of a property */
#define ITEMS_MAX 4096u		   /* events of an instance */
#define WHOLE_MAX (1u << 16)	   /* events of a run that is walked as a whole */

struct walking {
	struct fr_walker *w;
	struct fr_lattice *l;
	void (*found)(void *arg, struct fr_walked *v);
	void *arg;
	uint64_t credit;
	double until;
	FR_VEC(struct fr_lattice_item) item;
	FR_VEC(fr_ev) ev;
	fr_occurrence_list list;
};

void fr_walker_note(struct fr_walker *w, const struct fr_binding *instance, uint64_t cut_off)
{
	fr_vec_push(&w->note, ((struct fr_walk_note){instance, cut_off, FR_NO_EV}));
}

/* The events of the property that open regions, or that close them. */
static uint32_t events_of(const struct fr_auto *a, bool closing)
{
	uint32_t set = 0;

	FR_VEC_FOREACH (l, &a->letter) {
		const struct fr_mark_set *k = &a->mark.v[l->mark];

		if ((closing ? k->closes : k->opens) != FR_NO_NAME)
			set |= 1u << l->event;
	}
	return set;
}

void fr_walker_partners(const struct fr_auto *a, const struct fr_model *m,
			struct fr_lattice_item *item, uint32_t n)
{
	uint32_t opens = events_of(a, false), closes = events_of(a, true);
	struct fr_map top = {0}; /* thread -> innermost open item + 1 */
	uint32_t *outer = opens ? fr_xcalloc(n + 1, sizeof(*outer)) : NULL;

	for (uint32_t i = 0; opens && i < n; i++) {
		uint64_t *open = fr_map_put(&top, m->ev[item[i].ev].thread);

		if (closes >> item[i].event & 1 && *open) {
			uint32_t first = (uint32_t)*open - 1;

			item[first].partner = i + 1;
			*open = outer[first];
		}
		if (opens >> item[i].event & 1) {
			outer[i] = (uint32_t)*open;
			*open = i + 1;
		}
	}
	free(outer);
	fr_map_free(&top);
}

static void load(struct walking *k, const struct fr_instances *x, const struct fr_binding *instance)
{
	fr_instances_events(x, instance, &k->list);
	k->item.n = k->ev.n = 0;
	FR_VEC_FOREACH (i, &k->list) {
		const struct fr_occurrence *o = &x->o->v.v[*i];

		fr_vec_push(&k->item, ((struct fr_lattice_item){o->ev, o->event, 0}));
		fr_vec_push(&k->ev, o->ev);
	}
	fr_walker_partners(k->w->kind->automaton, k->w->m, k->item.v, (uint32_t)k->item.n);
}

static bool has_budget(const struct walking *k)
{
	return k->credit && (!k->until || fr_now_s() < k->until);
}

enum walk_result { WALK_OPEN, WALK_NONE, WALK_FOUND };

static void count(struct fr_walks *sum, const struct fr_lattice_answer *v, double seconds)
{
	sum->walks++;
	sum->complete += v->complete;
	sum->found += v->found;
	sum->cuts += v->cuts;
	sum->levels += v->levels;
	sum->widest = fr_max(sum->widest, (uint64_t)v->widest);
	sum->seconds += seconds;
}

/* Walks from one cut. WALK_NONE: no order from there on is a violation. */
static enum walk_result walk_from(struct walking *k, const struct fr_walk_note *note, fr_ev cut,
				  const struct fr_mask *mask)
{
	const struct fr_generate_opt *opt = k->w->opt;
	struct fr_walked v = {
	    .instance = note->instance, .item = k->item.v, .n = (uint32_t)k->item.n, .mask = mask};
	struct fr_lattice_question q = {.a = k->w->kind->automaton,
					.item = k->item.v,
					.n = (uint32_t)k->item.n,
					.mask = mask,
					.cut = cut,
					.width = WIDTH,
					.states = fr_min(STATES, k->credit)};
	double begin = fr_now_s();
	enum walk_result r;

	if (!has_budget(k))
		return WALK_OPEN;
	if (opt && opt->walk_s > 0)
		q.until = fr_min(k->until ? k->until : begin + opt->walk_s, begin + opt->walk_s);
	fr_lattice_ask(k->l, &q, &v.answer);
	k->credit -=
	    fr_min(k->credit, v.answer.found || v.answer.complete ? v.answer.states + 16 : STATES);
	count(&k->w->ret->walks, &v.answer, fr_now_s() - begin);
	r = v.answer.found ? WALK_FOUND : v.answer.complete ? WALK_NONE : WALK_OPEN;
	if (v.answer.found)
		k->found(k->arg, &v);
	fr_lattice_answer_free(&v.answer);
	return r;
}

/* True: the instance is settled. */
static bool walk_instance(struct walking *k, const struct fr_walk_note *note)
{
	const struct fr_generate_opt *opt = k->w->opt;
	fr_ev cut = fr_cut_before(k->w->c, fr_head(k->w->m, k->item.v[0].ev), 0);
	enum walk_result all, some = WALK_NONE;
	const struct fr_mask *mask;

	if (k->item.n > ITEMS_MAX)
		return false;
	all = walk_from(k, note, cut, NULL);
	if (all == WALK_FOUND || all == WALK_OPEN)
		return all == WALK_FOUND;
	mask = opt ? fr_slice_mask_events(opt->slice, k->ev.v, (uint32_t)k->ev.n) : NULL;
	if (mask)
		some = walk_from(k, note, cut, mask);
	if (some == WALK_FOUND)
		return true;
	if (cut && k->w->m->n <= WHOLE_MAX)
		return walk_from(k, note, 0, NULL) != WALK_OPEN;
	return !cut && all == WALK_NONE && some == WALK_NONE;
}

static int by_first(const void *a, const void *b)
{
	const struct fr_walk_note *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return (x->instance > y->instance) - (x->instance < y->instance);
}

void fr_walker_run(struct fr_walker *w, const struct fr_instances *x,
		   void (*found)(void *arg, struct fr_walked *v), void *arg)
{
	struct walking k = {
	    .w = w, .found = found, .arg = arg, .credit = w->opt && w->opt->no_walks ? 0 : CREDIT};

	if (w->opt && w->opt->walks_s > 0)
		k.until = fr_now_s() + w->opt->walks_s;
	FR_VEC_FOREACH (n, &w->note) {
		load(&k, x, n->instance);
		n->first = k.ev.n ? k.ev.v[0] : 0;
	}
	if (w->note.n) {
		qsort(w->note.v, w->note.n, sizeof(*w->note.v), by_first);
		k.l = fr_lattice_new(w->m, w->c);
	}
	FR_VEC_FOREACH (n, &w->note) {
		bool settled = false;

		if (has_budget(&k)) {
			load(&k, x, n->instance);
			settled = walk_instance(&k, n);
		}
		w->ret->cut_off += settled ? 0 : n->cut_off;
	}
	fr_lattice_free(k.l);
	fr_vec_free(&k.item);
	fr_vec_free(&k.ev);
	fr_vec_free(&k.list);
	fr_vec_free(&w->note);
}
