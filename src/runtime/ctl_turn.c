/*
 * Who runs next: turns, then targets, then everybody in turn until the end. Meetings on the way are
 * targets too; after them the turns go on.
 *
 * Invariant: one thread has FR_CTL_RUNNING and executes this file; or none has, `current` is 0, and
 *            the first that comes back from outside takes the turn.
 * After the targets a thread runs until it has executed `quantum` hooks or cannot go on; then the
 * next one by its number. Calls with a time limit expire when nothing else can run, the earliest
 * first: time is virtual, and passes only then.
 * A thread that waits outside (a pipe, a socket) is noticed by the tool, which makes a parked
 * thread its deputy. It has lost its turn, and asks for the next at its next hook. Ends:      libc
 * gives back a thread's memory after its last hook; the next thread waits for that, so that
 * addresses do not depend on how long it takes.
 */
#include "ctl_turn.h"
#include "real.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static enum { TURNS, TARGETS, FREE } stage;
static uint64_t pos;			    /* turn that is followed; all before it are over */
static uint32_t at;			    /* target that is to happen */
static uint32_t stops;			    /* meetings on the way that are over */
static uint32_t id_of[FR_POOL_MAX_THREADS]; /* of threads of the schedule; 0: not yet */
static uint32_t ending;			    /* os thread that is on its way out */
static uint64_t vtime;			    /* virtual nanoseconds since the start */

bool frt_ctl_free(void)
{
	return stage == FREE;
}

static void futex(_Atomic uint32_t *word, int op, uint32_t value)
{
	REAL(syscall)(SYS_futex, word, op, value, NULL, NULL, 0);
}

static uint32_t status(const struct frt_ctl_thread *c)
{
	return atomic_load(&frt_ctl->status[c->t->id - 1]);
}

static void set_status(const struct frt_ctl_thread *c, enum fr_control_status s)
{
	atomic_store(&frt_ctl->status[c->t->id - 1], s);
}

/* ---- what is to happen ---- */

/* The meeting on the way that is next, NULL: all are over. */
static struct fr_control_stop *stop(void)
{
	return stops < frt_ctl->nstops ? &fr_control_stops(frt_ctl)[stops] : NULL;
}

static const struct fr_control_expect *target(uint32_t i)
{
	return stop() ? &stop()->target[i] : &frt_ctl->target[i];
}

static uint32_t ntargets(void)
{
	return stop() ? 2 : frt_ctl->ntargets;
}

/* ---- choosing ---- */

static struct frt_ctl_thread *of_schedule(uint32_t known)
{
	uint32_t id = known < frt_ctl->nthreads ? id_of[known] : 0;

	return id ? &frt_ctl_threads[id - 1] : NULL;
}

/* The thread that a turn or a target names must be there. */
static struct frt_ctl_thread *wanted(uint32_t known, uint64_t hook, struct frt_thread *self)
{
	struct frt_ctl_thread *c = of_schedule(known);
	struct fr_control_expect x = {.thread = known, .hook = hook};

	if (!c)
		frt_ctl_diverge(FR_DIV_NO_THREAD, self, NULL, &x);
	if (status(c) == FR_CTL_OVER && c->t->idx < hook)
		frt_ctl_diverge(FR_DIV_THREAD_ENDED, c->t, NULL, &x);
	return c;
}

/* Where a debugger stops: every target is the next thing that its thread does. */
__attribute__((noinline, visibility("default"))) void forerun_targets_meet(void)
{
	__asm__ volatile("" ::: "memory");
}

static void go_free(void)
{
	stage = FREE;
	frt_ctl_phase(FR_PHASE_MET);
	while (frt_ctl->then == FR_THEN_STOP)
		futex(&frt_ctl->phase, FUTEX_WAIT, FR_PHASE_MET); /* the tool ends the process */
}

static void meet(struct frt_thread *self)
{
	stage = TARGETS;
	for (uint32_t i = 0; i < ntargets(); i++) {
		const struct fr_control_expect *x = target(i);
		struct frt_ctl_thread *c = wanted(x->thread, x->hook, self);

		if (c->t->idx + 1 != x->hook)
			frt_ctl_diverge(FR_DIV_BRINK, c->t, NULL, x);
		if (!stop())
			frt_ctl->met[i].id = c->t->id; /* a debugger wants to know */
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

		frt_self = NULL; /* nothing that the debugger calls counts */
		forerun_targets_meet();
		frt_self = was;
	}
}

static struct frt_ctl_thread *next_turn(struct frt_thread *self)
{
	const struct fr_control_turn *turns = fr_control_turns(frt_ctl);
	uint64_t end = stop() ? stop()->turn : frt_ctl->nturns;
	bool behind = false; /* a thread that should run is away */

	for (uint64_t i = pos; i < end; i++) {
		struct frt_ctl_thread *c = wanted(turns[i].thread, turns[i].hook, self);

		if (c->t->idx >= turns[i].hook) {
			if (!behind)
				atomic_store(&frt_ctl->turn, ++pos);
			continue;
		}
		/* One that waits may wait for what the other has not done yet. */
		if (status(c) == FR_CTL_AWAY || (behind && status(c) == FR_CTL_BLOCKED)) {
			behind = true;
			continue;
		}
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
	const struct fr_control_expect *x = target(at);
	struct frt_ctl_thread *c = of_schedule(x->thread);

	c->t->limit = x->hook;
	return status(c) == FR_CTL_AWAY ? NULL : c;
}

/* Of those that wait with a limit in time the first to come to it. */
static struct frt_ctl_thread *expire(void)
{
	struct frt_ctl_thread *first = NULL;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		struct frt_ctl_thread *c = &frt_ctl_threads[i];

		if (c->t && c->timed && status(c) == FR_CTL_BLOCKED &&
		    (!first || c->until < first->until))
			first = c;
	}
	if (first) {
		first->expired = true;
		if (vtime < first->until)
			vtime = first->until;
	}
	return first;
}

static struct frt_ctl_thread *next_ready(const struct frt_thread *self)
{
	uint32_t n = frt_ctl_count(), from = self ? self->id : 0;
	struct frt_ctl_thread *c;
	bool outside = false;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t s;

		c = &frt_ctl_threads[(from + i) % n];
		s = c->t ? status(c) : FR_CTL_NONE;
		if (s == FR_CTL_READY || s == FR_CTL_RUNNING ||
		    (s == FR_CTL_BLOCKED && frt_ctl_signalled(c->t->id)))
			goto found;
		outside |= s == FR_CTL_AWAY;
	}
	c = expire();
	if (!c && !outside)
		frt_ctl_hang();
	if (!c)
		return NULL;
found:
	c->t->limit = c->t->idx + frt_ctl->quantum;
	return c;
}

/* NULL: everybody who could run is away. */
static struct frt_ctl_thread *choose(struct frt_thread *self)
{
	struct frt_ctl_thread *c = NULL;

	if (stage == TURNS)
		c = next_turn(self);
	if (stage == TARGETS)
		return next_target();
	return stage == FREE ? next_ready(self) : c;
}

/* ---- handing over ---- */

static void give(struct frt_ctl_thread *c)
{
	uint32_t i = c->t->id - 1;

	set_status(c, FR_CTL_RUNNING);
	atomic_store(&frt_ctl->current, i + 1);
	atomic_fetch_add_explicit(&frt_ctl->switches, 1, memory_order_relaxed);
	atomic_store(&frt_ctl->go[i], FR_GO_ON);
	futex(&frt_ctl->go[i], FUTEX_WAKE, 1);
}

/* The turn goes to c, or to the first that comes. */
static void pass(struct frt_ctl_thread *c)
{
	if (c) {
		give(c);
		return;
	}
	atomic_store(&frt_ctl->current, 0);
	/* Somebody may have come back in the meantime, and found it taken. */
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		uint32_t nobody = 0;

		if (atomic_load(&frt_ctl->status[i]) == FR_CTL_READY &&
		    frt_ctl_threads[i].t->limit == 0 &&
		    atomic_compare_exchange_strong(&frt_ctl->current, &nobody, i + 1)) {
			struct frt_ctl_thread *self = &frt_ctl_threads[i];

			c = choose(self->t);
			if (c) {
				give(c);
				return;
			}
			atomic_store(&frt_ctl->current, 0);
		}
	}
}

/* A parked thread does what the one that is away would: passes its turn on. */
static void deputise(void)
{
	uint32_t id = atomic_exchange(&frt_ctl->away, 0), running = FR_CTL_RUNNING;
	struct frt_ctl_thread *c;

	if (!id || id > frt_ctl_count() || atomic_load(&frt_ctl->current) != id)
		return;
	c = &frt_ctl_threads[id - 1];
	if (!atomic_compare_exchange_strong(&frt_ctl->status[id - 1], &running, FR_CTL_AWAY))
		return;
	c->t->limit = 0; /* it comes here at its next hook */
	pass(choose(c->t));
}

static void wait_ended(void)
{
	long pid = REAL(syscall)(SYS_getpid);

	for (int i = 0; ending != (uint32_t)pid && i < 100000; i++) {
		if (REAL(syscall)(SYS_tgkill, pid, (long)ending, 0L) < 0)
			break;
		REAL(syscall)(SYS_sched_yield);
	}
	ending = 0;
}

_Thread_local struct frt_thread *frt_ctl_parked __attribute__((tls_model("initial-exec")));

static void park(struct frt_thread *t)
{
	_Atomic uint32_t *go = &frt_ctl->go[t->id - 1];
	uint32_t g;

	frt_ctl_parked = t;
	frt_self = NULL;
	while ((g = atomic_exchange(go, 0)) != FR_GO_ON) {
		if (g == FR_GO_DEPUTY)
			deputise();
		else
			futex(go, FUTEX_WAIT, 0);
	}
	frt_self = t;
	frt_ctl_parked = NULL;
	if (ending)
		wait_ended();
}

void frt_ctl_turn_over(struct frt_thread *t)
{
	struct frt_ctl_thread *c, *self = frt_ctl_thread(t);

	set_status(self, FR_CTL_READY);
	c = choose(t);
	if (c == self) {
		set_status(self, FR_CTL_RUNNING);
		return;
	}
	pass(c);
	park(t);
}

void frt_ctl_back(struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t), *next;
	uint32_t nobody = 0;

	if (frt_likely(status(c) != FR_CTL_AWAY))
		return;
	t->limit = 0;
	set_status(c, FR_CTL_READY);
	if (atomic_compare_exchange_strong(&frt_ctl->current, &nobody, t->id)) {
		next = choose(t);
		if (next == c) {
			set_status(c, FR_CTL_RUNNING);
			return;
		}
		pass(next);
	}
	park(t);
}

/* ---- targets ---- */

static bool overlap(const struct fr_control_seen *a, const struct fr_control_seen *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

static void met(const struct fr_control_seen *seen)
{
	struct fr_control_seen *all = stop() ? stop()->met : frt_ctl->met;

	all[at] = *seen;
	if (++at < ntargets())
		return;
	if (stop() ? stop()->overlap : frt_ctl->overlap)
		for (uint32_t i = 1; i < at; i++)
			if (!overlap(&all[0], &all[i]))
				frt_ctl_diverge(FR_DIV_APART, NULL, &all[i], target(i));
	if (!stop()) {
		go_free();
		return;
	}
	stage = TURNS;
	at = 0;
	atomic_store(&frt_ctl->stops_met, ++stops);
}

void frt_ctl_reached(struct frt_thread *t, const struct fr_control_seen *seen)
{
	const struct fr_control_expect *x;
	enum fr_divergence why;

	if (stage != TARGETS)
		return;
	x = target(at);
	if (x->thread != frt_ctl_thread(t)->known || x->hook != t->idx)
		return;
	why = x->flags & FR_CTL_BLOCKS ? FR_DIV_NOT_BLOCKED : frt_ctl_compare(x, seen);
	if (why)
		frt_ctl_diverge(why, t, seen, x);
	met(seen);
}

/* ---- blocking ---- */

void frt_ctl_ready(struct frt_ctl_thread *c)
{
	if (c->t && status(c) == FR_CTL_BLOCKED)
		set_status(c, FR_CTL_READY);
}

void frt_ctl_release(const void *obj)
{
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].obj == obj)
			frt_ctl_ready(&frt_ctl_threads[i]);
}

/* It runs because the thread whose turn it is was away, and may still have to do its part. */
static bool ahead(const struct frt_thread *t)
{
	const struct fr_control_turn *turns = fr_control_turns(frt_ctl);

	return pos < frt_ctl->nturns && turns[pos].thread != frt_ctl_thread(t)->known;
}

/* What it waits for is its target, or the schedule is wrong. */
static void blocked_in_schedule(struct frt_thread *t, unsigned kind, const void *obj)
{
	const struct fr_control_expect *x = target(at);
	struct fr_control_seen seen =
	    frt_ctl_seen(t, fr_w0((uintptr_t)obj, kind, 0), 0, frt_call_site(t));

	seen.hook++; /* the one that cannot happen */
	if (stage != TARGETS || !(x->flags & FR_CTL_BLOCKS) ||
	    x->thread != frt_ctl_thread(t)->known || x->hook != seen.hook)
		frt_ctl_diverge(FR_DIV_BLOCKED, t, &seen, stage == TARGETS ? x : NULL);
	if (x->kind != seen.kind)
		frt_ctl_diverge(FR_DIV_KIND, t, &seen, x);
	if (x->site != seen.site)
		frt_ctl_diverge(FR_DIV_SITE, t, &seen, x);
	met(&seen);
}

int frt_ctl_block(struct frt_thread *t, unsigned kind, const void *obj, const uint64_t *until)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t), *next;
	int saved = errno, r = 0;

	frt_ctl_back(t);
	c->kind = (uint8_t)kind;
	c->obj = obj;
	c->timed = until != NULL;
	c->until = until ? *until : 0;
	c->expired = false;
	if (frt_ctl_deliver(t))
		return 0;
	if (stage == TURNS && until)
		return ETIMEDOUT; /* the schedule lets it go on, and this is the only way */
	set_status(c, FR_CTL_BLOCKED);
	if (stage == TARGETS || (stage == TURNS && !ahead(t)))
		blocked_in_schedule(t, kind, obj);
	next = choose(t);
	if (next != c) {
		pass(next);
		park(t);
	} else {
		set_status(c, FR_CTL_RUNNING);
	}
	if (c->expired)
		r = ETIMEDOUT;
	c->obj = NULL;
	c->timed = c->expired = false;
	c->interrupted = frt_ctl_deliver(t);
	errno = saved;
	return r;
}

bool frt_ctl_interrupted(struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	bool was = c->interrupted;

	c->interrupted = false;
	return was;
}

void frt_ctl_yield(struct frt_thread *t)
{
	int saved = errno;

	frt_ctl_back(t);
	if (stage == FREE) {
		frt_ctl_turn_over(t);
		frt_ctl_deliver(t);
	}
	errno = saved;
}

void frt_ctl_cancel(uint32_t id)
{
	struct frt_ctl_thread *c = &frt_ctl_threads[id - 1];

	c->cancelled = true;
	if (c->obj)
		frt_ctl_ready(c);
}

bool frt_ctl_cancelled(struct frt_thread *t)
{
	int state;

	if (frt_likely(!frt_ctl_thread(t)->cancelled))
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_setcancelstate(state, NULL);
	return state == PTHREAD_CANCEL_ENABLE;
}

/* ---- threads ---- */

static void know(struct frt_thread *t, uint32_t parent)
{
	const struct fr_control_thread *k = fr_control_threads(frt_ctl);
	struct frt_ctl_thread *c = frt_ctl_thread(t);

	*c = (struct frt_ctl_thread){.t = t, .known = UINT32_MAX};
	for (uint32_t i = 0; i < frt_ctl->nthreads && i < FR_POOL_MAX_THREADS; i++)
		if (k[i].parent == parent && (t->nth == k[i].nth || !t->nth)) {
			c->known = i;
			id_of[i] = t->id;
			return;
		}
}

void frt_ctl_turn_init(struct frt_thread *t)
{
	struct frt_ctl_thread *c;

	know(t, UINT32_MAX);
	atomic_store(&frt_ctl->current, t->id);
	atomic_store(&frt_ctl->status[t->id - 1], FR_CTL_RUNNING);
	frt_ctl_phase(FR_PHASE_TURNS);
	c = choose(t);
	if (c != frt_ctl_thread(t)) /* a schedule begins with the main thread */
		frt_ctl_diverge(FR_DIV_NO_THREAD, t, NULL, NULL);
}

void frt_ctl_create(struct frt_thread *parent, struct frt_thread *child)
{
	uint32_t known = frt_ctl_thread(parent)->known;

	know(child, known == UINT32_MAX ? UINT32_MAX - 1 : known);
	set_status(frt_ctl_thread(child), FR_CTL_CREATED);
}

void frt_ctl_created(struct frt_thread *child)
{
	_Atomic uint32_t *s = &frt_ctl->status[child->id - 1];

	while (atomic_load(s) == FR_CTL_CREATED)
		futex(s, FUTEX_WAIT, FR_CTL_CREATED);
}

void frt_ctl_not_created(struct frt_thread *child)
{
	set_status(frt_ctl_thread(child), FR_CTL_OVER);
}

void frt_ctl_begin(struct frt_thread *t)
{
	_Atomic uint32_t *s = &frt_ctl->status[t->id - 1];

	atomic_store(s, FR_CTL_READY);
	futex(s, FUTEX_WAKE, INT_MAX);
	park(t);
}

void frt_ctl_end(struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);

	frt_ctl_back(t);
	set_status(c, FR_CTL_OVER);
	frt_ctl_release((const void *)(uintptr_t)t->id);
	ending = t->os_tid;
	pass(choose(t));
}

bool frt_ctl_over(uint32_t id)
{
	return atomic_load(&frt_ctl->status[id - 1]) == FR_CTL_OVER;
}

/* ---- time ---- */

static struct {
	uint64_t told, when; /* the last answer, and the virtual time of it */
} clocks[16];

#define FIRST_TIME UINT64_C(1767225600000000000) /* the beginning of 2026 */

uint64_t frt_ctl_now(clockid_t clock)
{
	unsigned i = (unsigned)clock < 16 ? (unsigned)clock : 0;

	vtime += 1000;
	if (!clocks[i].told) {
		clocks[i].told = i == CLOCK_REALTIME ? FIRST_TIME : UINT64_C(1000000000);
		clocks[i].when = 0;
	}
	return clocks[i].told + (vtime - clocks[i].when);
}

void frt_ctl_told(clockid_t clock, uint64_t ns)
{
	unsigned i = (unsigned)clock < 16 ? (unsigned)clock : 0;

	clocks[i].told = ns;
	clocks[i].when = vtime;
}

uint64_t frt_ctl_until(clockid_t clock, const struct timespec *ts)
{
	uint64_t now = frt_ctl_now(clock);
	uint64_t then = (uint64_t)ts->tv_sec * 1000000000 + (uint64_t)ts->tv_nsec;

	return vtime + (ts->tv_sec >= 0 && then > now ? then - now : 0);
}

void frt_ctl_sleep(struct frt_thread *t, uint64_t ns)
{
	static const char asleep;
	uint64_t until = vtime + ns;

	if (stage == FREE)
		frt_ctl_block(t, FR_EV_NONE, &asleep, &until);
	else
		vtime = until;
}
