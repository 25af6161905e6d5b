/*
 * The program's timers under a schedule: they run on the virtual clock (ctl_time.c).
 *
 * Meaning:     an alarm, an interval timer or a timer_create timer is an entry here, not a timer of
 *              the kernel. It expires when no thread can run and nothing else is due earlier
 *              (ctl_idle.c). Where the recorded run began a handler, the schedule begins it, and
 *              that counts as the expiry.
 * In kernel:   two sorts of timers are armed there as well: timer descriptors, because a thread may
 *              be inside a read of one, and timers that start a thread, because libc starts it. If
 *              such a timer expires in the kernel first, the virtual clock follows. While a run is
 *              recorded, all timers are in the kernel, and virtual time keeps step with real time:
 *              the only thread may wait for a signal in a system call. While the only thread of a
 *              re-execution waits in sigsuspend or pause, they are there for the same reason.
 * Not handled: timers of CPU time (ITIMER_VIRTUAL, ITIMER_PROF, CPU clocks), which the kernel
 *              keeps; overruns, which are always 0; more than TIMERS timers.
 */
#include "ctl_timer.h"
#include "ctl_turn.h"
#include <poll.h>
#include <sys/timerfd.h>

#define TIMERS 512

static struct timer {
	enum frt_timer_kind kind;
	uintptr_t id;
	struct frt_timer_event event;
	uint64_t until, interval;
	bool armed;
	bool fired; /* descriptor: expired and not read yet; other timers: armed in the kernel */
} timers[TIMERS];

static struct timer *find(enum frt_timer_kind kind, uintptr_t id)
{
	frt_assert(kind != FRT_TIMER_NONE); /* else this would find a free entry */
	for (unsigned i = 0; i < TIMERS; i++)
		if (timers[i].kind == kind && timers[i].id == id)
			return &timers[i];
	return NULL;
}

static bool sends(const struct timer *e)
{
	return e->kind == FRT_TIMER_ALARM || e->kind == FRT_TIMER_POSIX;
}

/* left = 0 disarms the timer. */
static void set_in_kernel(struct timer *e, uint64_t left, uint64_t interval)
{
	struct itimerspec to = {
	    .it_value = {(time_t)(left / 1000000000), (long)(left % 1000000000)},
	    .it_interval = {(time_t)(interval / 1000000000), (long)(interval % 1000000000)}};
	struct itimerval alarm = {
	    .it_value = {to.it_value.tv_sec, (to.it_value.tv_nsec + 999) / 1000},
	    .it_interval = {to.it_interval.tv_sec, to.it_interval.tv_nsec / 1000}};

	frt_assert(sends(e));
	if (e->kind == FRT_TIMER_ALARM)
		syscall(SYS_setitimer, (long)ITIMER_REAL, &alarm, NULL);
	else
		syscall(SYS_timer_settime, (long)e->id, 0L, &to, NULL);
	e->fired = left != 0;
}

struct frt_timer_event *frt_ctl_timer_make(enum frt_timer_kind kind, uintptr_t id)
{
	struct timer *e = find(kind, id);

	/* The last entry is that of the alarm, of which there is only one. */
	for (unsigned i = 0; !e && i < TIMERS - (kind != FRT_TIMER_ALARM); i++)
		if (!timers[i].kind)
			e = &timers[i];
	frt_assert(e || kind != FRT_TIMER_ALARM);
	if (!e)
		return NULL;
	*e = (struct timer){.kind = kind, .id = id};
	return &e->event;
}

void frt_ctl_timer_drop(enum frt_timer_kind kind, uintptr_t id)
{
	struct timer *e = find(kind, id);

	if (e)
		*e = (struct timer){0};
}

bool frt_ctl_timer_left(enum frt_timer_kind kind, uintptr_t id, uint64_t *left, uint64_t *interval)
{
	const struct timer *e = find(kind, id);

	*left = e && e->armed ? (e->until > frt_ctl_vtime ? e->until - frt_ctl_vtime : 1) : 0;
	*interval = e ? e->interval : 0;
	return e;
}

bool frt_ctl_timer_set(enum frt_timer_kind kind, uintptr_t id, uint64_t until, uint64_t interval)
{
	struct timer *e = find(kind, id);

	if (!e)
		return false;
	if (sends(e) && e->fired)
		set_in_kernel(e, 0, 0);
	e->armed = until != 0;
	e->until = until;
	e->interval = interval;
	e->fired = false;
	if (frt_ctl->recording)
		frt_ctl_timers_to_kernel();
	return true;
}

static struct timer *first_due(void)
{
	struct timer *first = NULL;

	for (unsigned i = 0; i < TIMERS; i++)
		if (timers[i].armed && !(frt_ctl->recording && sends(&timers[i])) &&
		    (!first || timers[i].until < first->until))
			first = &timers[i];
	return first;
}

bool frt_ctl_timer_next(uint64_t *deadline)
{
	const struct timer *e = first_due();

	if (!e || e->until >= *deadline)
		return false;
	*deadline = e->until;
	return true;
}

static void expired(struct timer *e)
{
	frt_assert(e->kind != FRT_TIMER_NONE);
	frt_ctl_pass_until(e->until);
	if (e->interval)
		e->until += e->interval;
	else
		e->armed = false;
}

/* Makes the kernel let the descriptor expire now, and waits up to 10 ms for it. */
static void fire_descriptor(struct timer *e)
{
	struct itimerspec now = {.it_value.tv_nsec = 1};
	struct pollfd p = {.fd = (int)e->id, .events = POLLIN};

	now.it_interval.tv_sec = (time_t)(e->interval / 1000000000);
	now.it_interval.tv_nsec = (long)(e->interval % 1000000000);
	if (syscall(SYS_timerfd_settime, (long)e->id, 0L, &now, NULL) < 0)
		e->armed = false; /* the program closed it */
	else
		syscall(SYS_poll, &p, 1L, 10L);
	e->fired = true;
}

bool frt_ctl_timer_fire(void)
{
	struct timer *e = first_due();
	bool repeats = e && e->interval;

	if (!e)
		return false;
	expired(e);
	if (e->kind == FRT_TIMER_FD)
		fire_descriptor(e);
	else if (e->kind != FRT_TIMER_THREAD && e->event.sig)
		frt_ctl_signal_timer(e->event.sig, e->event.tid);
	return repeats;
}

bool frt_ctl_timer_take(int sig)
{
	struct timer *first = NULL;

	for (unsigned i = 0; i < TIMERS; i++)
		if (timers[i].armed && timers[i].event.sig == sig &&
		    (!first || timers[i].until < first->until))
			first = &timers[i];
	if (first)
		expired(first);
	return first;
}

void frt_ctl_timerfd_seen(int fd)
{
	struct timer *e = fd >= 0 ? find(FRT_TIMER_FD, (uintptr_t)fd) : NULL;

	if (e && !e->fired && e->armed)
		expired(e);
	if (e)
		e->fired = false;
}

bool frt_ctl_timer_info(int sig, siginfo_t *ret)
{
	for (unsigned i = 0; i < TIMERS; i++)
		if (timers[i].kind == FRT_TIMER_POSIX && timers[i].event.sig == sig) {
			*ret = (siginfo_t){.si_signo = sig, .si_code = SI_TIMER};
			ret->si_timerid = (int)timers[i].id;
			ret->si_value = timers[i].event.value;
			return true;
		}
	return false;
}

/* ---- timers that send signals, armed in the kernel ---- */

bool frt_ctl_timer_in_kernel(void)
{
	for (unsigned i = 0; i < TIMERS; i++)
		if (sends(&timers[i]) && timers[i].fired && timers[i].armed)
			return true;
	return false;
}

void frt_ctl_timers_to_kernel(void)
{
	for (unsigned i = 0; i < TIMERS; i++) {
		struct timer *e = &timers[i];

		if (sends(e) && e->armed && !e->fired)
			set_in_kernel(e, e->until > frt_ctl_vtime ? e->until - frt_ctl_vtime : 1,
				      e->interval);
	}
}

void frt_ctl_timers_from_kernel(void)
{
	for (unsigned i = 0; i < TIMERS; i++)
		if (sends(&timers[i]) && timers[i].fired)
			set_in_kernel(&timers[i], 0, 0);
}

bool frt_ctl_timers_lend(void)
{
	uint32_t living = 0;

	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++) {
		uint32_t s = frt_ctl_status(&frt_ctl_threads[i]);

		living += frt_ctl_threads[i].t && s != FR_CTL_NONE && s != FR_CTL_OVER;
	}
	if (frt_ctl->recording || living != 1)
		return false;
	frt_ctl_timers_to_kernel();
	return true;
}

void frt_ctl_timer_came(int sig)
{
	for (unsigned i = 0; i < TIMERS; i++)
		if (sends(&timers[i]) && timers[i].fired && timers[i].armed &&
		    timers[i].event.sig == sig) {
			expired(&timers[i]);
			return;
		}
}
