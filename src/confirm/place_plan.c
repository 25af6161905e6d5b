/*
 * Plans of schedules by place, and schedules of their executions: see place_plan.h.
 *
 * Objects: the address of the recorded run stands for the object. It is the same in all executions,
 *          unless the object was allocated after the program took another branch. Then only the
 *          bytes of an earlier milestone can tell.
 * Counts:  occurrences of a site with an object, among the events of the model: memory of one
 *          thread has no places.
 */
#include "confirm/place_plan.h"
#include "base/assert.h"
#include "findings/finding.h"
#include <string.h>

/* Hooks that a run by place may execute, beyond four times those of the schedule. */
#define BOUND 1000000

/* ---- the recorded run ---- */

/* Events of one thread of the model. */
struct place_range {
	const struct fr_model *m;
	const struct fr_mthread *t; /* NULL: unknown */
};

static struct place_range thread_of(const struct fr_model *m, const char *path)
{
	uint32_t i = fr_model_thread(m, path);

	return (struct place_range){.m = m, .t = i != UINT32_MAX ? &m->thread[i] : NULL};
}

/* Returns the first event at this hook or a later one. */
static uint32_t position(const struct place_range *r, uint64_t hook)
{
	return r->t ? fr_hooks_find((struct fr_hooks *)&r->t->hooks, 0, r->t->n, hook) : 0;
}

static uint64_t address(const struct fr_model *m, const struct fr_mev *e)
{
	enum fr_class c = (enum fr_class)fr_op_class[e->op];

	if (e->flags & FR_F_RANGE || c == FR_C_HEAP || c == FR_C_MARK || c == FR_C_THREAD)
		return 0;
	return e->obj < m->cls[c].n ? m->cls[c].obj[e->obj].addr : 0;
}

/* Returns the event of this kind at a hook, NULL: the model leaves it out. */
static const struct fr_mev *event_at(const struct place_range *r, uint64_t hook, unsigned kind)
{
	for (uint32_t i = position(r, hook); r->t && i < r->t->n; i++) {
		const struct fr_mev *e = &r->m->ev[r->t->ev[i]];

		if (fr_hooks_get(&r->t->hooks, i) != hook)
			break;
		if (fr_model_kind(e) == kind && !(e->flags & FR_F_SYNTH))
			return e;
	}
	return NULL;
}

/* Counts the events like `e` with hooks in (after, until]. */
static uint32_t occurrences(const struct place_range *r, const struct fr_mev *e, uint64_t after,
			    uint64_t until)
{
	uint64_t last = 0;
	uint32_t n = 0;

	for (uint32_t i = position(r, after + 1); i < r->t->n; i++) {
		const struct fr_mev *x = &r->m->ev[r->t->ev[i]];
		uint64_t hook = fr_hooks_get(&r->t->hooks, i);

		if (hook > until)
			break;
		if (hook == last || x->site != e->site || x->op != e->op || x->obj != e->obj ||
		    x->flags & FR_F_SYNTH)
			continue;
		last = hook;
		n++;
	}
	return n;
}

/* ---- plans ---- */

static struct fr_control_file_place place_of(const struct place_range *r,
					     const struct fr_schedule_hook *h, uint64_t began)
{
	const struct fr_mev *e = event_at(r, h->hook, h->kind);

	return (struct fr_control_file_place){.kind = h->kind,
					      .site = h->site,
					      .addr = e ? address(r->m, e) : 0,
					      .count = e ? occurrences(r, e, began, h->hook) : 1};
}

static const struct fr_schedule_hook *expected_at(const struct fr_schedule_file *s,
						  const struct fr_schedule_turn *t)
{
	FR_VEC_FOREACH (h, &s->expect)
		if (h->thread == t->thread && h->hook == t->hook)
			return h;
	return NULL;
}

/* Copies the turns. The places begin before the first expectation. */
static void split_turns(struct fr_place_plan *p, const struct fr_schedule_file *s)
{
	FR_CLEANUP(fr_freep) uint64_t *first = fr_xcalloc(s->thread.n + 1, sizeof(*first));
	FR_CLEANUP(fr_freep) uint64_t *last = fr_xcalloc(s->thread.n + 1, sizeof(*last));
	bool found = false;

	FR_VEC_FOREACH (h, &s->expect)
		if (!first[h->thread] || h->hook < first[h->thread])
			first[h->thread] = h->hook;
	FR_VEC_FOREACH (t, &s->turn) {
		uint64_t at = first[t->thread];

		if (!found && at && t->hook >= at) {
			found = true;
			if (at - 1 > last[t->thread])
				fr_vec_push(&p->s.turn,
					    ((struct fr_schedule_turn){t->thread, at - 1}));
			p->from = p->s.turn.n;
		}
		fr_vec_push(&p->s.turn, *t);
		last[t->thread] = t->hook;
	}
	if (!found)
		p->from = p->s.turn.n;
}

/* After the first event, its thread has no turns: it runs only if the others need it, or when its
   next event is due. Where the schedule stops it next, it may hold a lock that they need. */
static void delay(struct fr_place_plan *p)
{
	const struct fr_schedule_hook *e = p->s.event.v;
	size_t n = p->s.turn.n, i = 0, k = 0;
	struct fr_schedule_turn *v = fr_xcalloc(n + 1, sizeof(*v));

	for (; i < n && (p->s.turn.v[i].thread != e->thread || p->s.turn.v[i].hook < e->hook); i++)
		v[k++] = p->s.turn.v[i];
	if (i < n)
		v[k++] = (struct fr_schedule_turn){e->thread, e->hook};
	p->from = fr_min(p->from, (uint64_t)k);
	for (; i < n; i++)
		if (p->s.turn.v[i].thread != e->thread)
			v[k++] = p->s.turn.v[i];
	fr_assert(k <= n + 1);
	p->s.turn.n = 0;
	for (i = 0; i < k; i++)
		fr_vec_push(&p->s.turn, v[i]);
	free(v);
}

/* Returns the last hook of the thread in the turns before turn i. */
static uint64_t began(const struct fr_place_plan *p, uint32_t thread, uint64_t i)
{
	while (i--)
		if (p->s.turn.v[i].thread == thread)
			return p->s.turn.v[i].hook;
	return 0;
}

static void add_places(struct fr_place_plan *p, const struct fr_model *m)
{
	p->bound = BOUND;
	for (uint64_t i = p->from; i < p->s.turn.n; i++) {
		const struct fr_schedule_turn *t = &p->s.turn.v[i];
		const struct fr_schedule_hook *h = expected_at(&p->s, t);
		struct place_range r = thread_of(m, p->s.thread.v[t->thread]);
		uint64_t since = began(p, t->thread, i);

		p->bound += 4 * (t->hook - since);
		fr_vec_push(&p->place,
			    h ? place_of(&r, h, since) : (struct fr_control_file_place){0});
	}
}

static const struct fr_trace_thread *recorded_thread(const struct fr_trace *t, const char *path)
{
	FR_VEC_FOREACH (x, &t->thread)
		if (!strcmp(x->path, path))
			return x;
	return NULL;
}

/* Returns the number of frames of the call stack that stay from one hook to another. */
static uint16_t frames_kept(const struct fr_trace *t, const char *path, uint64_t from, uint64_t to)
{
	const struct fr_trace_thread *of = t ? recorded_thread(t, path) : NULL;
	uint64_t depth = 0, kept = UINT16_MAX;
	struct fr_iter it;
	struct fr_rec rec;
	bool begun = false;

	if (!of)
		return 0;
	fr_iter_open(&it, t, of);
	while (fr_iter_next(&it, &rec, NULL) > 0) {
		bool changes = fr_event_kind(rec.e) == FR_EV_FRAMES;

		if (changes && begun)
			kept = fr_min(kept, fr_event_addr(rec.e));
		if (changes)
			depth = fr_event_addr(rec.e) + fr_event_aux(rec.e);
		else if (rec.hook >= to)
			break;
		if (!changes && !begun && rec.hook >= from) {
			begun = true;
			kept = fr_min(depth, (uint64_t)UINT16_MAX);
		}
	}
	fr_iter_close(&it);
	return begun ? (uint16_t)kept : 0;
}

static void add_milestone(struct fr_place_plan *p, const struct fr_model *m,
			  const struct fr_schedule_hook *h)
{
	struct place_range r = thread_of(m, p->s.thread.v[h->thread]);
	const struct fr_mev *e = event_at(&r, h->hook, h->kind);
	struct fr_control_file_milestone milestone = {
	    .hook = h->hook,
	    .thread = h->thread,
	    .memory = h->memory,
	    .blocks = fr_target_blocks(p->s.meeting, h->role),
	    .stays = p->s.meeting == FR_MEETING_EITHER_ORDER && p->nmilestones >= p->s.event.n};
	uint64_t since = began(p, h->thread, p->from), turn;

	while (milestone.turn < p->s.turn.n && (p->s.turn.v[milestone.turn].thread != h->thread ||
						p->s.turn.v[milestone.turn].hook < h->hook))
		milestone.turn++;
	turn = began(p, h->thread, milestone.turn);
	for (uint32_t i = p->nmilestones; i--;) {
		struct fr_control_file_milestone *k = &p->milestone[i];
		const struct fr_mev *was = event_at(&r, k->hook, k->place.kind);

		if (k->thread != h->thread)
			continue;
		since = fr_max(since, k->hook);
		turn = fr_max(turn, k->hook);
		k->once = was && !occurrences(&r, was, k->hook, h->hook - 1);
		if (p->s.meeting == FR_MEETING_REGIONS)
			milestone.frames =
			    frames_kept(m->trace, p->s.thread.v[h->thread], k->hook, h->hook);
		break;
	}
	milestone.place = place_of(&r, h, turn);
	milestone.total = e ? occurrences(&r, e, since, h->hook) : 1;
	p->milestone[p->nmilestones++] = milestone;
}

/* The first time that its thread comes to a milestone counts, whenever that is. */
static void take_first(struct fr_place_plan *p, const struct fr_model *m)
{
	p->bound = BOUND;
	for (uint32_t i = 0; i < p->nmilestones; i++) {
		struct fr_control_file_milestone *k = &p->milestone[i];
		struct place_range r = thread_of(m, p->s.thread.v[k->thread]);
		const struct fr_mev *e = event_at(&r, k->hook, k->place.kind);

		/* Other objects may be allocated at that time. */
		if (e && fr_op_class[e->op] == FR_C_LOC && m->cls[FR_C_LOC].obj[e->obj].aux)
			k->place.addr = 0;
		k->place.count = k->total = 1;
		k->turn = 0;
		k->once = 0;
	}
}

/* Does a thread come to a milestone more than once? */
static bool comes_again(const struct fr_schedule_file *s, const struct fr_model *m,
			const struct fr_schedule_hook *h)
{
	struct place_range r = thread_of(m, s->thread.v[h->thread]);
	const struct fr_mev *e = event_at(&r, h->hook, h->kind);
	uint32_t n = 0;

	for (uint32_t i = 0; e && i < r.t->n && n < 2; i++) {
		const struct fr_mev *x = &m->ev[r.t->ev[i]];

		n += x->site == e->site && x->op == e->op && !(x->flags & FR_F_SYNTH);
	}
	return n > 1;
}

bool fr_place_repeats(const struct fr_schedule_file *s, const struct fr_model *m)
{
	bool again = false;

	FR_VEC_FOREACH (h, &s->event)
		again |= comes_again(s, m, h);
	FR_VEC_FOREACH (h, &s->target)
		again |= comes_again(s, m, h);
	return again;
}

bool fr_place_plan(const struct fr_schedule_file *s, const struct fr_model *m, bool swapped,
		   enum fr_by_place how, struct fr_place_plan *ret)
{
	size_t n = s->target.n;

	if (!n || ((how == FR_BY_PLACE_MILESTONES || how == FR_BY_PLACE_OTHERS) && !s->event.n) ||
	    n > FR_CONTROL_FILE_TARGETS || s->event.n > FR_CONTROL_FILE_EVENTS)
		return false;
	*ret = (struct fr_place_plan){.how = how, .swapped = swapped};
	fr_schedule_file_copy_head(s, &ret->s);
	FR_VEC_FOREACH (h, &s->expect)
		fr_vec_push(&ret->s.expect, *h);
	FR_VEC_FOREACH (h, &s->event)
		fr_vec_push(&ret->s.event, *h);
	FR_VEC_FOREACH (h, &s->target)
		fr_vec_push(&ret->s.target, *h);
	if (how != FR_BY_PLACE_FIRST)
		split_turns(ret, s);
	if (how == FR_BY_PLACE_MILESTONES || how == FR_BY_PLACE_OTHERS)
		delay(ret);
	add_places(ret, m);
	FR_VEC_FOREACH (h, &s->event)
		add_milestone(ret, m, h);
	for (size_t i = 0; i < n; i++)
		add_milestone(ret, m, &s->target.v[swapped ? n - 1 - i : i]);
	if (how == FR_BY_PLACE_FIRST)
		take_first(ret, m);
	ret->hold = fr_xcalloc(s->thread.n + 1, sizeof(*ret->hold));
	return true;
}

void fr_place_plan_free(struct fr_place_plan *p)
{
	fr_schedule_file_clear(&p->s);
	fr_vec_free(&p->place);
	free(p->hold);
	*p = (struct fr_place_plan){0};
}

struct fr_control_file_by_place fr_place_how(const struct fr_place_plan *p, bool goes_on)
{
	return (struct fr_control_file_by_place){
	    .how = p->how,
	    .from = fr_min(p->from, fr_control_file_turns_needed(&p->s)),
	    .bound = p->bound,
	    .place = p->place.v,
	    .milestone = p->milestone,
	    .nmilestones = p->nmilestones,
	    .hold = p->hold,
	    .goes_on = goes_on};
}

/* ---- results ---- */

/* Returns the schedule's thread for one of the execution; adds it if it is absent. */
static uint32_t of_execution(struct fr_schedule_file *s, const struct fr_execution *r, uint32_t id)
{
	const char *path = fr_execution_thread(r, id);

	return path ? fr_schedule_file_thread(s, path) : UINT32_MAX;
}

bool fr_place_hold(struct fr_place_plan *p, const struct fr_execution *r)
{
	const struct fr_control_file_seen *e = &r->file.c->early;
	const char *path = fr_execution_thread(r, e->id);

	for (size_t i = 0; path && i < p->s.thread.n; i++)
		if (!strcmp(p->s.thread.v[i], path)) {
			if (!e->hook || (p->hold[i] && p->hold[i] <= e->hook - 1))
				return false;
			p->hold[i] = e->hook - 1;
			return true;
		}
	return false;
}

static const struct fr_control_file_seen *milestone_seen(const struct fr_place_plan *p,
							 const struct fr_execution *r, size_t i)
{
	size_t target = i - p->s.event.n;

	if (i >= p->s.event.n && p->swapped)
		i = p->s.event.n + (p->s.target.n - 1 - target);
	return &r->file.c->milestone_seen[i];
}

enum fr_place_result fr_place_result(const struct fr_place_plan *p, const struct fr_execution *r,
				     const struct fr_run *run)
{
	const struct fr_control_file *c = r->file.c;
	const char *current = fr_execution_thread(r, c->current);

	if (!r->attached || r->ended == FR_ENDED_STOP)
		return FR_PLACE_NOTHING;
	if (c->placed == FR_PLACED_ALL)
		return FR_PLACE_ALL;
	if (r->signal && c->placed == FR_PLACED_NOT && p->s.target.n == 1 && p->s.event.n >= 2 &&
	    c->milestones_seen == p->s.event.n &&
	    (!current || strcmp(current, p->s.thread.v[p->s.target.v[0].thread]) != 0))
		return FR_PLACE_BUT_LAST;
	return c->phase == FR_PHASE_HANG || (r->ended == FR_ENDED_ITSELF &&
					     (r->signal != run->signal || r->exit != run->exit))
		   ? FR_PLACE_HARM
		   : FR_PLACE_NOTHING;
}

/* Adds the events. A last one that did not happen is after the thread's next hook. Of regions, only
   the last is a target: to reach it, other threads may have to do more than their events. */
static void add_seen(const struct fr_place_plan *p, const struct fr_execution *r, bool all,
		     struct fr_schedule_file *s)
{
	size_t n = p->s.event.n + p->s.target.n;

	for (size_t i = 0; i < n; i++) {
		bool target = p->s.meeting == FR_MEETING_REGIONS ? i == n - 1 : i >= p->s.event.n;
		struct fr_schedule_hook h =
		    i >= p->s.event.n ? p->s.target.v[i - p->s.event.n] : p->s.event.v[i];

		h.hook = all || !target ? milestone_seen(p, r, i)->hook
					: fr_execution_hooks(r, p->s.thread.v[h.thread]) + 2;
		h.known = false;
		if (target)
			fr_vec_push(&s->target, h);
		else
			fr_vec_push(&s->event, h);
	}
}

/* Threads that left the path of the recorded run, and the expectations before that. */
static void add_path(const struct fr_place_plan *p, const struct fr_execution *r,
		     struct fr_schedule_file *s)
{
	struct fr_control_file *c = r->file.c;

	for (uint32_t i = 0; i < c->nthreads; i++)
		if (fr_control_file_threads(c)[i].left)
			fr_vec_push(&s->leave, ((struct fr_schedule_turn){
						   fr_schedule_file_thread(s, r->file.thread[i]),
						   fr_control_file_threads(c)[i].left}));
	FR_VEC_FOREACH (h, &p->s.expect) {
		struct fr_schedule_hook x = *h;

		x.known = false;
		FR_VEC_FOREACH (l, &s->leave)
			if (l->thread == h->thread && h->hook >= l->hook)
				x.kind = 0;
		if (x.kind)
			fr_vec_push(&s->expect, x);
	}
}

/* Returns the last hook that the thread may reach before the targets. */
static uint64_t before_target(const struct fr_schedule_file *s, uint32_t thread)
{
	FR_VEC_FOREACH (h, &s->target)
		if (h->thread == thread)
			return h->hook - 1;
	return UINT64_MAX;
}

static void add_turn(struct fr_schedule_file *s, uint32_t thread, uint64_t hook)
{
	if (thread != UINT32_MAX)
		fr_schedule_file_turn(s, thread, fr_min(hook, before_target(s, thread)));
}

/* Is the thread off the path of the recorded run at this hook? */
static bool is_off(const struct fr_schedule_file *s, uint32_t thread, uint64_t hook)
{
	FR_VEC_FOREACH (l, &s->leave)
		if (l->thread == thread)
			return hook >= l->hook;
	return false;
}

static void add_made(const struct fr_execution *r, struct fr_schedule_file *s)
{
	struct fr_control_file *c = r->file.c;

	for (uint64_t i = 0; i < c->nmade; i++) {
		const struct fr_control_file_made *t = &fr_control_file_made(c)[i];
		uint32_t thread = of_execution(s, r, t->id);

		if (thread == UINT32_MAX)
			continue;
		add_turn(s, thread, t->hook);
		if (t->kind && fr_event_name(t->kind) && is_off(s, thread, t->hook) &&
		    t->hook <= before_target(s, thread))
			fr_vec_push(&s->expect, ((struct fr_schedule_hook){.thread = thread,
									   .hook = t->hook,
									   .kind = t->kind,
									   .site = t->site}));
	}
}

/* The program ended in the middle of a turn, which is the last. */
static void add_last(const struct fr_execution *r, struct fr_schedule_file *s)
{
	uint32_t id = r->file.c->current, thread = of_execution(s, r, id);

	if (thread != UINT32_MAX)
		add_turn(s, thread, r->hooks.v[id - 1] + 1);
	FR_VEC_FOREACH (h, &s->target)
		add_turn(s, h->thread, h->hook - 1);
}

void fr_place_schedule(const struct fr_place_plan *p, const struct fr_execution *r,
		       enum fr_place_result result, struct fr_schedule_file *ret)
{
	fr_assert(result != FR_PLACE_NOTHING);
	fr_schedule_file_copy_head(&p->s, ret);
	if (result == FR_PLACE_HARM) {
		free(ret->kind);
		ret->kind = fr_xstrdup(FR_KIND_FAILURE);
		ret->meeting = FR_MEETING_HARM;
		ret->needs = FR_NEEDS_NO_HARM;
	} else {
		add_seen(p, r, result == FR_PLACE_ALL, ret);
	}
	add_path(p, r, ret);
	for (uint64_t i = 0; i < p->from; i++)
		add_turn(ret, p->s.turn.v[i].thread, p->s.turn.v[i].hook);
	add_made(r, ret);
	if (r->file.c->placed == FR_PLACED_NOT)
		add_last(r, ret);
}

/* ---- the cause ---- */

/* Returns the read of the execution at a hook, NULL: it did not read there, or that is
   forgotten. */
static const struct fr_control_file_read *read_at(struct fr_control_file *c, uint32_t thread,
						  uint64_t hook)
{
	uint64_t n = fr_min(c->nreads, (uint64_t)FR_CONTROL_FILE_READS);

	for (uint64_t i = 0; i < n; i++) {
		const struct fr_control_file_read *x = &fr_control_file_reads(c)[i];

		if (x->thread == thread && x->hook == hook)
			return x;
	}
	return NULL;
}

static bool has_value(const struct fr_event *e)
{
	unsigned kind = fr_event_kind(e), aux = fr_event_aux(e);

	if (kind == FR_EV_READ && aux & (FR_ACC_NOVALUE | FR_ACC_LATE))
		return false;
	return fr_reads_value(kind) && FR_ACC_SIZE(aux) <= 8;
}

bool fr_place_cause(const struct fr_execution *r, const struct fr_trace *t,
		    struct fr_control_file_read *ret, uint64_t *ret_recorded)
{
	struct fr_control_file *c = r->file.c;
	uint32_t thread = c->first_left - 1;
	const struct fr_trace_thread *of;
	bool found = false;
	struct fr_iter it;
	struct fr_rec rec;

	if (!c->first_left || thread >= c->nthreads ||
	    !(of = recorded_thread(t, r->file.thread[thread])))
		return false;
	fr_iter_open(&it, t, of);
	while (fr_iter_next(&it, &rec, NULL) > 0 &&
	       rec.hook < fr_control_file_threads(c)[thread].left) {
		const struct fr_control_file_read *x =
		    has_value(rec.e) ? read_at(c, thread, rec.hook) : NULL;

		if (x && x->site != rec.e->site)
			break;
		if (x && x->value != rec.e->value) {
			*ret = *x;
			*ret_recorded = rec.e->value;
			found = true;
		}
	}
	fr_iter_close(&it);
	return found;
}
