/*
 * Makes bundles, first fit: in the order of the recorded run, each bug joins the open bundle if the
 * model machine can continue to its pending targets. The others wait for the next bundle.
 *
 * A race whose targets cannot happen as recorded after the bundle's earlier steps (a read would see
 * another value) closes its bundle: nothing is known about the program from there on.
 *
 * Cost:        each member costs a pass over its turns and its new steps. A schedule that does not
 *              fit is mostly recognised by its targets: a thread is past one of them.
 * Not handled: deadlocks, which do not continue; bugs with more than two pending targets, or with
 *              events that the model does not have.
 */
#include "confirm/bundle.h"
#include "base/assert.h"
#include "model/machine.h"
#include <string.h>

/* A schedule that may become a member. */
struct bundle_entry {
	size_t sched;
	uint32_t *thread;     /* by thread of the schedule: thread of the model */
	unsigned n;	      /* number of targets: 1 or 2 */
	fr_ev ev[2];	      /* the targets, in the order in which they are to happen */
	FR_VEC(fr_ev) on_way; /* its other events */
	bool ordered;	      /* that order comes from the schedule, not from the recorded run */
	bool swapped, used;
	size_t turns; /* turns needed to reach the targets */
};

struct bundle_maker {
	const struct fr_model *m;
	const struct fr_schedule_file *const *s;
	FR_VEC(struct bundle_entry) entry;
	struct fr_machine x;
	struct fr_bundle g;
	size_t begin;	      /* turns of the bundle before the member being added */
	FR_VEC(uint32_t) loc; /* locations of the members' events */
	FR_VEC(struct fr_schedule_turn) first; /* turns of other threads before the member's own */
	bool guess;			       /* reads may see other values */
	size_t least;
	uint64_t work, most;
	bool closed; /* the last targets may have another outcome than in the recorded run */
};

/* Returns the event of a thread at a hook, FR_NO_EV if the model has none there. */
static fr_ev event_at(const struct fr_model *m, uint32_t thread, uint64_t hook)
{
	const struct fr_mthread *t = &m->thread[thread];
	uint32_t lo = (uint32_t)fr_bisect(t->n, i, fr_hooks_get(&t->hooks, (uint32_t)i) < hook);

	fr_assert(thread < m->nthreads);
	return lo < t->n && fr_hooks_get(&t->hooks, lo) == hook ? fr_head(m, t->ev[lo]) : FR_NO_EV;
}

static bool make_entry(const struct bundle_maker *k, size_t i, struct bundle_entry *ret)
{
	const struct fr_schedule_file *s = k->s[i];
	struct bundle_entry e = {.sched = i};

	e.ordered = s->meeting != FR_MEETING_EITHER_ORDER;
	e.n = (unsigned)s->target.n;
	if (fr_meeting_blocks(s->meeting) || s->target.n > 2 || s->target.n < (e.ordered ? 1 : 2) ||
	    (e.n == 2 && s->target.v[0].thread == s->target.v[1].thread))
		return false;
	e.thread = fr_xcalloc(s->thread.n, sizeof(*e.thread));
	for (size_t t = 0; t < s->thread.n; t++) {
		e.thread[t] = fr_model_thread(k->m, s->thread.v[t]);
		if (e.thread[t] == UINT32_MAX)
			goto none;
	}
	for (unsigned t = 0; t < e.n; t++) {
		e.ev[t] = event_at(k->m, e.thread[s->target.v[t].thread], s->target.v[t].hook);
		if (e.ev[t] == FR_NO_EV)
			goto none;
	}
	FR_VEC_FOREACH (h, &s->event) {
		fr_vec_push(&e.on_way, event_at(k->m, e.thread[h->thread], h->hook));
		if (e.on_way.v[e.on_way.n - 1] == FR_NO_EV)
			goto none;
	}
	if (e.n == 1)
		e.ev[1] = e.ev[0];
	if (e.ev[0] > e.ev[1] && !e.ordered) {
		fr_ev first = e.ev[1];

		e.ev[1] = e.ev[0];
		e.ev[0] = first;
		e.swapped = true;
	}
	e.turns = fr_control_file_turns_needed(s);
	*ret = e;
	return true;
none:
	free(e.thread);
	fr_vec_free(&e.on_way);
	return false;
}

/* Sorts by the later of the two targets in the recorded order. */
static int by_last_target(const void *pa, const void *pb)
{
	const struct bundle_entry *a = pa, *b = pb;
	fr_ev la = a->ev[a->ev[0] < a->ev[1]], lb = b->ev[b->ev[0] < b->ev[1]];

	if (la != lb)
		return la < lb ? -1 : 1;
	if (a->ev[0] != b->ev[0])
		return a->ev[0] < b->ev[0] ? -1 : 1;
	return a->sched < b->sched ? -1 : a->sched > b->sched;
}

/* ---- the machine ---- */

/* Runs the thread up to this hook, as far as the model has events. False: impossible. */
static bool run_to(struct bundle_maker *k, uint32_t thread, uint64_t hook)
{
	const struct fr_mthread *t = &k->m->thread[thread];
	const uint32_t *next = &k->x.w[fr_machine_thread(&k->x, thread) + FR_TW_NEXT];

	while (*next < t->n && fr_hooks_get(&t->hooks, *next) <= hook) {
		k->work++;
		if (fr_machine_step(&k->x, t->ev[*next], NULL) < 0)
			return false;
	}
	return true;
}

/* Does a member of the bundle use the memory of this event? */
static bool shares_location(const struct bundle_maker *k, fr_ev e)
{
	FR_VEC_FOREACH (loc, &k->loc)
		if (*loc == k->m->ev[e].obj)
			return true;
	return false;
}

/* Are the events of a bug with one order still to come, and about other memory than the members? */
static bool is_new(const struct bundle_maker *k, const struct bundle_entry *e)
{
	for (unsigned i = 0; i < e->n; i++)
		if (fr_machine_done(&k->x, e->ev[i]) ||
		    (e->ordered && shares_location(k, e->ev[i])))
			return false;
	FR_VEC_FOREACH (ev, &e->on_way)
		if (fr_machine_done(&k->x, *ev) || shares_location(k, *ev))
			return false;
	return true;
}

/* Returns the last hook up to which a thread may run before the member's own turns: it must not
   pass one of the member's events. */
static uint64_t limit_of(const struct bundle_maker *k, const struct bundle_entry *e,
			 uint32_t thread)
{
	const struct fr_schedule_file *s = k->s[e->sched];
	uint64_t limit = 0;

	for (size_t i = 0; i < e->turns; i++)
		if (e->thread[s->turn.v[i].thread] == thread)
			limit = fr_max(limit, s->turn.v[i].hook);
	FR_VEC_FOREACH (h, &s->event)
		if (e->thread[h->thread] == thread)
			limit = fr_min(limit, h->hook - 1);
	FR_VEC_FOREACH (h, &s->target)
		if (e->thread[h->thread] == thread)
			limit = fr_min(limit, h->hook - 1);
	return limit;
}

/* After a member's targets: lets the other threads run first, as far as they can. */
static void run_others(struct bundle_maker *k, const struct bundle_entry *e)
{
	const struct fr_schedule_file *s = &k->g.s;

	k->first.n = 0;
	for (uint32_t t = 0; k->g.others && s->target.n && t < k->m->nthreads; t++) {
		const struct fr_mthread *th = &k->m->thread[t];
		const uint32_t *next = &k->x.w[fr_machine_thread(&k->x, t) + FR_TW_NEXT];
		uint64_t limit = limit_of(k, e, t);
		uint32_t from = *next;

		if (t == s->target.v[s->target.n - 1].thread)
			continue;
		while (*next < th->n && fr_hooks_get(&th->hooks, *next) <= limit &&
		       fr_machine_step(&k->x, th->ev[*next], NULL) == 0)
			k->work++;
		if (*next > from)
			fr_vec_push(&k->first, ((struct fr_schedule_turn){
						   t, fr_hooks_get(&th->hooks, *next - 1)}));
	}
}

/* Runs to the pending targets, and past them for bugs with one order. False: impossible. */
static bool run_member(struct bundle_maker *k, const struct bundle_entry *e)
{
	const struct fr_schedule_file *s = k->s[e->sched];

	k->work += e->turns;
	for (size_t i = 0; i < e->turns; i++)
		if (!run_to(k, e->thread[s->turn.v[i].thread], s->turn.v[i].hook))
			return false;
	for (unsigned i = 0; i < e->n; i++)
		if (fr_machine_next(&k->x, k->m->ev[e->ev[i]].thread) != e->ev[i])
			return false;
	for (unsigned i = 0; i < e->n && e->ordered; i++)
		if (fr_machine_step(&k->x, e->ev[i], NULL) < 0)
			return false;
	return true;
}

/* The same, with other threads first if the bundle wants that and it is possible. If the member
   does not fit, the machine is as before. */
static bool reach(struct bundle_maker *k, const struct bundle_entry *e)
{
	uint32_t back = k->x.njournal;

	if (!is_new(k, e))
		return false;
	run_others(k, e);
	if (run_member(k, e))
		return true;
	fr_machine_undo(&k->x, back);
	if (k->first.n) {
		k->first.n = 0;
		if (run_member(k, e))
			return true;
		fr_machine_undo(&k->x, back);
	}
	fr_assert(k->x.njournal == back);
	return false;
}

/* ---- the schedule ---- */

static void add_turn(struct bundle_maker *k, uint32_t thread, uint64_t hook)
{
	struct fr_schedule_file *s = &k->g.s;

	fr_assert(thread < s->last.n && k->begin <= s->turn.n);
	if (hook <= s->last.v[thread])
		return;
	s->last.v[thread] = hook;
	if (s->turn.n > k->begin && s->turn.v[s->turn.n - 1].thread == thread)
		s->turn.v[s->turn.n - 1].hook = hook;
	else
		fr_vec_push(&s->turn, ((struct fr_schedule_turn){thread, hook}));
}

/* Translates the schedule's thread into the model's thread, which bundles use. */
static struct fr_schedule_hook hook_of(const struct bundle_entry *e,
				       const struct fr_schedule_hook *h)
{
	struct fr_schedule_hook r = *h;

	r.thread = e->thread[h->thread];
	r.role = FR_ROLE_NONE;
	return r;
}

/* Turns the targets of the last member into a stop, because another member follows. */
static void add_stop(struct bundle_maker *k)
{
	struct fr_schedule_file *s = &k->g.s;

	k->begin = s->turn.n;
	fr_assert(s->target.n <= 2);
	if (!s->target.n)
		return;
	fr_vec_push(&k->g.stop, ((struct fr_control_file_stop_at){
				    .turn = s->turn.n,
				    .target = {s->target.v[0], s->target.v[s->target.n - 1]},
				    .ntargets = (unsigned)s->target.n,
				    .event = s->event.v,
				    .nevents = s->event.n,
				    .meeting = s->meeting}));
	memset(&s->event, 0, sizeof(s->event));
	for (unsigned i = 0; i < s->target.n; i++) {
		/* the machine has not passed the targets */
		fr_assert(s->last.v[s->target.v[i].thread] < s->target.v[i].hook);
		s->last.v[s->target.v[i].thread] = s->target.v[i].hook;
	}
	s->target.n = 0;
}

static void add_member(struct bundle_maker *k, const struct bundle_entry *e)
{
	const struct fr_schedule_file *from = k->s[e->sched];

	add_stop(k);
	fr_assert(k->g.stop.n == k->g.member.n && !k->g.s.target.n);
	k->g.s.meeting = from->meeting;
	FR_VEC_FOREACH (t, &k->first)
		add_turn(k, t->thread, t->hook);
	for (size_t i = 0; i < e->turns; i++)
		add_turn(k, e->thread[from->turn.v[i].thread], from->turn.v[i].hook);
	FR_VEC_FOREACH (h, &from->expect) {
		fr_vec_push(&k->g.s.expect, hook_of(e, h));
		k->g.s.expect.v[k->g.s.expect.n - 1].known &= !k->guess;
	}
	FR_VEC_FOREACH (h, &from->event)
		fr_vec_push(&k->g.s.event, hook_of(e, h));
	for (unsigned i = 0; i < e->n; i++) {
		fr_vec_push(&k->g.s.target, hook_of(e, &from->target.v[e->swapped ? 1 - i : i]));
		fr_vec_push(&k->loc, k->m->ev[e->ev[i]].obj);
	}
	FR_VEC_FOREACH (ev, &e->on_way)
		fr_vec_push(&k->loc, k->m->ev[*ev].obj);
	for (unsigned i = 0; i < e->n && !k->closed && !e->ordered; i++)
		k->closed = fr_machine_step(&k->x, e->ev[i], NULL) < 0;
	fr_vec_push(&k->g.member, ((struct fr_bundle_member){
				      .sched = e->sched, .swapped = e->swapped != k->g.reversed}));
}

static void bundle_free(struct fr_bundle *g)
{
	fr_vec_free(&g->member);
	FR_VEC_FOREACH (s, &g->stop)
		free(s->event);
	fr_vec_free(&g->stop);
	fr_schedule_file_clear(&g->s);
}

static void bundle_begin(struct bundle_maker *k)
{
	k->g = (struct fr_bundle){.guess = k->guess};
	for (uint32_t t = 0; t < k->m->nthreads; t++) {
		fr_vec_push(&k->g.s.thread, fr_xstrdup(k->m->thread[t].path));
		fr_vec_push(&k->g.s.last, 0);
	}
	k->begin = 0;
	k->loc.n = 0;
	k->closed = false;
	k->first.n = 0;
	fr_machine_init(&k->x, k->m);
	k->x.recorded = false; /* look up the value of each read, from the first one on */
	k->x.blind = k->guess;
}

static void bundle_end(struct bundle_maker *k, struct fr_bundle_list *ret)
{
	fr_machine_destroy(&k->x);
	if (k->g.member.n >= k->least)
		fr_vec_push(&ret->bundle, k->g);
	else
		bundle_free(&k->g);
}

/* The same race, in the order that the recorded run does not have. */
static struct bundle_entry reversed(const struct bundle_entry *e)
{
	struct bundle_entry r = *e;

	fr_assert(e->n == 2 && !e->ordered);
	r.ev[0] = e->ev[1];
	r.ev[1] = e->ev[0];
	r.swapped = !e->swapped;
	r.ordered = true;
	return r;
}

/* Makes a bundle of the members of another one, as far as they fit. Returns false if it has too few
   members. */
static bool follow(struct bundle_maker *k, struct fr_bundle_list *ret, size_t base, bool reverse,
		   bool others)
{
	FR_VEC(size_t) member = {0};
	size_t before = ret->bundle.n;
	bool guess = k->guess;

	FR_VEC_FOREACH (x, &ret->bundle.v[base].member)
		fr_vec_push(&member, x->sched);
	k->guess |= reverse;
	bundle_begin(k);
	k->g.ordered = ret->bundle.v[base].ordered;
	k->g.others = others;
	k->g.reversed = reverse;
	k->g.base = base;
	for (size_t i = 0; i < member.n && !k->closed; i++)
		FR_VEC_FOREACH (e, &k->entry) {
			struct bundle_entry x = *e;

			if (e->sched != member.v[i])
				continue;
			if (reverse)
				x = reversed(e);
			if (reach(k, &x))
				add_member(k, &x);
			break;
		}
	fr_vec_free(&member);
	bundle_end(k, ret);
	k->guess = guess;
	return ret->bundle.n > before;
}

/* Makes the bundles that follow from the last one in the list. */
static void follow_all(struct bundle_maker *k, struct fr_bundle_list *ret)
{
	size_t base = ret->bundle.n - 1;

	ret->bundle.v[base].base = base;
	follow(k, ret, base, false, true);
	if (!ret->bundle.v[base].ordered && k->work < k->most && follow(k, ret, base, true, false))
		follow(k, ret, ret->bundle.n - 1, true, true);
}

/* Makes a bundle of the first schedule left and those that fit after it. False: none left. */
static bool one_bundle(struct bundle_maker *k, struct fr_bundle_list *ret)
{
	size_t n = 0, before = ret->bundle.n;

	bundle_begin(k);
	FR_VEC_FOREACH (e, &k->entry) {
		if (e->used || k->closed || k->work >= k->most || (k->guess && !e->ordered) ||
		    (n && e->ordered != k->g.ordered))
			continue;
		/* The first schedule is used up, even if its bundle has no other member. */
		e->used = !n++;
		k->g.ordered = e->ordered;
		if (!reach(k, e))
			continue;
		e->used = true;
		add_member(k, e);
	}
	bundle_end(k, ret);
	if (ret->bundle.n > before)
		follow_all(k, ret);
	return n != 0;
}

/* Marks the schedules that are in no bundle as not used. */
static void free_the_rest(struct bundle_maker *k, const struct fr_bundle_list *l)
{
	FR_VEC_FOREACH (e, &k->entry) {
		e->used = false;
		FR_VEC_FOREACH (g, &l->bundle)
			FR_VEC_FOREACH (x, &g->member)
				e->used |= x->sched == e->sched;
	}
}

void fr_bundle_make(const struct fr_model *m, const struct fr_schedule_file *const *s, size_t n,
		    size_t least, uint64_t work, struct fr_bundle_list *ret)
{
	struct bundle_maker k = {.m = m, .s = s, .least = least, .most = work};

	fr_assert(least >= 2);
	*ret = (struct fr_bundle_list){0};
	for (size_t i = 0; i < n; i++) {
		struct bundle_entry e;

		if (make_entry(&k, i, &e))
			fr_vec_push(&k.entry, e);
	}
	if (k.entry.n)
		qsort(k.entry.v, k.entry.n, sizeof(*k.entry.v), by_last_target);
	while (k.work < k.most && one_bundle(&k, ret))
		;
	k.guess = true;
	free_the_rest(&k, ret);
	while (k.work < k.most && one_bundle(&k, ret))
		;
	ret->work = k.work;
	FR_VEC_FOREACH (e, &k.entry) {
		free(e->thread);
		fr_vec_free(&e->on_way);
	}
	fr_vec_free(&k.entry);
	fr_vec_free(&k.loc);
	fr_vec_free(&k.first);
}

void fr_bundle_list_free(struct fr_bundle_list *l)
{
	FR_VEC_FOREACH (g, &l->bundle)
		bundle_free(g);
	fr_vec_free(&l->bundle);
}
