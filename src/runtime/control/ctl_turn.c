/*
 * Chooses the next thread: by the turns, then by the targets, then round-robin until the end. While
 * a run is recorded in a fixed order, the turns of that order come first, then round-robin. A
 * *stop* (struct fr_control_file_stop) is a pair of targets between two turns; the turns continue
 * after it.
 *
 * In the free stage a thread runs until it has executed `quantum` hooks or must wait. Then the next
 * thread by number runs. The last target's thread runs first. Other threads then use their oldest
 * values, and their unfinished work stays unfinished. ctl_idle.c handles the case that no thread
 * can run.
 */
#include "ctl_freed.h"
#include "ctl_poll.h"
#include "ctl_timer.h"
#include "ctl_turn.h"
#include <linux/futex.h>

static enum { TURNS, PLACE, TARGETS, FREE } stage;
static uint64_t pos;   /* turn that is followed; all before it are over */
static uint32_t at;    /* next target to happen */
static uint32_t stops; /* number of stops that are over */
static bool fresh;     /* no thread was chosen since the free stage began */
static bool first_due; /* the thread `runs_first` has not run yet in the free stage */
/* Pool id of each thread of the schedule; 0: not created yet. */
static uint32_t id_of[FR_POOL_MAX_THREADS];
/* Recording: pool id of the thread whose turn ends when it has created another; 0: none. */
static uint32_t creator;

bool frt_ctl_free(void)
{
	return stage == FREE;
}

bool frt_ctl_turns(void)
{
	return stage == TURNS;
}

bool frt_ctl_by_place(void)
{
	return stage == PLACE;
}

/* ---- turns, stops and targets ---- */

/* The next stop, NULL: all are over. */
static struct fr_control_file_stop *stop(void)
{
	return stops < frt_ctl->nstops ? &fr_control_file_stops(frt_ctl)[stops] : NULL;
}

static const struct fr_control_file_expect *target(uint32_t i)
{
	frt_assert(i < (stop() ? stop()->ntargets : frt_ctl->ntargets));
	return stop() ? &stop()->target[i] : &frt_ctl->target[i];
}

static uint32_t ntargets(void)
{
	return stop() ? stop()->ntargets : frt_ctl->ntargets;
}

/* ---- choosing ---- */

struct frt_ctl_thread *frt_ctl_of_schedule(uint32_t known)
{
	uint32_t id = known < frt_ctl->nthreads ? id_of[known] : 0;

	frt_assert(!id || frt_ctl_threads[id - 1].known == known);
	return id ? &frt_ctl_threads[id - 1] : NULL;
}

/* The thread that a turn or target names. Diverges if it does not exist or ended too early. */
static struct frt_ctl_thread *wanted(uint32_t known, uint64_t hook, struct frt_thread *self)
{
	struct frt_ctl_thread *c = frt_ctl_of_schedule(known);
	struct fr_control_file_expect x = {.thread = known, .hook = hook};

	if (!c)
		frt_ctl_diverge(FR_DIV_NO_THREAD, self, NULL, &x);
	if (frt_ctl_status(c) == FR_CTL_OVER && c->t->hook < hook)
		frt_ctl_diverge(FR_DIV_THREAD_ENDED, c->t, NULL, &x);
	return c;
}

/* A debugger stops here: each target is the next step of its thread. */
__attribute__((noinline, visibility("default"))) void forerun_targets_meet(void)
{
	__asm__ volatile("" ::: "memory");
}

static void go_free(void)
{
	frt_assert(stage != FREE);
	stage = FREE;
	frt_ctl_timers_from_kernel();
	fresh = frt_ctl->then != FR_THEN_OTHERS;
	first_due = !frt_ctl->ntargets && frt_ctl->runs_first;
	frt_ctl_phase(FR_PHASE_MET);
	while (frt_ctl->then == FR_THEN_STOP)
		frt_ctl_futex(&frt_ctl->phase, FUTEX_WAIT,
			      FR_PHASE_MET); /* the tool ends the process */
}

void frt_ctl_go_on(void)
{
	go_free();
}

static void meet(struct frt_thread *self)
{
	frt_assert(stage == TURNS && at == 0);
	if (frt_ctl->by_place) {
		stage = PLACE;
		frt_ctl_place_begin();
		return;
	}
	stage = TARGETS;
	for (uint32_t i = 0; i < ntargets(); i++) {
		const struct fr_control_file_expect *x = target(i);
		struct frt_ctl_thread *c = wanted(x->thread, x->hook, self);

		if (c->t->hook + 1 != x->hook)
			frt_ctl_diverge(FR_DIV_BRINK, c->t, NULL, x);
		if (!stop())
			frt_ctl->met[i].id = c->t->id; /* for the debugger */
	}
	if (stop())
		return;
	if (!frt_ctl->ntargets) {
		go_free();
		return;
	}
	frt_ctl_phase(FR_PHASE_MEET);
	if (frt_ctl->debugger) {
		struct frt_thread *was = frt_self;

		frt_self = NULL; /* calls that the debugger makes do not count */
		forerun_targets_meet();
		frt_self = was;
	}
}

/* Other threads run ahead of a thread that is away, at first one hook at a time. Their next step
   may end its wait. Then it is on its way back, and its turn comes before theirs. */
#define PATIENT 256 /* hooks that are executed one at a time */
#define STRIDE 1024

static uint64_t ahead_by; /* hooks executed since a thread that should run was found away */

static uint64_t ahead_limit(const struct frt_thread *t)
{
	return t->hook + (ahead_by++ < PATIENT ? 1 : STRIDE);
}

/* True if the thread is away, or at the hook where it came back, which is counted but not over. */
static bool coming_back(const struct frt_ctl_thread *c)
{
	uint32_t s = frt_ctl_status(c);

	return s == FR_CTL_AWAY || (s == FR_CTL_READY && c->t->limit == 0);
}

static struct frt_ctl_thread *next_turn(struct frt_thread *self)
{
	const struct fr_control_file_turn *turns = fr_control_file_turns(frt_ctl);
	uint64_t end = stop()		   ? stop()->turn
		       : frt_ctl->by_place ? frt_ctl->place_from
					   : frt_ctl->nturns;
	bool behind = false; /* a thread that should run is away */

	for (uint64_t i = pos; i < end; i++) {
		struct frt_ctl_thread *c = wanted(turns[i].thread, turns[i].hook, self);

		if (c->t->hook >= turns[i].hook && !coming_back(c)) {
			frt_assert(behind || pos == i);
			if (!behind)
				atomic_store(&frt_ctl->turn, ++pos);
			continue;
		}
		/* A blocked thread may wait for a step of the thread that is away. */
		if (frt_ctl_stays_away(c) || (behind && frt_ctl_status(c) == FR_CTL_BLOCKED)) {
			behind = true;
			continue;
		}
		c->t->limit = behind ? ahead_limit(c->t) : turns[i].hook;
		if (!behind)
			ahead_by = 0;
		if (turns[i].hook < c->t->limit)
			c->t->limit = turns[i].hook;
		if (frt_ctl_next_check(c->t) < c->t->limit)
			c->t->limit = frt_ctl_next_check(c->t);
		return c;
	}
	if (!behind)
		meet(self);
	return NULL;
}

static struct frt_ctl_thread *next_target(void)
{
	const struct fr_control_file_expect *x = target(at);
	struct frt_ctl_thread *c = frt_ctl_of_schedule(x->thread);

	frt_assert(c); /* meet() has found it */
	c->t->limit = x->hook;
	return frt_ctl_status(c) == FR_CTL_AWAY ? NULL : c;
}

bool frt_ctl_can_run(const struct frt_ctl_thread *c)
{
	uint32_t s = c->t ? frt_ctl_status(c) : FR_CTL_NONE;

	return s == FR_CTL_READY || s == FR_CTL_RUNNING ||
	       (s == FR_CTL_BLOCKED && (frt_ctl_signalled(c->t->id) || frt_ctl_fd_ready(c)));
}

struct frt_ctl_thread *frt_ctl_scan(const struct frt_thread *self)
{
	uint32_t n = frt_ctl_count(), k = self ? self->id - 1 : 0;

	frt_assert(k < n);
	if (self && !fresh)
		k = (k + 1) % n;
	for (uint32_t i = 0; i < n; i++, k = (k + 1) % n)
		if (frt_ctl_can_run(&frt_ctl_threads[k]))
			return &frt_ctl_threads[k];
	return NULL;
}

/* Recording: the thread of the next turn of the order, NULL: there is none. Skips the turns of
   threads that cannot run. */
static struct frt_ctl_thread *next_of_order(void)
{
	creator = 0;
	frt_assert(stage == FREE);
	while (pos < frt_ctl->norder) {
		const struct fr_control_file_turn *turn = &fr_control_file_turns(frt_ctl)[pos++];

		atomic_store(&frt_ctl->turn, pos);
		if (turn->thread < frt_ctl_count() &&
		    frt_ctl_can_run(&frt_ctl_threads[turn->thread])) {
			creator = turn->create ? turn->thread + 1 : 0;
			return &frt_ctl_threads[turn->thread];
		}
		if (!frt_ctl->skipped++)
			frt_ctl->first_skipped = pos;
	}
	return NULL;
}

/* ---- random orders ---- */

/* Recording: a random number. The numbers depend on the seed alone. */
static uint64_t next_random(void)
{
	static uint64_t n;

	return frt_ctl_splitmix(frt_ctl->seed + ++n * FRT_CTL_SPLITMIX);
}

#define RANDOM_TURN 8 /* a turn has 1 to 2^n hooks, n < RANDOM_TURN: most are short, some long */

/* A thread that gives way runs only when no other can, one hook at a time: as soon as it releases
   an object that they wait for, they continue. This ends after GIVES_WAY hooks, or when others have
   used up WAITED turns or have yielded YIELDED times: they may wait in a loop for it. */
#define GIVES_WAY 1024
#define WAITED 4
#define YIELDED 64

static uint32_t gave_way;

static bool gives_way(const struct frt_ctl_thread *c)
{
	return frt_ctl->gives_way && frt_ctl->then == FR_THEN_OTHERS && frt_ctl->ntargets &&
	       gave_way < GIVES_WAY &&
	       c == frt_ctl_of_schedule(frt_ctl->target[frt_ctl->ntargets - 1].thread);
}

/* The number of hooks of a turn in the free stage. */
static uint64_t turn_length(const struct frt_ctl_thread *c)
{
	if (gives_way(c)) {
		gave_way++;
		return 1;
	}
	if (!frt_ctl->seed)
		return frt_ctl->quantum;
	return 1 + next_random() % (UINT64_C(1) << next_random() % RANDOM_TURN);
}

/* The thread from which the search for one that can run begins. */
static const struct frt_thread *begin_at(const struct frt_thread *self)
{
	return frt_ctl->seed ? frt_ctl_threads[next_random() % frt_ctl_count()].t : self;
}

/* Virtual time of one hook, and of giving the turn away, about as in reality. */
#define HOOK_NS 20
#define YIELD_NS 1000

static uint64_t length; /* of the present turn in the free stage, in hooks */

/* Recording: a thread may wait in a loop for one that sleeps, so its turn takes time. */
static void count_time(const struct frt_ctl_thread *c)
{
	if (!frt_ctl->recording || frt_ctl_status(c) != FR_CTL_READY)
		return;
	if (c->yields)
		frt_ctl_spend(YIELD_NS);
	else if (c->t->limit && c->t->hook >= c->t->limit)
		frt_ctl_spend(length * HOOK_NS);
}

void frt_ctl_has_created(const struct frt_thread *child)
{
	if (creator && child->parent == creator)
		frt_ctl_threads[creator - 1].due = 1;
}

static struct frt_ctl_thread *next_ready(const struct frt_thread *self)
{
	const struct frt_ctl_thread *first =
	    first_due ? frt_ctl_of_schedule(frt_ctl->runs_first - 1) : NULL;
	bool pauses = frt_ctl->runs_first && !first_due;
	struct frt_ctl_thread *c;

	if (self)
		count_time(frt_ctl_thread(self));
	c = next_of_order();
	if (!c)
		c = frt_ctl_scan(first ? first->t : begin_at(self));
	if (fresh && self) {
		fresh = false;
		frt_ctl->choice = frt_ctl_scan(self) != c;
	}
	fresh = first_due = false;
	if (c && gives_way(c)) {
		if (self && self->limit && self->hook >= self->limit)
			gave_way += GIVES_WAY / WAITED;
		else if (self && frt_ctl_thread(self)->yields)
			gave_way += GIVES_WAY / YIELDED;
		c = frt_ctl_scan(c->t);
	}
	if (!c)
		c = frt_ctl_idle(self);
	frt_assert(c->t);
	if (pauses && self && c->t != self)
		frt_ctl_pause(frt_ctl_thread(self));
	length = turn_length(c);
	c->t->limit = frt_ctl_poll_turn(c, length, self);
	length = c->turn_end - c->turn_began;
	return c;
}

struct frt_ctl_thread *frt_ctl_choose(struct frt_thread *self)
{
	struct frt_ctl_thread *c = NULL;

	if (stage == TURNS)
		c = next_turn(self);
	if (stage == PLACE)
		c = frt_ctl_place_choose(self);
	if (stage == TARGETS)
		return next_target();
	return stage == FREE ? next_ready(self) : c;
}

/* ---- targets ---- */

void frt_ctl_event(uint32_t event, const struct fr_control_file_seen *seen)
{
	static uint32_t order;
	struct fr_control_file_seen *e = &fr_control_file_events(frt_ctl)[event];

	frt_assert(event < frt_ctl->nevents && seen->id <= FR_POOL_MAX_THREADS);
	*e = *seen;
	e->order = ++order;
	if (seen->id) { /* from here on, the frames that stay: see ctl_place.c */
		struct frt_ctl_thread *c = &frt_ctl_threads[seen->id - 1];

		c->keeps = seen->kind == FR_EV_FREE;
		c->t->synced = c->t->depth;
	}
}

/* Checks that the events before the targets happened in order and access common memory. */
static void check_before(const struct fr_control_file_before *w,
			 const struct fr_control_file_seen *met)
{
	const struct fr_control_file_seen *seen = fr_control_file_events(frt_ctl);
	const struct fr_control_file_seen *all[FR_CONTROL_FILE_EVENTS + FR_CONTROL_FILE_TARGETS];
	uint32_t memory[FR_CONTROL_FILE_EVENTS + FR_CONTROL_FILE_TARGETS], n = 0;
	uint32_t wrong = fr_control_file_out_of_order(frt_ctl, w);

	if (wrong) {
		const struct fr_control_file_seen *e = &seen[w->event[wrong - 1].event];
		struct fr_control_file_expect x = {.thread = e->thread, .hook = e->hook};

		frt_ctl_diverge(FR_DIV_ORDER, NULL, e, &x);
	}
	for (uint32_t i = 0; i < w->n; i++, n++) {
		all[n] = &seen[w->event[i].event];
		memory[n] = w->event[i].memory;
	}
	for (uint32_t i = 0; i < ntargets(); i++, n++) {
		all[n] = &met[i];
		memory[n] = target(i)->memory;
	}
	frt_assert(n <= sizeof(all) / sizeof(*all));
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (memory[i] && memory[i] == memory[k] &&
			    (!frt_ctl_overlap(all[k], all[i]) ||
			     (frt_ctl->guesses && !frt_ctl_meet(all[k], all[i])))) {
				frt_ctl->apart = *all[k];
				frt_ctl_diverge(frt_ctl_overlap(all[k], all[i]) ? FR_DIV_REUSED
										: FR_DIV_APART,
						NULL, all[i], NULL);
			}
}

bool frt_ctl_leave_before_last(enum fr_divergence why, struct frt_thread *t,
			       const struct fr_control_file_seen *seen,
			       const struct fr_control_file_expect *expected)
{
	/* fr_control_file_all_but_last implies that there is one target */
	if (stage != TURNS || stop() || !fr_control_file_all_but_last(frt_ctl) ||
	    target(0)->thread == frt_ctl_thread(t)->known)
		return false;
	frt_ctl_leave(why, t, seen, expected);
	atomic_store(&frt_ctl->left_before_last, 1);
	go_free();
	return true;
}

static void met(const struct fr_control_file_seen *seen)
{
	struct fr_control_file_seen *all = stop() ? stop()->met : frt_ctl->met;

	frt_assert(stage == TARGETS && at < ntargets());
	all[at] = *seen;
	if (++at < ntargets())
		return;
	check_before(stop() ? &stop()->before : &frt_ctl->before, all);
	if (!stop()) {
		go_free();
		return;
	}
	stage = TURNS;
	at = 0;
	atomic_store(&frt_ctl->stops_met, ++stops);
}

void frt_ctl_reached(struct frt_thread *t, const struct fr_control_file_seen *seen)
{
	const struct fr_control_file_expect *x;
	enum fr_divergence why;

	if (stage != TARGETS)
		return;
	x = target(at);
	if (x->thread != frt_ctl_thread(t)->known || x->hook != t->hook)
		return;
	/* A thread that waits in a loop of its own makes the access or attempt again and again. */
	why = x->flags & FR_CTL_BLOCKS && !fr_control_file_polls(x, seen)
		  ? FR_DIV_NOT_BLOCKED
		  : frt_ctl_compare(x, seen);
	if (why && frt_ctl_dies())
		return;
	if (why)
		frt_ctl_diverge(why, t, seen, x);
	met(seen);
}

/* Did an event of the finding free the memory at this address? */
static bool was_freed(uint64_t addr, uint32_t number)
{
	const struct fr_control_file_seen *seen = fr_control_file_events(frt_ctl);
	const struct fr_control_file_before *w = &frt_ctl->before;

	for (uint32_t i = 0; i < w->n; i++) {
		const struct fr_control_file_seen *e = &seen[w->event[i].event];

		if (w->event[i].memory == number && e->order && fr_frees(e->kind) &&
		    addr - e->addr < e->size)
			return true;
	}
	return false;
}

void frt_ctl_faulted(struct frt_thread *t, uint64_t addr)
{
	struct fr_control_file_seen seen = {.thread = frt_ctl_thread(t)->known,
					    .id = t->id,
					    .hook = t->hook + 1,
					    .addr = addr,
					    .size = 1};
	const struct fr_control_file_expect *x;

	if (stage == PLACE) {
		frt_ctl_place_faulted(t, &seen);
		return;
	}
	if (stage != TARGETS || stop() || at + 1 != ntargets())
		return;
	x = target(at);
	/* The sanitizer makes calls before it reports, and these may be hooks. */
	if (x->thread != seen.thread || x->hook > seen.hook || !was_freed(addr, x->memory))
		return;
	seen.hook = x->hook;
	seen.site = x->site;
	seen.kind = x->kind;
	met(&seen);
}

/* True if t runs because the thread whose turn it is was away and may not have done its part. */
static bool ahead(const struct frt_thread *t)
{
	const struct fr_control_file_turn *turns = fr_control_file_turns(frt_ctl);

	return pos < frt_ctl->nturns && turns[pos].thread != frt_ctl_thread(t)->known;
}

void frt_ctl_blocks(struct frt_thread *t, unsigned kind, const void *obj)
{
	const struct fr_control_file_expect *x = stage == TARGETS ? target(at) : NULL;
	struct fr_control_file_seen seen =
	    frt_ctl_seen(t, fr_w0((uintptr_t)obj, kind, 0), 0, frt_call_site(t));

	if (stage == FREE || (stage == TURNS && ahead(t)))
		return;
	seen.hook++; /* the hook that cannot happen */
	if (stage == PLACE) {
		frt_ctl_place_blocks(t, &seen);
		return;
	}
	if (stage != TARGETS || !(x->flags & FR_CTL_BLOCKS) ||
	    x->thread != frt_ctl_thread(t)->known || x->hook != seen.hook)
		frt_ctl_diverge(FR_DIV_BLOCKED, t, &seen, x);
	if (frt_ctl_thread(t)->timed)
		frt_ctl_diverge(FR_DIV_NOT_BLOCKED, t, &seen, x);
	if (x->kind != seen.kind)
		frt_ctl_diverge(FR_DIV_KIND, t, &seen, x);
	if (x->site != seen.site)
		frt_ctl_diverge(FR_DIV_SITE, t, &seen, x);
	met(&seen);
}

/* ---- threads of the schedule ---- */

void frt_ctl_know(struct frt_thread *t, uint32_t parent)
{
	const struct fr_control_file_thread *k = fr_control_file_threads(frt_ctl);
	struct frt_ctl_thread *c = frt_ctl_thread(t);

	frt_assert(!c->t); /* a slot of the pool is never used again */
	*c = (struct frt_ctl_thread){.t = t, .known = UINT32_MAX};
	for (uint32_t i = 0; i < frt_ctl->nthreads && i < FR_POOL_MAX_THREADS; i++)
		if (k[i].parent == parent && (t->nth == k[i].nth || !t->nth)) {
			c->known = i;
			id_of[i] = t->id;
			return;
		}
}
