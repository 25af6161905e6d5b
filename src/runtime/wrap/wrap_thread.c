/*
 * Threads: creation, end, join, detach, cancellation, of pthreads and of C11.
 *
 * Creation:  the parent takes a slot and emits THREAD_CREATE before the child can run. If the
 *            creation fails, a THREAD_CREATE of thread 0 with outcome ERROR cancels it. Signals for
 *            the child stay blocked until it has begun.
 * End:       THREAD_EXIT comes after the program's thread-specific destructors. The runtime's is
 *            one of them, which sets itself again in all rounds but the last. That covers a return,
 *            pthread_exit, cancellation, and pthread_exit from main alike.
 * Last end:  the last thread of all runs the exit handlers and destructors, as one that calls exit
 *            does. So the last thread to reach its end emits no THREAD_EXIT, and the following
 *            events belong to it. If several threads end at the same time, libc may choose another
 *            one to run them; that one takes the thread's place.
 * Not seen:  destructors that run in the last round after the runtime's; threads that libc makes
 *            itself.
 */
#include "runtime/control/ctl.h"
#include "runtime/core/emit.h"
#include "runtime/tsan/tsan.h"
#include "wrap.h"
#include <limits.h>
#include <stdatomic.h>

/* ---- end ---- */

static pthread_key_t key;
static _Atomic int key_made;
static _Atomic uint32_t alive = 1; /* recorded threads that are created and have not ended */

/* No function of the program is on the stack any more. The thread may have been cancelled while a
   handler or a wrapper ran or, asynchronously, anywhere. */
static void base(struct frt_thread *t, struct frt_life *l)
{
	l->signals = 0;
	l->guards = NULL;
	t->in_wrapper = 0;
	frt_emit_heal(t);
	if (t->announced_addr)
		frt_flush_announced(t);
	t->depth = t->synced = 0;
	t->tsan->floor = 0;
}

/* atexit calls this function; no header declares it. */
int __cxa_atexit(void (*fn)(void *), void *arg, void *dso);
extern void *__dso_handle __attribute__((visibility("hidden")));

/* The state of the last thread, for the one that runs the exit handlers. */
static _Atomic(struct frt_thread *) place;

static void take_place(void *unused)
{
	struct frt_thread *t = atomic_exchange(&place, NULL);

	(void)unused;
	if (t && frt_pool && !frt_self) {
		t->os_tid = (uint32_t)gettid();
		t->epoch++; /* after everything that the other threads did */
		frt_self = t;
	}
}

/* No exit handler has run yet, and the one that is registered last runs first. */
static bool leave_place(struct frt_thread *t)
{
	bool registered;

	t->in_wrapper++; /* __cxa_atexit may allocate */
	registered = __cxa_atexit(take_place, NULL, &__dso_handle) == 0;
	t->in_wrapper--;
	if (!registered)
		return false;
	frt_self = NULL;
	atomic_store(&place, t);
	return true;
}

static void end(void *value)
{
	struct frt_life *l = value;
	struct frt_thread *t = frt_self;

	frt_assert(l && l->armed);
	if (t)
		base(t, l);
	if (++l->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(key, l);
		return;
	}
	if (!t) /* forked */
		return;
	if (atomic_fetch_or(&l->ended, FRT_LIFE_EXITED) & FRT_LIFE_DETACHED)
		frt_handle_drop(pthread_self(), l->id);
	/* No thread is left to join it or to create another. */
	if (atomic_fetch_sub(&alive, 1) == 1 && leave_place(t))
		return;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL); /* too late for cancellation */
	frt_thread_exit(t);
}

/* Arranges that the end of this thread is recorded. The main thread comes here first, alone. */
static void arm(struct frt_thread *t)
{
	struct frt_life *l = frt_life(t);

	if (l->armed)
		return;
	if (!atomic_load(&key_made)) {
		if (pthread_key_create(&key, end))
			return; /* no key is left: the thread ends with its process */
		atomic_store(&key_made, 1);
	}
	if (!t->parent) { /* main: others may join or cancel it */
		frt_handle_expect();
		frt_handle_set(pthread_self(), t->id);
	}
	l->id = t->id;
	l->armed = 1;
	t->in_wrapper++;
	pthread_setspecific(key, l);
	t->in_wrapper--;
}

/* ---- creation ---- */

/* The end of the stack that the program's own functions use: nothing of the function that calls
   them is above. */
#define STACK_END ((uintptr_t)__builtin_frame_address(0) + 16)

static struct frt_life *begin(void *arg, uintptr_t stack_end)
{
	struct frt_life *l = arg;

	frt_assert(l->t && l->id == l->t->id && !l->armed);
	frt_ctl_poll_stack(l->t, stack_end);
	frt_handle_set(pthread_self(), l->id);
	frt_thread_start(l->t, l->start);
	arm(l->t);
	frt_signals_release(l);
	return l;
}

/* Does not keep the argument: a leak check must see what the thread loses. */
static void *take_arg(struct frt_life *l)
{
	void *arg = l->arg;

	l->arg = NULL;
	return arg;
}

static void *start_posix(void *arg)
{
	struct frt_life *l = begin(arg, STACK_END);

	return ((void *(*)(void *))l->start)(take_arg(l));
}

static int start_c11(void *arg)
{
	struct frt_life *l = begin(arg, STACK_END);

	return ((int (*)(void *))l->start)(take_arg(l));
}

/* Takes a slot for a child and stores its start routine and argument; NULL if it will not be
   recorded. */
static struct frt_life *expect(struct frt_thread *t, void *start, void *arg, bool detached)
{
	struct frt_thread *child;
	struct frt_life *l;

	arm(t);
	child = frt_thread_new(t);
	if (!child)
		return NULL;
	l = frt_life(child);
	frt_assert(!l->t && !l->armed); /* a slot of the pool is never used again */
	l->t = child;
	l->id = child->id;
	l->start = start;
	l->arg = arg;
	atomic_store(&l->ended, detached ? FRT_LIFE_DETACHED : 0);
	atomic_fetch_add(&alive, 1);
	frt_handle_expect();
	if (frt_controlled())
		frt_ctl_create(t, child);
	frt_ctl_hold(t); /* until created() */
	frt_sync(t, FR_EV_THREAD_CREATE, 0, (void *)(uintptr_t)child->id);
	return l;
}

/* The child exists, or its creation failed. */
static void created(struct frt_life *l, bool failed)
{
	if (frt_controlled() && failed)
		frt_ctl_not_created(l->t);
	else if (frt_controlled())
		frt_ctl_created(l->t);
	frt_ctl_settle(NULL);
}

static void no_child(struct frt_life *l)
{
	struct frt_thread *t = frt_self;

	frt_assert(atomic_load(&alive));
	frt_handle_unexpect();
	atomic_fetch_sub(&alive, 1);
	frt_thread_abandon(l->t);
	if (t)
		frt_sync(t, FR_EV_THREAD_CREATE, FR_SYNC(FR_ERROR, FR_PLAIN, 0), NULL);
}

int frt_wrap_pthread_create(pthread_t *restrict handle, const pthread_attr_t *restrict attr,
			    void *(*start)(void *), void *restrict arg)
{
	struct frt_thread *t = frt_self;
	int detach = PTHREAD_CREATE_JOINABLE;
	struct frt_life *l;
	int r;

	if (!t) {
		frt_count(FR_RTC_lost_threads, 1);
		return REAL(pthread_create)(handle, attr, start, arg);
	}
	if (attr)
		pthread_attr_getdetachstate(attr, &detach);
	t->in_wrapper++; /* whether libc allocates here depends on what other threads did */
	l = expect(t, (void *)start, arg, detach == PTHREAD_CREATE_DETACHED);
	if (l) {
		frt_signals_hold(l, attr);
		r = REAL(pthread_create)(handle, attr, start_posix, l);
		frt_signals_release(l);
		created(l, r != 0);
	} else {
		r = REAL(pthread_create)(handle, attr, start, arg);
	}
	frt_assert(t->in_wrapper);
	t->in_wrapper--;
	if (r && l)
		no_child(l);
	return r;
}

int frt_wrap_thrd_create(thrd_t *handle, thrd_start_t start, void *arg)
{
	struct frt_thread *t = frt_self;
	struct frt_life *l;
	int r;

	if (!t) {
		frt_count(FR_RTC_lost_threads, 1);
		return REAL(thrd_create)(handle, start, arg);
	}
	t->in_wrapper++;
	l = expect(t, (void *)start, arg, false);
	if (l) {
		frt_signals_hold(l, NULL);
		r = REAL(thrd_create)(handle, start_c11, l);
		frt_signals_release(l);
		created(l, r != thrd_success);
	} else {
		r = REAL(thrd_create)(handle, start, arg);
	}
	frt_assert(t->in_wrapper);
	t->in_wrapper--;
	if (r != thrd_success && l)
		no_child(l);
	return r;
}

void frt_wrap_pthread_exit(void *value)
{
	struct frt_thread *t = frt_self;

	if (t)
		arm(t);
	REAL(pthread_exit)(value);
	__builtin_unreachable();
}

void frt_wrap_thrd_exit(int value)
{
	struct frt_thread *t = frt_self;

	if (t)
		arm(t);
	REAL(thrd_exit)(value);
	__builtin_unreachable();
}

/* ---- join ---- */

enum join_call { JOIN, TRYJOIN, TIMEDJOIN, CLOCKJOIN, C11_JOIN };

struct join {
	struct frt_guard guard;
	enum join_call which;
	uint32_t id;
	pthread_t handle;
	void **value;
	int *status;
	clockid_t clock;
	const struct timespec *until;
};
_Static_assert(offsetof(struct join, guard) == 0, "a guard is the start of its call");

static long join_call(struct frt_guard *g)
{
	struct join *j = (struct join *)g;

	switch (j->which) {
	case JOIN:
		return REAL(pthread_join)(j->handle, j->value);
	case TRYJOIN:
		return REAL(pthread_tryjoin_np)(j->handle, j->value);
	case TIMEDJOIN:
		return REAL(pthread_timedjoin_np)(j->handle, j->value, j->until);
	case CLOCKJOIN:
		return REAL(pthread_clockjoin_np)(j->handle, j->value, j->clock, j->until);
	default:
		return REAL(thrd_join)(j->handle, j->status);
	}
}

/* Waits until the thread is over; libc waits for the rest of its end. */
static long controlled_join(struct frt_guard *g)
{
	struct join *j = (struct join *)g;
	struct frt_thread *t = frt_self;
	uint64_t until = 0;
	int r;

	if (j->id == t->id)
		return join_call(g); /* libc refuses it */
	if (j->which == TRYJOIN && !frt_ctl_over(j->id))
		return EBUSY;
	if (j->until) {
		until = frt_ctl_until(j->which == CLOCKJOIN ? j->clock : CLOCK_REALTIME, j->until);
		if (frt_ctl_outcome(t) == FR_TIMEDOUT) {
			frt_ctl_expires(until);
			return ETIMEDOUT;
		}
	}
	while (!frt_ctl_over(j->id)) {
		if (frt_ctl_cancelled(t))
			pthread_testcancel();
		r = frt_ctl_block(t, FR_EV_THREAD_JOIN, (void *)(uintptr_t)j->id,
				  j->until ? &until : NULL);
		if (r)
			return r;
	}
	if (j->which == C11_JOIN)
		return REAL(thrd_join)(j->handle, j->status);
	return REAL(pthread_join)(j->handle, j->value);
}

static void joined(const struct join *j, unsigned outcome)
{
	static const uint8_t variants[] = {FR_PLAIN, FR_TRY, FR_TIMED, FR_TIMED, FR_PLAIN};
	unsigned variant = variants[j->which];
	_Static_assert(sizeof(variants) == C11_JOIN + 1, "one for each call");

	frt_after(FR_EV_THREAD_JOIN, FR_SYNC(outcome, variant, 0), (void *)(uintptr_t)j->id);
}

static void join_unwound(struct frt_guard *g)
{
	frt_assert(frt_self->in_wrapper);
	frt_self->in_wrapper--;
	joined((struct join *)g, FR_CANCELLED);
}

static int join_with(struct join *j)
{
	struct frt_thread *t = frt_self;
	unsigned outcome;
	int r;

	if (!t)
		return (int)join_call(&j->guard);
	j->id = frt_handle_find(j->handle);
	if (!j->id)
		return (int)join_call(&j->guard);
	j->guard.unwound = join_unwound;
	if (j->which != TRYJOIN)
		frt_pending(t, FR_EV_THREAD_JOIN, (void *)(uintptr_t)j->id);
	t->in_wrapper++; /* join frees what creation allocated */
	r = (int)frt_guarded(t, &j->guard, frt_controlled() ? controlled_join : join_call);
	if (frt_self)
		t->in_wrapper--;
	outcome = j->which == C11_JOIN ? frt_outcome_c11(r) : frt_outcome(r);
	if (outcome == FR_OK)
		frt_handle_drop(j->handle, j->id);
	joined(j, outcome);
	return r;
}

int frt_wrap_pthread_join(pthread_t handle, void **value)
{
	struct join j = {.which = JOIN, .handle = handle, .value = value};

	return join_with(&j);
}

int frt_wrap_pthread_tryjoin_np(pthread_t handle, void **value)
{
	struct join j = {.which = TRYJOIN, .handle = handle, .value = value};

	return join_with(&j);
}

int frt_wrap_pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *until)
{
	struct join j = {.which = TIMEDJOIN, .handle = handle, .value = value, .until = until};

	return join_with(&j);
}

int frt_wrap_pthread_clockjoin_np(pthread_t handle, void **value, clockid_t clock,
				  const struct timespec *until)
{
	struct join j = {
	    .which = CLOCKJOIN, .handle = handle, .value = value, .clock = clock, .until = until};

	return join_with(&j);
}

int frt_wrap_thrd_join(thrd_t handle, int *status)
{
	struct join j = {.which = C11_JOIN, .handle = handle, .status = status};

	return join_with(&j);
}

/* ---- detach, cancel ---- */

static void detached(pthread_t handle, uint32_t id, unsigned outcome)
{
	frt_assert(id <= FR_POOL_MAX_THREADS);
	if (id && outcome == FR_OK &&
	    atomic_fetch_or(&frt_lives[id - 1].ended, FRT_LIFE_DETACHED) & FRT_LIFE_EXITED)
		frt_handle_drop(handle, id);
	if (id)
		frt_after(FR_EV_THREAD_DETACH, FR_SYNC(outcome, FR_PLAIN, 0),
			  (void *)(uintptr_t)id);
}

int frt_wrap_pthread_detach(pthread_t handle)
{
	uint32_t id = frt_self ? frt_handle_find(handle) : 0;
	int r = REAL(pthread_detach)(handle);

	detached(handle, id, frt_outcome(r));
	return r;
}

int frt_wrap_thrd_detach(thrd_t handle)
{
	uint32_t id = frt_self ? frt_handle_find(handle) : 0;
	int r = REAL(thrd_detach)(handle);

	detached(handle, id, frt_outcome_c11(r));
	return r;
}

int frt_wrap_pthread_cancel(pthread_t handle)
{
	struct frt_thread *t = frt_self;
	uint32_t id;
	bool self;
	int r;

	if (!t)
		return REAL(pthread_cancel)(handle);
	arm(t); /* the thread may cancel itself */
	self = pthread_equal(handle, pthread_self());
	id = self ? t->id : frt_handle_find(handle);
	if (!self)
		frt_ctl_hold(t);
	if (id)
		frt_sync(t, FR_EV_THREAD_CANCEL, 0, (void *)(uintptr_t)id);
	r = REAL(pthread_cancel)(handle);
	if (id && frt_controlled())
		frt_ctl_cancel(id);
	if (!self)
		frt_ctl_settle(NULL);
	if (id && r)
		frt_after(FR_EV_THREAD_CANCEL, FR_SYNC(FR_ERROR, FR_PLAIN, 0),
			  (void *)(uintptr_t)id);
	return r;
}
