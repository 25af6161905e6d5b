/* Reports to the tool through the control file: phases, divergences, waiting threads. */
#include "ctl_poll.h"
#include "ctl_turn.h"
#include "runtime/core/real.h"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

void frt_ctl_phase(enum fr_control_file_phase phase)
{
	atomic_store(&frt_ctl->phase, phase);
	syscall(SYS_futex, &frt_ctl->phase, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

struct fr_control_file_seen frt_ctl_seen(const struct frt_thread *t, uint64_t w0, uint64_t value,
					 uint32_t site)
{
	struct fr_event e = {.w0 = w0};
	unsigned kind = fr_event_kind(&e), aux = fr_event_aux(&e);
	bool range = fr_event_is(kind) & FR_IS_RANGE;

	if (fr_frees(kind)) {
		range = true;
		value = frt_ctl_thread(t)->block;
	}

	return (struct fr_control_file_seen){
	    .thread = frt_ctl_thread(t)->known,
	    .id = t->id,
	    .hook = t->hook,
	    .addr = fr_event_addr(&e),
	    .value = fr_frees(kind) ? frt_ctl_count()
		     : range	    ? 0
				    : value,
	    .site = site,
	    .size = range ? (uint32_t)(value < UINT32_MAX ? value : UINT32_MAX)
			  : fr_access_size(kind, aux),
	    .kind = (uint8_t)kind,
	    .outcome = fr_event_is(kind) & FR_HAS_OUTCOME ? (uint8_t)FR_SYNC_OUTCOME(aux) : 0,
	};
}

void frt_ctl_stack(const struct frt_thread *t, struct fr_crash_stack *ret)
{
	uint32_t depth = t->depth < FRT_FRAMES ? t->depth : FRT_FRAMES;
	uint32_t from = depth > FR_CRASH_FRAMES ? depth - FR_CRASH_FRAMES : 0;

	ret->id = t->id;
	ret->n = depth - from;
	frt_assert(ret->n <= FR_CRASH_FRAMES);
	for (uint32_t i = from; i < depth; i++) {
		ret->call[i - from] = t->stack[i].call;
		ret->func[i - from] = t->stack[i].func;
	}
}

void frt_ctl_fails(const struct frt_thread *t, uint32_t site)
{
	if (frt_ctl->phase >= FR_PHASE_MET && frt_ctl->nfailed < FR_CONTROL_FILE_FAILED) {
		frt_ctl->failed[frt_ctl->nfailed].id = t->id;
		frt_ctl->failed[frt_ctl->nfailed++].site = site;
	}
}

void frt_ctl_pause(const struct frt_ctl_thread *c)
{
	uint32_t status = frt_ctl_status(c), i = 0;
	struct fr_control_file_pause p = {.kind = status == FR_CTL_BLOCKED ? c->kind
						  : status == FR_CTL_AWAY || c->yields
						      ? 0
						      : FR_PAUSE_SPENT};

	if (status == FR_CTL_OVER)
		return;
	frt_ctl_stack(c->t, &p.stack);
	p.stack.id = 0;
	for (; i < frt_ctl->npauses && i < FR_CONTROL_FILE_PAUSES; i++) {
		const struct fr_control_file_pause *x = &frt_ctl->pause[i];
		uint32_t k = 0;

		while (k < p.stack.n && x->stack.call[k] == p.stack.call[k])
			k++;
		if (x->kind == p.kind && x->stack.n == p.stack.n && k == p.stack.n)
			return;
	}
	if (i < FR_CONTROL_FILE_PAUSES)
		frt_ctl->pause[i] = p;
	frt_ctl->npauses++;
}

uint32_t frt_ctl_holder(unsigned kind, const void *obj)
{
	uint32_t tid = 0, n = frt_ctl_count();

	if (!obj) /* a signal has just ended the wait */
		return 0;
	if (kind == FR_EV_MUTEX_LOCK)
		tid = (uint32_t)((const pthread_mutex_t *)obj)->__data.__owner;
	else if (kind == FR_EV_RW_RDLOCK || kind == FR_EV_RW_WRLOCK)
		tid = (uint32_t)((const pthread_rwlock_t *)obj)->__data.__cur_writer;
	else if (kind == FR_EV_THREAD_JOIN)
		return (uint32_t)(uintptr_t)obj;
	for (uint32_t i = 0; tid && i < n; i++)
		if (frt_ctl_threads[i].t && frt_ctl_threads[i].t->os_tid == tid)
			return i + 1;
	return 0;
}

/* A debugger stops here when nothing more will happen: after a hang or a divergence. */
__attribute__((noinline, visibility("default"))) void forerun_cannot_go_on(void)
{
	__asm__ volatile("" ::: "memory");
}

static __attribute__((noreturn)) void stop(void)
{
	if (frt_ctl->debugger) {
		frt_self = NULL; /* calls that the debugger makes do not count */
		forerun_cannot_go_on();
	}
	/* The tool kills the process; everything that it has printed so far is kept. */
	for (;;)
		syscall(SYS_futex, &frt_ctl->phase, FUTEX_WAIT, atomic_load(&frt_ctl->phase), NULL,
			NULL, 0);
}

/* Records each blocked thread, its object and the holder of the object, and each thread that
   polls. */
static void record_waiters(void)
{
	uint32_t n = frt_ctl_count(), k = 0;

	for (uint32_t i = 0; i < n && k < FR_CONTROL_FILE_WAITERS; i++) {
		const struct frt_ctl_thread *c = &frt_ctl_threads[i];
		struct fr_control_file_waiter *w = &frt_ctl->waiter[k];

		if (!c->t || atomic_load(&frt_ctl->status[i]) == FR_CTL_OVER)
			continue;
		w->polls = frt_ctl_polls(c, &w->seen);
		if (!w->polls && atomic_load(&frt_ctl->status[i]) != FR_CTL_BLOCKED)
			continue;
		if (!w->polls && c->fds)
			w->seen = frt_ctl_seen(c->t, fr_w0((unsigned)c->fds[0].fd, FR_EV_INPUT, 0),
					       0, frt_call_site(c->t));
		else if (!w->polls)
			w->seen = frt_ctl_seen(c->t, fr_w0((uintptr_t)c->obj, c->kind, 0), 0,
					       c->t->pending_site);
		w->holder = frt_ctl_holder(w->seen.kind, (const void *)(uintptr_t)w->seen.addr);
		frt_ctl_stack(c->t, &w->stack);
		k++;
	}
	frt_assert(k <= FR_CONTROL_FILE_WAITERS);
	frt_ctl->nwaiters = k;
}

/* A target that is an access, of a thread that waits in a loop: says whether the thread still waits
   there. */
static void record_polls(void)
{
	for (uint32_t i = 0; i < frt_ctl->ntargets; i++) {
		const struct fr_control_file_seen *met = &frt_ctl->met[i];

		frt_assert(met->id <= FR_POOL_MAX_THREADS);
		if (frt_ctl->target[i].flags & FR_CTL_BLOCKS && met->id &&
		    frt_ctl_polls_at(&frt_ctl_threads[met->id - 1], met->addr))
			atomic_store(&frt_ctl->waits_for[met->id - 1], met->addr);
	}
}

void frt_ctl_hang(void)
{
	record_waiters();
	record_polls();
	frt_ctl_phase(FR_PHASE_HANG);
	stop();
}

void frt_ctl_stalled(void)
{
	record_waiters();
	frt_ctl->stalled = 1;
}

void frt_ctl_give_up(void)
{
	record_waiters();
	frt_ctl_phase(FR_PHASE_OUTSIDE);
	stop();
}

void frt_ctl_placed(void)
{
	frt_ctl_phase(FR_PHASE_PLACED);
	stop();
}

void frt_ctl_leave(enum fr_divergence why, struct frt_thread *t,
		   const struct fr_control_file_seen *seen,
		   const struct fr_control_file_expect *expected)
{
	struct fr_control_file_diverged *d = &frt_ctl->diverged;

	d->why = why;
	d->turn = (uint32_t)atomic_load(&frt_ctl->turn);
	if (seen)
		d->seen = *seen;
	else if (t)
		d->seen = frt_ctl_seen(t, 0, 0, frt_call_site(t));
	if (expected)
		d->expected = *expected;
	if (why == FR_DIV_BLOCKED)
		d->holder = frt_ctl_holder(d->seen.kind, (const void *)(uintptr_t)d->seen.addr);
}

void frt_ctl_diverge(enum fr_divergence why, struct frt_thread *t,
		     const struct fr_control_file_seen *seen,
		     const struct fr_control_file_expect *expected)
{
	frt_ctl_leave(why, t, seen, expected);
	frt_ctl_phase(FR_PHASE_DIVERGED);
	stop();
}
