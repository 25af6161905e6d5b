/* One execution and the automaton of a property: see property_watch.h. */
#include "generate/property_watch.h"
#include "base/assert.h"
#include "generate/generate.h"
#include "generate/property_instance.h"
#include "generate/property_lattice.h"
#include "trace/trace.h"
#include <string.h>

#define READERS 4096u	  /* states of the automaton that are followed at once */
#define STEPS 50000000u	  /* letters that are read for one question */
#define CLOSED UINT32_MAX /* in reader.closes: the region has ended */
/* A name of the pattern that stands for a thread without events. */
#define OUTSIDE (UINT32_MAX - 1)

/* A time of the execution: the turn, and the hook of the thread that has it. */
struct watched_time {
	uint64_t turn, hook;
};

struct watched_turn {
	uint64_t hook, stamp;
};
typedef FR_VEC(struct watched_turn) turn_list;

struct watched_item {
	struct watched_time when;
	fr_ev ev;
	uint32_t event, lane, partner;
	uint32_t nth; /* of the instance, as recorded */
};

/* One way to read the events so far. */
struct watch_reader {
	uint32_t state;
	uint32_t group, first;		    /* the || that it is in + 1, and its first item */
	uint32_t closes[FR_SPEC_VARIABLES]; /* by region: the item that closes it + 1 */
};
typedef FR_VEC(struct watch_reader) readers;

struct watched_run {
	const struct fr_auto *a;
	const struct fr_model *m;
	turn_list *turn; /* by thread of the model */
	FR_VEC(struct watched_item) item;
	FR_VEC(uint32_t) lane; /* threads of the model with items */
	uint32_t named[FR_SPEC_VARIABLES];
	readers now, next;
	uint64_t steps;
	bool over, limited;
};

/* ---- the order ---- */

static void find_turns(struct watched_run *w)
{
	w->turn = fr_xcalloc(w->m->nthreads + 1, sizeof(*w->turn));
	for (uint32_t i = 0; i < w->m->nthreads; i++) {
		const struct fr_trace_thread *th = fr_trace_thread(w->m->trace, w->m->thread[i].id);
		struct fr_iter it;
		struct fr_rec rec;

		if (!th)
			continue;
		fr_iter_open(&it, w->m->trace, th);
		while (fr_iter_next(&it, &rec, NULL) > 0)
			if (fr_event_kind(rec.e) == FR_EV_STAMP &&
			    fr_event_aux(rec.e) == FR_STAMP_TURN)
				fr_vec_push(&w->turn[i], ((struct watched_turn){
							     rec.hook, fr_event_addr(rec.e)}));
		fr_iter_close(&it);
	}
}

/* A turn begins after the hook that it names. */
static struct watched_time time_of(const struct watched_run *w, fr_ev e)
{
	uint64_t hook = fr_model_hook(w->m, e);
	const turn_list *t = &w->turn[w->m->ev[e].thread];
	size_t n = fr_bisect(t->n, i, t->v[i].hook < hook);

	return (struct watched_time){n ? t->v[n - 1].stamp : 0, hook};
}

static bool earlier(struct watched_time a, struct watched_time b)
{
	return a.turn != b.turn ? a.turn < b.turn : a.hook < b.hook;
}

static int by_time(const void *a, const void *b)
{
	const struct watched_item *x = a, *y = b;

	if (earlier(x->when, y->when))
		return -1;
	if (earlier(y->when, x->when))
		return 1;
	return (x->nth > y->nth) - (x->nth < y->nth);
}

/* ---- the automaton ---- */

static void add(struct watched_run *w, readers *to, const struct watch_reader *r)
{
	FR_VEC_FOREACH (x, to)
		if (!memcmp(x, r, sizeof(*r)))
			return;
	if (to->n == READERS)
		w->limited = true;
	else
		fr_vec_push(to, *r);
}

/* Was the item the next step of its thread when the other one happened? */
static bool was_next(const struct watched_run *w, const struct watched_item *i,
		     const struct watched_item *other)
{
	fr_ev before = fr_step_before(w->m, i->ev);

	return i->lane != other->lane &&
	       (before == FR_NO_EV || earlier(time_of(w, before), other->when));
}

/* Gives the item a mark. False: it cannot have it. */
static bool apply_mark(const struct watched_run *w, const struct fr_mark_set *m, uint32_t item,
		       struct watch_reader *r)
{
	const struct watched_item *i = &w->item.v[item];

	if (m->closes != FR_NO_NAME) {
		if (r->closes[m->closes] != item + 1)
			return false;
		r->closes[m->closes] = CLOSED;
	}
	if (m->opens != FR_NO_NAME) {
		if (r->closes[m->opens] || !i->partner)
			return false;
		r->closes[m->opens] = i->partner;
	}
	if (m->group == FR_NO_NAME) {
		r->group = r->first = 0;
	} else if (r->group != m->group + 1) {
		r->group = m->group + 1;
		r->first = item;
	} else {
		return was_next(w, i, &w->item.v[r->first]);
	}
	return true;
}

static uint32_t name_of(const struct watched_run *w, uint32_t lane)
{
	for (uint32_t i = 0; i < w->a->property->thread.n; i++)
		if (w->named[i] == lane)
			return i;
	return FR_NO_NAME;
}

/* Reads one item. Returns true if that completes a violation. */
static bool read_item(struct watched_run *w, uint32_t item)
{
	const struct fr_auto *a = w->a;
	const struct watched_item *i = &w->item.v[item];
	uint32_t name = name_of(w, i->lane);

	w->next.n = 0;
	FR_VEC_FOREACH (x, &w->now)
		for (uint32_t mark = 0; mark < a->mark.n; mark++) {
			uint32_t letter = fr_auto_letter(a, i->event, name, mark);
			struct watch_reader r = *x;

			w->steps++;
			if (letter == FR_NO_NAME || !apply_mark(w, &a->mark.v[mark], item, &r))
				continue;
			r.state = fr_dfa_step(&a->dfa, x->state, letter);
			if (a->bad[r.state])
				return true;
			if (a->live[r.state])
				add(w, &w->next, &r);
		}
	w->limited |= w->steps > STEPS;
	readers done = w->now;

	w->now = w->next;
	w->next = done;
	return false;
}

/* Reads all items with the present names of threads. */
static bool read_all(struct watched_run *w)
{
	const struct watch_reader start = {.state = w->a->dfa.start};

	w->now.n = 0;
	for (uint32_t i = 0; i < w->item.n && !w->limited; i++) {
		if (!i || !w->a->anchored)
			add(w, &w->now, &start);
		if (read_item(w, i))
			return true;
	}
	FR_VEC_FOREACH (x, &w->now)
		if (w->over && !w->limited && w->a->ends_badly[x->state])
			return true;
	return false;
}

/* Gives the names from `name` on to threads in every way. */
static bool with_names(struct watched_run *w, uint32_t name, uint32_t outside)
{
	if (name == w->a->property->thread.n)
		return read_all(w);
	for (uint32_t i = 0; i < w->lane.n && !w->limited; i++) {
		bool taken = false;

		for (uint32_t k = 0; k < name; k++)
			taken |= w->named[k] == i;
		w->named[name] = i;
		if (!taken && with_names(w, name + 1, outside))
			return true;
	}
	w->named[name] = OUTSIDE;
	return outside && !w->limited && with_names(w, name + 1, outside - 1);
}

/* ---- instances ---- */

static uint32_t lane_of(struct watched_run *w, uint32_t thread)
{
	uint32_t i = 0;

	while (i < w->lane.n && w->lane.v[i] != thread)
		i++;
	if (i == w->lane.n)
		fr_vec_push(&w->lane, thread);
	return i;
}

/* Matches the events of regions. Nesting counts within a thread, where the recorded order is that
   of the execution. */
static void find_partners(struct watched_run *w)
{
	FR_CLEANUP(fr_freep)
	struct fr_lattice_item *item = fr_xcalloc(w->item.n + 1, sizeof(*item));

	for (size_t i = 0; i < w->item.n; i++)
		item[i] = (struct fr_lattice_item){w->item.v[i].ev, w->item.v[i].event, 0};
	fr_walker_partners(w->a, w->m, item, (uint32_t)w->item.n);
	for (size_t i = 0; i < w->item.n; i++)
		w->item.v[i].partner = item[i].partner;
}

static void load(struct watched_run *w, const struct fr_occurrences *o,
		 const fr_occurrence_list *list)
{
	w->item.n = w->lane.n = 0;
	FR_VEC_FOREACH (i, list) {
		const struct fr_occurrence *e = &o->v.v[*i];

		fr_vec_push(&w->item,
			    ((struct watched_item){.when = time_of(w, e->ev),
						   .ev = e->ev,
						   .event = e->event,
						   .lane = lane_of(w, w->m->ev[e->ev].thread),
						   .nth = (uint32_t)w->item.n}));
	}
	qsort(w->item.v, w->item.n, sizeof(*w->item.v), by_time);
	find_partners(w);
}

static bool is_at(const struct fr_model *m, fr_ev e, const struct fr_watch_hook *h)
{
	return fr_model_hook(m, e) == h->hook &&
	       !strcmp(m->thread[m->ev[e].thread].path, h->thread);
}

/* Does the instance have all events of the finding? */
static bool has_all(const struct watched_run *w, const struct fr_watch_hook *hook, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool has = false;

		FR_VEC_FOREACH (x, &w->item)
			has = has || is_at(w->m, x->ev, &hook[i]);
		if (!has)
			return false;
	}
	return true;
}

/* Did all events of the finding happen, as events of the property or not? */
static bool all_happened(const struct fr_model *m, const struct fr_watch_hook *hook, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool has = false;

		for (fr_ev e = 0; e < m->n && !has; e++)
			has = is_at(m, e, &hook[i]);
		if (!has)
			return false;
	}
	return true;
}

static bool any_violated(struct watched_run *w, const struct fr_occurrences *o,
			 const struct fr_instances *x, const struct fr_watch_hook *hook, size_t n)
{
	fr_occurrence_list list = {0};
	bool violated = false;

	FR_VEC_FOREACH (i, &x->v) {
		fr_instances_events(x, i, &list);
		if (!list.n || violated)
			continue;
		load(w, o, &list);
		violated =
		    has_all(w, hook, n) && with_names(w, 0, w->m->nthreads - (uint32_t)w->lane.n);
	}
	fr_vec_free(&list);
	return violated;
}

enum fr_watch_answer fr_property_watch(const struct fr_property_kind *kind,
				       const struct fr_model *m, const struct fr_watch_hook *hook,
				       size_t n, bool over)
{
	struct watched_run w = {.a = kind->automaton, .m = m, .over = over};
	struct fr_occurrences o;
	struct fr_instances x;
	bool violated;

	if (!m->trace || !all_happened(m, hook, n))
		return FR_WATCH_OPEN;
	fr_occurrences_find(m, kind->property, &o);
	fr_instances_init(&x, &o);
	find_turns(&w);
	violated = any_violated(&w, &o, &x, hook, n);
	for (uint32_t i = 0; i < m->nthreads; i++)
		fr_vec_free(&w.turn[i]);
	free(w.turn);
	fr_vec_free(&w.item);
	fr_vec_free(&w.lane);
	fr_vec_free(&w.now);
	fr_vec_free(&w.next);
	w.limited |= x.cut_off;
	fr_instances_free(&x);
	fr_occurrences_free(&o);
	if (violated)
		return FR_WATCH_VIOLATED;
	return w.limited ? FR_WATCH_OPEN : FR_WATCH_KEPT;
}
