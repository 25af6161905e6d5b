/*
 * Builds control files from schedules.
 *
 * A schedule names its threads by creation path ("0.2.1"). In the control file, a thread is the
 * n-th child of another, which must be in the file too. So parents that the schedule does not
 * mention are added. Main is the first. Threads that asked for time, ids and other inputs are added
 * too: they may run after the targets, and get the recorded answers then.
 *
 * Expectations: the site and event kind of every hook that the schedule names; the value of a read,
 * because the thread's further course depends on it; the outcome of a call that can have several.
 * The values of writes follow from those of reads, and are not checked.
 */
#include "confirm/control_file_build.h"
#include "base/assert.h"
#include "base/io.h"
#include "base/hash.h"
#include <errno.h>
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define QUANTUM 10000
#define NONE UINT32_MAX

struct control_file_draft {
	const struct fr_schedule_file *s;
	const struct fr_recorded *recorded;
	const struct fr_control_file_stop_at *stop;
	size_t nstops;
	struct fr_control_file_thread *thread;
	char **path;
	uint32_t n, cap;
	struct fr_map by_path;			 /* hash -> index + 1 */
	uint32_t *index;			 /* by thread of the schedule */
	const struct fr_recorded_thread **known; /* by thread; NULL = not in the trace */
	uint64_t *last; /* by thread: last hook that the schedule reaches */
	/* by thread: last hook on the path of the recorded run, as far as the schedule says */
	uint64_t *on_path;
	FR_VEC(struct fr_control_file_expect) expect;
	FR_VEC(struct fr_control_file_seen) event;
	struct fr_control_file_before before;	    /* of the targets */
	struct fr_control_file_before *before_stop; /* of the stops */
	size_t turns;
	bool other; /* other times and random numbers: values are not compared */
	struct fr_err *err;
};

/* Returns the index of a thread; adds it and its parents if needed. NONE: the path is invalid. */
static uint32_t thread_of(struct control_file_draft *b, const char *path, size_t n)
{
	const char *dot = memrchr(path, '.', n);
	uint64_t key = fr_hash_bytes(FR_HASH_START, path, n) >> 1,
		 *at = fr_map_get(&b->by_path, key);
	struct fr_control_file_thread t = {.parent = NONE};

	if (at && *at && strlen(b->path[*at - 1]) == n && !memcmp(b->path[*at - 1], path, n))
		return (uint32_t)*at - 1;
	if (!dot && (n != 1 || *path != '0'))
		return NONE;
	if (dot) {
		unsigned long nth;
		char *end;

		if (dot[1] < '1' || dot[1] > '9')
			return NONE;
		nth = strtoul(dot + 1, &end, 10);
		if (end != path + n || nth > UINT32_MAX)
			return NONE;
		t.nth = (uint32_t)nth;
		t.parent = thread_of(b, path, (size_t)(dot - path));
		if (t.parent == NONE)
			return NONE;
	}
	fr_assert(t.parent == NONE || t.parent < b->n); /* parents come first */
	if (b->n == b->cap) {
		b->cap = b->cap ? 2 * b->cap : 16;
		b->thread = fr_xrealloc(b->thread, b->cap, sizeof(*b->thread));
		b->path = fr_xrealloc(b->path, b->cap, sizeof(*b->path));
	}
	b->thread[b->n] = t;
	b->path[b->n] = fr_xstrndup(path, n);
	*fr_map_put(&b->by_path, key) = ++b->n;
	return b->n - 1;
}

/* Adds the threads of the recorded run that had inputs. */
static void add_asking(struct control_file_draft *b)
{
	for (size_t i = 0; b->recorded && i < b->recorded->thread.n; i++) {
		const struct fr_recorded_thread *t = &b->recorded->thread.v[i];

		if (t->input.n && b->n < FR_POOL_MAX_THREADS)
			thread_of(b, t->path, strlen(t->path));
	}
}

static int add_threads(struct control_file_draft *b)
{
	const struct fr_schedule_file *s = b->s;

	thread_of(b, "0", 1);
	fr_assert(b->n == 1); /* the main thread is the first */
	b->index = fr_xcalloc(s->thread.n ? s->thread.n : 1, sizeof(*b->index));
	for (size_t i = 0; i < s->thread.n; i++) {
		const char *path = s->thread.v[i];

		b->index[i] = thread_of(b, path, strlen(path));
		if (b->index[i] == NONE)
			return fr_err_say(
			    b->err, -EINVAL,
			    "the schedule names thread '%s', but not the thread that creates it",
			    path);
	}
	add_asking(b);
	b->known = fr_xcalloc(b->n, sizeof(*b->known));
	for (uint32_t i = 0; b->recorded && i < b->n; i++)
		b->known[i] = fr_recorded_thread(b->recorded, b->path[i]);
	b->last = fr_xcalloc(b->n, sizeof(*b->last));
	b->on_path = fr_xcalloc(b->n, sizeof(*b->on_path));
	memset(b->on_path, 0xff, b->n * sizeof(*b->on_path));
	FR_VEC_FOREACH (t, &s->leave)
		b->on_path[b->index[t->thread]] = t->hook - 1;
	FR_VEC_FOREACH (t, &s->turn) {
		fr_assert_slow(b->last[b->index[t->thread]] < t->hook);
		b->last[b->index[t->thread]] = t->hook;
	}
	FR_VEC_FOREACH (t, &s->target)
		b->last[b->index[t->thread]] = t->hook;
	for (size_t i = 0; i < b->nstops; i++)
		for (unsigned k = 0; k < b->stop[i].ntargets; k++) {
			const struct fr_schedule_hook *h = &b->stop[i].target[k];
			uint64_t *last = &b->last[b->index[h->thread]];

			*last = fr_max(*last, h->hook);
		}
	return 0;
}

/* If the value points into a heap object, compare it by the object's name. */
static void name_object(const struct control_file_draft *b, struct fr_control_file_expect *e)
{
	const struct fr_recorded_object *o =
	    b->recorded ? fr_recorded_object(b->recorded, e->value) : NULL;

	for (uint32_t i = 0; o && i < b->n; i++)
		if (!strcmp(b->path[i], b->recorded->thread.v[o->thread].path)) {
			e->flags |= FR_CTL_OBJECT;
			e->object_thread = i;
			e->object_hook = o->hook;
			e->offset = e->value - o->lo;
			return;
		}
}

static struct fr_control_file_expect hook_of(const struct control_file_draft *b,
					     const struct fr_schedule_hook *h)
{
	const struct fr_recorded_thread *t = b->known[b->index[h->thread]];
	const struct fr_recorded_call *call =
	    t && h->hook <= b->on_path[b->index[h->thread]] ? fr_recorded_call(t, h->hook) : NULL;
	struct fr_control_file_expect e = {.hook = h->hook,
					   .value = h->value,
					   .thread = b->index[h->thread],
					   .site = h->site,
					   .kind = h->kind,
					   .memory = h->memory};

	fr_assert_slow(h->thread < b->s->thread.n && e.thread < b->n);
	/* a child has another process id in a re-execution */
	if (h->known && fr_reads_value(h->kind) && !b->other &&
	    !(b->recorded && fr_recorded_is_child(b->recorded, h->value))) {
		e.flags |= FR_CTL_VALUE;
		if (b->recorded && fr_recorded_is_address(b->recorded, h->value))
			e.flags |= FR_CTL_POINTER;
		name_object(b, &e);
	}
	if (call && call->kind == h->kind && call->kind == FR_EV_SIGNAL_BEGIN) {
		e.flags |= FR_CTL_SIGNAL | (call->gap ? FR_CTL_GAP : 0);
		e.value = call->outcome;
		e.outcome = call->child;
	} else if (call && call->kind == h->kind) {
		e.flags |= FR_CTL_OUTCOME;
		e.outcome = call->outcome;
	}
	return e;
}

/* Adds the calls that did not succeed, up to the last hook. Others succeed if they can. */
static void add_calls(struct control_file_draft *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const struct fr_recorded_thread *t = b->known[i];

		for (size_t k = 0;
		     t && k < t->call.n && t->call.v[k].hook <= fr_min(b->last[i], b->on_path[i]);
		     k++) {
			const struct fr_recorded_call *c = &t->call.v[k];
			struct fr_control_file_expect e = {.hook = c->hook,
							   .thread = i,
							   .kind = c->kind,
							   .outcome = c->outcome,
							   .flags =
							       FR_CTL_OUTCOME | FR_CTL_ANYSITE};

			if (c->kind == FR_EV_SIGNAL_BEGIN) {
				e.flags =
				    FR_CTL_SIGNAL | FR_CTL_ANYSITE | (c->gap ? FR_CTL_GAP : 0);
				e.value = c->outcome;
				e.outcome = c->child;
			}
			if (c->outcome != FR_OK)
				fr_vec_push(&b->expect, e);
		}
	}
}

/* Returns the number of a finding's event at this hook, and adds an expectation for it. */
static uint32_t event_at(struct control_file_draft *b, const struct fr_schedule_hook *h)
{
	struct fr_control_file_expect x = hook_of(b, h);
	size_t n = 0;

	for (; n < b->event.n; n++)
		if (b->event.v[n].thread == x.thread && b->event.v[n].hook == x.hook)
			return (uint32_t)n;
	fr_vec_push(&b->event,
		    ((struct fr_control_file_seen){
			.thread = x.thread, .hook = x.hook, .site = x.site, .kind = x.kind}));
	x.event = (uint32_t)n + 1;
	fr_vec_push(&b->expect, x);
	return (uint32_t)n;
}

static int add_before(struct control_file_draft *b, const struct fr_schedule_hook *h, size_t n,
		      enum fr_meeting meeting, struct fr_control_file_before *ret)
{
	if (n > FR_CONTROL_FILE_EVENTS)
		return fr_err_say(b->err, -E2BIG,
				  "the schedule has %zu events before its targets: at most %d can "
				  "be watched",
				  n, FR_CONTROL_FILE_EVENTS);
	for (size_t i = 0; i < n; i++) {
		ret->event[i].event = event_at(b, &h[i]);
		fr_assert(ret->event[i].event < b->event.n);
		ret->event[i].memory = h[i].memory;
		ret->event[i].any_order = fr_role_in_any_order(h[i].role);
	}
	ret->n = (uint32_t)n;
	/* Two regions conflict on each location in one direction, and on no other order. */
	ret->by_memory = meeting == FR_MEETING_REGIONS;
	return 0;
}

static int add_all_before(struct control_file_draft *b)
{
	int r = add_before(b, b->s->event.v, b->s->event.n, b->s->meeting, &b->before);

	b->before_stop = fr_xcalloc(b->nstops + 1, sizeof(*b->before_stop));
	for (size_t i = 0; !r && i < b->nstops; i++)
		r = add_before(b, b->stop[i].event, b->stop[i].nevents, b->stop[i].meeting,
			       &b->before_stop[i]);
	return r;
}

/* Sorts by thread and hook; of two entries for one hook, the more specific one comes first. */
static int by_hook(const void *pa, const void *pb)
{
	const struct fr_control_file_expect *a = pa, *b = pb;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->hook != b->hook)
		return a->hook < b->hook ? -1 : 1;
	if ((a->flags ^ b->flags) & FR_CTL_ANYSITE)
		return a->flags & FR_CTL_ANYSITE ? 1 : -1;
	return (a->event > b->event) - (a->event < b->event);
}

static void sort_expect(struct control_file_draft *b)
{
	size_t n = 0;

	if (b->expect.n)
		qsort(b->expect.v, b->expect.n, sizeof(*b->expect.v), by_hook);
	for (size_t i = 0; i < b->expect.n; i++) {
		const struct fr_control_file_expect *e = &b->expect.v[i];

		if (n && b->expect.v[n - 1].thread == e->thread &&
		    b->expect.v[n - 1].hook == e->hook) {
			b->expect.v[n - 1].event |= e->event;
			continue;
		}
		b->expect.v[n++] = *e;
	}
	b->expect.n = n;
	for (size_t i = 0; i < n; i++) {
		struct fr_control_file_thread *t = &b->thread[b->expect.v[i].thread];

		if (!t->nexpect++)
			t->expect = (uint32_t)i;
		fr_assert_slow(t->expect + t->nexpect == i + 1); /* adjacent */
	}
}

static uint64_t place_inputs(struct control_file_draft *b)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct fr_recorded_thread *t = b->known[i];

		b->thread[i].input = n;
		b->thread[i].ninput = t ? t->input.n : 0;
		n += b->thread[i].ninput;
	}
	return n;
}

/* Does an event of the finding happen in the turn at this index? */
static bool has_event(const struct fr_schedule_file *s, size_t i)
{
	const struct fr_schedule_turn *t = &s->turn.v[i];
	uint64_t from = 0;

	while (i-- && !from)
		from = s->turn.v[i].thread == t->thread ? s->turn.v[i].hook : 0;
	FR_VEC_FOREACH (h, &s->event)
		if (h->thread == t->thread && h->hook > from && h->hook <= t->hook)
			return true;
	return false;
}

/* Does a target take a lock or a unit, which another thread may have to give first? */
static bool takes(const struct fr_schedule_file *s)
{
	FR_VEC_FOREACH (t, &s->target)
		if (fr_event_is(t->kind) & (FR_IS_ACQUIRE | FR_IS_WAIT) &&
		    !fr_target_blocks(s->meeting, t->role))
			return true;
	return false;
}

size_t fr_control_file_turns_needed(const struct fr_schedule_file *s)
{
	size_t n = s->turn.n;

	for (; s->target.n && n && !takes(s); n--) {
		bool needed = has_event(s, n - 1);

		FR_VEC_FOREACH (t, &s->target)
			needed |= t->thread == s->turn.v[n - 1].thread;
		if (needed)
			break;
	}
	return n;
}

static void fill_by_place(struct control_file_draft *b, const struct fr_control_file_by_place *p,
			  struct fr_control_file *c)
{
	fr_assert(p->from <= b->turns && p->nmilestones <= FR_CONTROL_FILE_MILESTONES);
	fr_assert(p->how != FR_BY_PLACE_NOT);
	c->by_place = p->how;
	c->goes_on = p->goes_on;
	c->place_from = p->from;
	c->bound = p->bound;
	c->nmilestones = p->nmilestones;
	for (uint32_t i = 0; i < p->nmilestones; i++) {
		c->milestone[i] = p->milestone[i];
		c->milestone[i].thread = b->index[p->milestone[i].thread];
	}
	for (size_t i = 0; i < b->s->thread.n; i++)
		b->thread[b->index[i]].hold = p->hold[i];
	memcpy(fr_control_file_places(c), p->place, (b->turns - p->from) * sizeof(*p->place));
}

enum fr_control_file_sleeps fr_control_file_sleeps_of(const struct fr_schedule_file *s,
						      enum fr_control_file_then then)
{
	const struct fr_schedule_hook *last = s->target.n ? &s->target.v[s->target.n - 1] : NULL;

	if (s->needs == FR_NEEDS_HANG)
		return FR_SLEEPS_IN_WAIT;
	/* A thread that waits without a lock (std::atomic::wait) reads atomically. */
	if (s->needs == FR_NEEDS_FAILURE && then == FR_THEN_GO_ON && last &&
	    fr_event_is(last->kind) & FR_IS_ATOMIC)
		return FR_SLEEPS_AFTER_READ;
	return FR_SLEEPS_NOT;
}

/* Is it a schedule of the relaxed or the hybrid tier? The latter expects no value. */
static bool guesses(const struct fr_schedule_file *s)
{
	bool reads = false;

	FR_VEC_FOREACH (h, &s->expect) {
		if (h->known)
			return s->differs.n;
		reads |= !!(fr_event_is(h->kind) & FR_IS_READ);
	}
	return reads || s->differs.n;
}

static void fill_targets(const struct control_file_draft *b, bool swapped,
			 struct fr_control_file *c)
{
	const struct fr_schedule_file *s = b->s;
	size_t n = s->target.n;

	c->ntargets = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		c->target[i] = hook_of(b, &s->target.v[swapped ? n - 1 - i : i]);
		if (!fr_target_blocks(s->meeting, s->target.v[swapped ? n - 1 - i : i].role))
			continue;
		c->target[i].flags |= FR_CTL_BLOCKS;
		c->target[i].flags &= (uint8_t)~FR_CTL_OUTCOME; /* an attempt is refused */
	}
}

static void fill_stops(const struct control_file_draft *b, struct fr_control_file *c)
{
	c->nstops = b->nstops;
	for (size_t i = 0; i < b->nstops; i++) {
		fr_assert(!i || b->stop[i - 1].turn <= b->stop[i].turn);
		fr_control_file_stops(c)[i] = (struct fr_control_file_stop){
		    .turn = b->stop[i].turn,
		    .ntargets = b->stop[i].ntargets,
		    .before = b->before_stop[i],
		};
		for (unsigned k = 0; k < b->stop[i].ntargets; k++)
			fr_control_file_stops(c)[i].target[k] = hook_of(b, &b->stop[i].target[k]);
	}
}

static void fill(struct control_file_draft *b, const struct fr_control_file_how *how,
		 struct fr_control_file *c)
{
	const struct fr_schedule_file *s = b->s;
	size_t n = s->target.n;

	fr_assert(n <= FR_CONTROL_FILE_TARGETS && b->turns <= s->turn.n);
	fr_assert(how->runs_first <= s->thread.n);
	c->version = FR_CONTROL_FILE_VERSION;
	c->then = how->then;
	c->debugger = how->debugger;
	c->other = how->other;
	c->runs_first = how->runs_first ? b->index[how->runs_first - 1] + 1 : 0;
	c->quantum = how->quantum ? how->quantum : QUANTUM;
	if (b->recorded) {
		c->handled_here = b->recorded->handled_here;
		c->handled_elsewhere = b->recorded->handled_elsewhere;
	}
	c->nthreads = b->n;
	c->nturns = b->turns;
	c->nexpect = b->expect.n;
	c->before = b->before;
	c->nevents = b->event.n;
	fill_targets(b, how->swapped, c);
	c->keeps_all = s->needs == FR_NEEDS_TWICE;
	c->guesses = guesses(s);
	/* Without a need, another exit status is harm, and this order alone may cause it. */
	c->gives_way = s->needs != FR_NEEDS_NO_HARM;
	c->sleeps = fr_control_file_sleeps_of(s, how->then);
	c->departs = n || b->nstops || s->meeting == FR_MEETING_HARM;
	if (how->by_place)
		fill_by_place(b, how->by_place, c);
	fill_stops(b, c);
	memcpy(fr_control_file_threads(c), b->thread, b->n * sizeof(*b->thread));
	for (size_t i = 0; i < b->turns; i++)
		fr_control_file_turns(c)[i] = (struct fr_control_file_turn){
		    .thread = b->index[s->turn.v[i].thread], .hook = s->turn.v[i].hook};
	if (b->expect.n)
		memcpy(fr_control_file_expects(c), b->expect.v, b->expect.n * sizeof(*b->expect.v));
	if (b->event.n)
		memcpy(fr_control_file_events(c), b->event.v, b->event.n * sizeof(*b->event.v));
	for (uint32_t i = 0; c->ninput && i < b->n; i++) {
		const struct fr_recorded_thread *t = b->known[i];

		if (t && t->input.n)
			memcpy(fr_control_file_inputs(c) + b->thread[i].input, t->input.s,
			       t->input.n);
	}
	if (c->nnames)
		memcpy(fr_control_file_names(c), b->recorded->name.v,
		       c->nnames * sizeof(struct fr_control_file_name));
	c->magic = FR_CONTROL_FILE_MAGIC;
}

/* Keeps a copy of the parts that the tool wrote. */
static void copy_own(struct fr_control_file_handle *f)
{
	const struct fr_control_file *c = f->c;

	fr_assert(c->threads_off >= sizeof(*c) && c->made_off >= c->threads_off);
	f->own = fr_xcalloc(1, c->input_off);
	memcpy(f->own, c, offsetof(struct fr_control_file, phase));
	memcpy((char *)f->own + c->threads_off, (const char *)c + c->threads_off,
	       c->made_off - c->threads_off);
}

static int make_file(struct control_file_draft *b, const struct fr_control_file_how *how,
		     struct fr_control_file_handle *ret)
{
	uint64_t threads = (sizeof(struct fr_control_file) + 63) & ~UINT64_C(63);
	uint64_t turns = threads + b->n * sizeof(struct fr_control_file_thread);
	uint64_t stops = turns + b->turns * sizeof(struct fr_control_file_turn);
	uint64_t expect = stops + b->nstops * sizeof(struct fr_control_file_stop);
	uint64_t events = expect + b->expect.n * sizeof(struct fr_control_file_expect);
	uint64_t places = events + b->event.n * sizeof(struct fr_control_file_seen);
	uint64_t made =
	    places + (how->by_place ? b->turns * sizeof(struct fr_control_file_place) : 0);
	uint64_t reads =
	    made + (how->by_place ? FR_CONTROL_FILE_MADE * sizeof(struct fr_control_file_made) : 0);
	uint64_t input =
	    reads +
	    (how->by_place ? FR_CONTROL_FILE_READS * sizeof(struct fr_control_file_read) : 0);
	uint64_t ninput = place_inputs(b);
	uint64_t names = input + ninput, nnames = b->recorded ? b->recorded->name.n : 0;
	struct fr_control_file_handle f = {.size = names +
						   nnames * sizeof(struct fr_control_file_name)};
	int r;

	fr_assert(!(expect % 8) && !(events % 8) && !(input % 8) && !(names % 8));
	r = fr_io_memory("forerun-control", f.size, &f.fd, f.path, b->err);
	if (r < 0)
		return r;
	f.c = mmap(NULL, f.size, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
	if (f.c == MAP_FAILED) {
		r = fr_err_set(b->err, -errno, "cannot map the schedule");
		close(f.fd);
		return r;
	}
	f.c->size = f.size;
	f.c->ninput = ninput;
	f.c->threads_off = threads;
	f.c->turns_off = turns;
	f.c->stops_off = stops;
	f.c->expect_off = expect;
	f.c->events_off = events;
	f.c->places_off = places;
	f.c->made_off = made;
	f.c->reads_off = reads;
	f.c->input_off = input;
	f.c->names_off = names;
	f.c->nnames = nnames;
	fill(b, how, f.c);
	copy_own(&f);
	f.nthreads = b->n;
	f.thread = fr_steal(b->path);
	*ret = f;
	return 0;
}

static int build(struct control_file_draft *b, const struct fr_control_file_how *how,
		 struct fr_control_file_handle *ret)
{
	int r;

	if (b->s->target.n > FR_CONTROL_FILE_TARGETS)
		return fr_err_say(b->err, -E2BIG,
				  "the schedule has %zu targets: at most %d can be forced",
				  b->s->target.n, FR_CONTROL_FILE_TARGETS);
	r = add_threads(b);
	if (r < 0)
		return r;
	b->turns = fr_control_file_turns_needed(b->s);
	if (b->nstops && b->turns < b->stop[b->nstops - 1].turn)
		b->turns = b->stop[b->nstops - 1].turn;
	FR_VEC_FOREACH (h, &b->s->expect)
		fr_vec_push(&b->expect, hook_of(b, h));
	r = add_all_before(b);
	if (r < 0)
		return r;
	add_calls(b);
	sort_expect(b);
	return make_file(b, how, ret);
}

int fr_control_file_build(const struct fr_schedule_file *s, const struct fr_recorded *recorded,
			  const struct fr_control_file_how *how, struct fr_control_file_handle *ret,
			  struct fr_err *reterr)
{
	struct control_file_draft b = {.s = s,
				       .recorded = recorded,
				       .stop = how->stop,
				       .nstops = how->nstops,
				       .other = how->other,
				       .err = reterr};
	int r = build(&b, how, ret);

	for (uint32_t i = 0; b.path && i < b.n; i++)
		free(b.path[i]);
	free(b.path);
	free(b.thread);
	free(b.index);
	free(b.known);
	free(b.last);
	free(b.on_path);
	fr_map_free(&b.by_path);
	fr_vec_free(&b.expect);
	fr_vec_free(&b.event);
	free(b.before_stop);
	return r;
}

/* Did a thread of the recorded run ask about a file? Then file times may matter to it. */
static bool asks_about_files(struct fr_control_file *c)
{
	const struct fr_control_file_thread *k = fr_control_file_threads(c);

	for (uint32_t i = 0; i < c->nthreads; i++) {
		fr_assert(k[i].input + k[i].ninput <= c->ninput);
		for (uint64_t at = 0; at + sizeof(struct fr_control_file_input) <= k[i].ninput;) {
			const struct fr_control_file_input *in =
			    (const void *)(fr_control_file_inputs(c) + k[i].input + at);

			if (in->what == FR_INPUT_FILE)
				return true;
			at += sizeof(*in) + ((uint64_t)in->len + 7) / 8 * 8;
		}
	}
	return false;
}

void fr_control_file_add_world(struct fr_control_file *c, const struct fr_run *run, double patience)
{
	fr_assert(c->phase == FR_PHASE_NEW); /* the program does not run yet */
	if (patience <= 0)
		patience = FR_PATIENCE_S + FR_PATIENCE_TIMES * run->record_s;
	c->patience = (uint64_t)(patience * 1e9);
	memcpy(c->clock, run->clock, sizeof(c->clock));
	c->files = asks_about_files(c);
	/* Names were lost: the program's files cannot be compared with the recorded ones. */
	c->world.lost = run->counters[FR_RTC_lost_names] != 0;
	c->world.n = c->world.lost;
}

void fr_control_file_free(struct fr_control_file_handle *f)
{
	if (!f->c)
		return;
	for (uint32_t i = 0; i < f->nthreads; i++)
		free(f->thread[i]);
	free(f->thread);
	if (f->own)
		munmap(f->c, f->size);
	else
		free(f->c);
	free(f->own);
	close(f->fd);
	*f = (struct fr_control_file_handle){0};
}
