/*
 * Attaches the control file, and checks each hook that has an expectation in the schedule.
 * ctl_turn.c chooses the next thread.
 */
#include "runtime/core/crash.h"
#include "ctl_poll.h"
#include "ctl_turn.h"
#include "runtime/core/real.h"
#include "runtime/core/sanitizer.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct fr_control_file *frt_ctl;
struct frt_ctl_thread frt_ctl_threads[FR_POOL_MAX_THREADS];

bool frt_ctl_attach(const char *path)
{
	int fd = frt_open_shared(path);
	struct fr_control_file *c = MAP_FAILED;
	struct stat st;

	frt_assert(!frt_ctl);
	if (fd >= 0 && fstat(fd, &st) == 0 && (uint64_t)st.st_size >= sizeof(*c))
		c = mmap(FRT_CONTROL_AT, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			 0);
	if (fd >= 0)
		close(fd);
	if (c == MAP_FAILED || c->magic != FR_CONTROL_FILE_MAGIC ||
	    c->version != FR_CONTROL_FILE_VERSION || c->size != (uint64_t)st.st_size)
		return false;
	frt_ctl = c;
	return true;
}

/* Ends this process when the tool dies: a program under control would otherwise wait for ever. */
static void end_with_tool(void)
{
	long tool = atomic_load(&frt_pool->recorder);

	if (syscall(SYS_getppid) == tool && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
	    syscall(SYS_getppid) != tool)
		_exit(1);
}

void frt_ctl_start(struct frt_thread *main_thread)
{
	frt_assert(frt_ctl && main_thread->id == 1);
	frt_assert(frt_ctl->ntargets <= FR_CONTROL_FILE_TARGETS);
	frt_assert(frt_ctl->before.n <= FR_CONTROL_FILE_EVENTS);
	frt_assert(frt_ctl->nmilestones <= FR_CONTROL_FILE_MILESTONES);
	end_with_tool();
	if (frt_ctl->recording)
		memcpy(frt_ctl->clock, frt_pool->clock, sizeof(frt_ctl->clock));
	frt_ctl_time_begin();
	frt_ctl_idle_begin();
	frt_ctl_poll_begin(main_thread);
	if (frt_ctl->cpu)
		frt_cpu_pin(frt_ctl->cpu - 1);
	frt_ctl_turn_init(main_thread);
}

void frt_ctl_off(void)
{
	frt_ctl = NULL;
}

/* ---- comparing hooks with the schedule ---- */

static const struct fr_control_file_expect *next_expected(const struct frt_ctl_thread *c)
{
	const struct fr_control_file_thread *k;

	if (c->known == UINT32_MAX)
		return NULL;
	frt_assert(c->known < frt_ctl->nthreads);
	k = &fr_control_file_threads(frt_ctl)[c->known];
	frt_assert(c->next <= k->nexpect || c->next == UINT32_MAX);
	return c->next < k->nexpect ? &fr_control_file_expects(frt_ctl)[k->expect + c->next] : NULL;
}

/* The hook after which a handler begins. */
static uint64_t last_before(const struct fr_control_file_expect *x)
{
	return x->hook - (x->flags & FR_CTL_GAP ? 2 : 1);
}

uint64_t frt_ctl_next_check(const struct frt_thread *t)
{
	const struct fr_control_file_expect *x = next_expected(frt_ctl_thread(t));

	if (!x)
		return UINT64_MAX;
	return x->flags & FR_CTL_SIGNAL ? last_before(x) : x->hook;
}

int frt_ctl_signal_due(const struct frt_thread *t)
{
	const struct fr_control_file_expect *x = next_expected(frt_ctl_thread(t));

	return x && x->flags & FR_CTL_SIGNAL && last_before(x) == t->hook ? (int)x->value : 0;
}

bool frt_ctl_child_due(const struct frt_thread *t)
{
	return frt_ctl_signal_due(t) && next_expected(frt_ctl_thread(t))->outcome;
}

void frt_ctl_gap(struct frt_thread *t)
{
	const struct fr_control_file_expect *x;

	if (!frt_controlled() || frt_ctl_free())
		return;
	x = next_expected(frt_ctl_thread(t));
	if (x && x->flags & FR_CTL_SIGNAL && x->flags & FR_CTL_GAP && last_before(x) == t->hook)
		frt_tick(t, fr_w0(0, FR_EV_NONE, 0), 0, 0);
}

int frt_ctl_outcome(const struct frt_thread *t)
{
	const struct fr_control_file_expect *x = next_expected(frt_ctl_thread(t));

	return x && x->hook == t->hook + 1 && x->flags & FR_CTL_OUTCOME && !frt_ctl_free()
		   ? x->outcome
		   : -1;
}

bool frt_ctl_refuses(const struct frt_thread *t)
{
	return t && frt_controlled() && !frt_ctl->departs && frt_ctl_outcome(t) == FR_BUSY;
}

int frt_ctl_wait_ended(struct frt_thread *t)
{
	const struct fr_control_file_expect *x = next_expected(frt_ctl_thread(t));

	if (frt_ctl->departs || frt_ctl_free() || !x || x->hook != t->hook + 1)
		return -1;
	/* A thread that is cancelled in the wait unwinds, and the unwinder calls pthread_once. */
	if (x->kind == FR_EV_ONCE_BEGIN || x->kind == FR_EV_ONCE_DONE)
		return frt_ctl_cancelled(t) ? ECANCELED : -1;
	if ((x->kind != FR_EV_COND_WAIT && x->kind != FR_EV_FUTEX_WAIT) ||
	    (x->flags & FR_CTL_OUTCOME && x->outcome != FR_OK))
		return -1;
	return 0;
}

static bool same_value(const struct fr_control_file_expect *x,
		       const struct fr_control_file_seen *seen)
{
	const uint64_t low = 0x10000;

	if (x->value == seen->value)
		return true;
	if (x->flags & FR_CTL_OBJECT)
		return frt_ctl_same_object(seen->value, x);
	return x->flags & FR_CTL_POINTER && x->value >= low && seen->value >= low;
}

enum fr_divergence frt_ctl_compare(const struct fr_control_file_expect *x,
				   const struct fr_control_file_seen *seen)
{
	/* The call that a handler interrupts depends on timing: compare only the signal. */
	if (x->flags & FR_CTL_SIGNAL)
		return seen->kind == FR_EV_SIGNAL_BEGIN && seen->addr == x->value ? FR_DIV_NONE
										  : FR_DIV_KIND;
	if (!(x->flags & FR_CTL_ANYSITE)) {
		if (x->kind != seen->kind)
			return FR_DIV_KIND;
		if (x->site != seen->site && x->kind != FR_EV_SIGNAL_END)
			return FR_DIV_SITE;
	}
	if (x->flags & FR_CTL_OUTCOME && x->outcome != seen->outcome)
		return FR_DIV_OUTCOME;
	if (x->flags & FR_CTL_VALUE && !same_value(x, seen))
		return FR_DIV_VALUE;
	return FR_DIV_NONE;
}

bool frt_ctl_on_path(struct frt_ctl_thread *c, const struct fr_control_file_seen *seen)
{
	const struct fr_control_file_expect *x;

	while ((x = next_expected(c)) && x->hook <= seen->hook) {
		enum fr_divergence why =
		    x->hook < seen->hook ? FR_DIV_NONE : frt_ctl_compare(x, seen);

		c->next = why && why != FR_DIV_VALUE ? UINT32_MAX : c->next + 1;
		if (c->next == UINT32_MAX)
			return false;
	}
	return true;
}

bool frt_ctl_dies(void)
{
	if (!frt_crash_asserts() && !frt_sanitizer_reports())
		return false;
	frt_sanitizer_tell();
	frt_self = NULL;
	return true;
}

/* A call that holds the turn has several hooks, and in the recorded run a handler began between two
   of them: begins it before the hook that has just been counted. */
static void deliver_before(struct frt_thread *t)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	const struct fr_control_file_expect *x = next_expected(c);
	uint32_t hold = c->hold;

	if (!hold || t->busy || !x || !(x->flags & FR_CTL_SIGNAL) || last_before(x) != t->hook - 1)
		return;
	frt_assert(t->hook); /* frt_ctl_hook is called after the count */
	t->hook--;
	c->hold = c->due = 0;
	frt_ctl_turn_over(t);
	frt_ctl_deliver(t);
	c->hold = hold;
	t->hook++;
}

void frt_ctl_hook(struct frt_thread *t, uint64_t w0, uint64_t value, uint32_t site)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	struct fr_control_file_seen seen;
	const struct fr_control_file_expect *x;
	int saved = errno;

	c->sp = (uintptr_t)__builtin_frame_address(0);
	frt_ctl_back(t);
	if (frt_ctl_by_place()) {
		seen = frt_ctl_seen(t, w0, value, site);
		frt_ctl_place_hook(t, &seen);
	} else if (!frt_ctl_free()) {
		deliver_before(t);
		seen = frt_ctl_seen(t, w0, value, site);
		while ((x = next_expected(c)) && x->hook <= t->hook) {
			enum fr_divergence why =
			    x->hook < t->hook ? FR_DIV_NONE : frt_ctl_compare(x, &seen);

			if (why && frt_ctl_leave_before_last(why, t, &seen, x))
				break;
			if (why && frt_ctl_dies())
				return;
			if (why)
				frt_ctl_diverge(why, t, &seen, x);
			frt_assert(x->event <= frt_ctl->nevents);
			if (x->event && x->hook == t->hook)
				frt_ctl_event(x->event - 1, &seen);
			c->next++;
		}
		frt_ctl_reached(t, &seen);
		if (!frt_self)
			return;
	} else {
		seen = frt_ctl_seen(t, w0, value, site);
		if (frt_ctl_poll_hook(t, &seen))
			return;
	}
	if (c->hold)
		c->due = 1;
	else
		frt_ctl_turn_over(t);
	if (!c->hold && !t->busy)
		frt_ctl_deliver(t);
	errno = saved;
}

void frt_ctl_hold(struct frt_thread *t)
{
	if (frt_controlled())
		frt_ctl_thread(t)->hold++;
}

void frt_ctl_settle(const void *obj)
{
	struct frt_thread *t = frt_self;
	struct frt_ctl_thread *c;
	int saved = errno;

	if (!frt_controlled() || !t)
		return;
	frt_ctl_back(t); /* the held call may have waited, and the turn may be lost */
	c = frt_ctl_thread(t);
	if (obj)
		frt_ctl_release(obj);
	if (--c->hold || !c->due)
		return;
	c->due = 0;
	frt_ctl_turn_over(t);
	frt_ctl_deliver(t);
	errno = saved;
}
