/*
 * Gives recorded answers: see ctl_input.h.
 *
 * A call after a different number of hooks is not a difference of input: the thread has already
 * left the recorded run, and the schedule's own checks report why. So the runtime counts and keeps
 * for the tool only a different question at the same hook, or a different answer of a file or
 * socket. Not handled: a child's real process id may equal one that was recorded for this program.
 * Signals for that child would come here.
 */
#include "ctl_ghost.h"
#include "ctl_input.h"
#include "ctl_poll.h"
#include "ctl_turn.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/real.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

struct input_cursor {
	uint64_t at; /* bytes of its records that are used */
	uint64_t seed;
	uint32_t tid; /* id given to the program; 0: none */
	bool left;    /* the thread has left the recorded run */
};

static struct input_cursor cursors[FR_POOL_MAX_THREADS];
static long pid, ppid; /* ids given to the program; 0: none */

static struct input_cursor *cursor(const struct frt_thread *t)
{
	return &cursors[t->id - 1];
}

/* The thread's next record, NULL if none. */
static const struct fr_control_file_input *next(const struct frt_thread *t)
{
	const struct input_cursor *c = cursor(t);
	uint32_t known = frt_ctl_thread(t)->known;
	const struct fr_control_file_thread *k;
	const struct fr_control_file_input *in;
	uint64_t room;

	if (c->left || known == UINT32_MAX)
		return NULL;
	frt_assert(known < frt_ctl->nthreads);
	k = &fr_control_file_threads(frt_ctl)[known];
	room = k->ninput - c->at;
	if (c->at > k->ninput || room < sizeof(*in))
		return NULL;
	in = (const void *)(fr_control_file_inputs(frt_ctl) + k->input + c->at);
	return in->len <= room - sizeof(*in) ? in : NULL;
}

bool frt_ctl_asks_first(const struct frt_thread *t)
{
	const struct fr_control_file_input *in = next(t);

	return in && in->hook == t->hook;
}

void frt_ctl_answered(struct frt_thread *t)
{
	int saved = errno;

	if (!frt_ctl_free() && !frt_ctl->recording && !frt_ctl_thread(t)->hold && !t->busy &&
	    frt_ctl_signal_due(t))
		frt_ctl_deliver(t);
	errno = saved;
}

static void differs(struct frt_thread *t, unsigned what, int64_t expected, int64_t seen)
{
	if (atomic_fetch_add(&frt_ctl->inputs_differ, 1))
		return;
	frt_ctl->input_seen = (struct fr_control_file_seen){
	    .thread = frt_ctl_thread(t)->known,
	    .id = t->id,
	    .hook = t->hook,
	    .addr = (uint64_t)expected,
	    .value = (uint64_t)seen,
	    .site = frt_call_site(t),
	    .kind = (uint8_t)what,
	};
}

/* Does the record belong to a read from another descriptor? At this hook, the thread may read what
   another thread has sent in the meantime. */
static bool of_another(const struct fr_control_file_input *in, unsigned what, int fd)
{
	uint16_t from = fr_read_from(fr_read_addr(0, fd));

	return what == FR_INPUT_READ && in->from && from && in->from != from;
}

bool frt_ctl_recorded(struct frt_thread *t, unsigned what, int64_t *ret, uint64_t *ret_hash)
{
	return frt_ctl_recorded_of(t, what, -1, ret, ret_hash);
}

bool frt_ctl_recorded_of(struct frt_thread *t, unsigned what, int fd, int64_t *ret,
			 uint64_t *ret_hash)
{
	const struct fr_control_file_input *in;

	frt_ctl_back(t);
	frt_ctl_answered(t);
	if (what != FR_INPUT_WRITE && what != FR_INPUT_READY)
		frt_ctl_poll_call(t, FRT_POLL_OUTSIDE);
	in = frt_ctl_free() ? NULL : next(t);
	if (!in || in->hook != t->hook || in->what != what || of_another(in, what, fd))
		return false;
	frt_ctl_ghost_due(t);
	*ret = in->result;
	*ret_hash = 0;
	if (in->len >= sizeof(*ret_hash))
		memcpy(ret_hash, in + 1, sizeof(*ret_hash));
	return true;
}

/* A control with other answers shows which behaviour depends on them. */
static bool made_up_for_control(unsigned what)
{
	return what == FR_INPUT_TIME || what == FR_INPUT_CLOCK || what == FR_INPUT_CPU ||
	       what == FR_INPUT_RANDOM;
}

/* Consumes the record of this call. NULL: the recorded run does not have the call. */
static const struct fr_control_file_input *take(struct frt_thread *t, unsigned what)
{
	const struct fr_control_file_input *in;
	struct input_cursor *c = cursor(t);

	frt_ctl_back(t);
	in = next(t);
	if (in && in->hook == t->hook && in->what == what) {
		c->at += sizeof(*in) + ((uint64_t)in->len + 7) / 8 * 8;
		return frt_ctl->other && made_up_for_control(what) ? NULL : in;
	}
	if (in && in->hook == t->hook)
		differs(t, what, in->result, 0);
	c->left = true;
	return NULL;
}

/* ---- clocks ---- */

/* Clocks that run together are one; clocks without a small number share number 14. */
static clockid_t timeline(clockid_t clock)
{
	switch (clock) {
	case CLOCK_REALTIME_COARSE:
		return CLOCK_REALTIME;
	case CLOCK_MONOTONIC_COARSE:
		return CLOCK_MONOTONIC;
	default:
		return clock >= 0 && clock < 16 ? clock : 14;
	}
}

static bool of_processor(unsigned what)
{
	return what == FR_INPUT_CPU;
}

uint64_t frt_ctl_clock(struct frt_thread *t, unsigned what, clockid_t clock)
{
	static uint64_t latest[16]; /* latest answer to any thread */
	const struct fr_control_file_input *in = take(t, what);
	/* A coarse clock lags behind its fine one: it has its own latest time. */
	unsigned own = (unsigned)clock < 14 ? (unsigned)clock : 14;
	int saved = errno;
	uint64_t ns, floor = latest[own];

	frt_assert(own < sizeof(latest) / sizeof(*latest));
	/* A thread that has slept reads at least the time at which it woke. */
	if (timeline(clock) == clock && !of_processor(what) && frt_ctl_clock_value(clock) > floor)
		floor = frt_ctl_clock_value(clock);
	frt_ctl_poll_call(t, FRT_POLL_TIME);
	clock = timeline(clock);
	if (!in) {
		ns = frt_ctl_now(clock);
		frt_ctl->made_up = 1;
	} else {
		ns = (uint64_t)in->result;
		/* Under another schedule, time must not go back for any thread. A control keeps the
		   recorded answers: threads that no event orders may ask in another order now. */
		if (!of_processor(what) && ns < floor && frt_ctl->departs) {
			ns = floor;
			frt_ctl->made_up = 1;
		}
		frt_ctl_told(clock, ns);
	}
	if (ns > latest[own])
		latest[own] = ns;
	errno = saved;
	return ns;
}

/* The real counters of this execution may be behind those of the recorded run. As with clocks, no
   answer may be lower than an earlier one to any thread, except in a control. */
long frt_ctl_count_of(struct frt_thread *t, int who, unsigned i, long real)
{
	static long latest[3][FRT_INPUT_COUNTS]; /* latest answer to any thread */
	const struct fr_control_file_input *in = take(t, FR_INPUT_CLOCK);
	long *last = &latest[who == RUSAGE_SELF ? 0 : who == RUSAGE_CHILDREN ? 1 : 2][i];
	long count = in ? (long)in->result : real;

	frt_assert(i < FRT_INPUT_COUNTS);
	if (count < *last && (!in || frt_ctl->departs))
		count = *last;
	if (!in || count != (long)in->result)
		frt_ctl->made_up = 1;
	if (count > *last)
		*last = count;
	return count;
}

/* ---- ids ---- */

/* The first recorded answer to such a question of any thread, 0: the recorded run did not ask. */
static long recorded_id(unsigned what)
{
	const struct fr_control_file_thread *k = fr_control_file_threads(frt_ctl);

	for (uint32_t i = 0; i < frt_ctl->nthreads; i++)
		for (uint64_t at = 0; at + sizeof(struct fr_control_file_input) <= k[i].ninput;) {
			const struct fr_control_file_input *in =
			    (const void *)(fr_control_file_inputs(frt_ctl) + k[i].input + at);

			if (in->what == what)
				return in->result;
			at += sizeof(*in) + ((uint64_t)in->len + 7) / 8 * 8;
		}
	return 0;
}

long frt_ctl_id(struct frt_thread *t, unsigned what, long real)
{
	const struct fr_control_file_input *in = take(t, what);
	long id = in ? (long)in->result : 0;

	if (what == FR_INPUT_TID) {
		struct input_cursor *c = cursor(t);

		if (id)
			c->tid = (uint32_t)id;
		return c->tid ? (long)c->tid : real;
	} else {
		long *told = what == FR_INPUT_PID ? &pid : &ppid;

		if (!id && !*told)
			id = recorded_id(what);
		if (id)
			*told = id;
		return *told ? *told : real;
	}
}

pid_t frt_ctl_told_pid(pid_t real)
{
	long told = pid ? pid : recorded_id(FR_INPUT_PID);

	return told ? (pid_t)told : real;
}

int frt_ctl_real_id(int id)
{
	if (id <= 0)
		return id;
	if (id == pid)
		return getpid();
	if (id == ppid)
		return getppid();
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (cursors[i].tid == (uint32_t)id && frt_ctl_threads[i].t)
			return (int)frt_ctl_threads[i].t->os_tid;
	return id;
}

pid_t frt_ctl_known_id(pid_t real)
{
	long told;

	if (real == getpid())
		return frt_ctl_told_pid(real);
	if (real != getppid())
		return real;
	told = ppid ? ppid : recorded_id(FR_INPUT_PPID);
	return told ? (pid_t)told : real;
}

void frt_ctl_own_info(siginfo_t *info)
{
	if (info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL ||
	    info->si_code == SI_MESGQ)
		info->si_pid = frt_ctl_known_id(info->si_pid);
}

/* ---- random bytes ---- */

static uint64_t made_up(struct frt_thread *t)
{
	return frt_ctl_splitmix((cursor(t)->seed += FRT_CTL_SPLITMIX) + t->id);
}

long frt_ctl_random(struct frt_thread *t, void *p, size_t n)
{
	const struct fr_control_file_input *in = take(t, FR_INPUT_RANDOM);
	size_t have = 0;

	if (in) {
		have = in->len < n ? in->len : n;
		memcpy(p, in + 1, have);
		if (in->result < 0 || have < n)
			return in->result < 0 ? (long)in->result : (long)have;
	}
	frt_ctl->made_up |= have < n;
	for (; have < n; have++)
		((unsigned char *)p)[have] = (unsigned char)(made_up(t) >> 32);
	return (long)n;
}

long frt_ctl_kernel(struct frt_thread *t, void *p, size_t n, long r)
{
	const struct fr_control_file_input *in = take(t, FR_INPUT_RANDOM);

	if (!in || in->result <= 0 || in->len > n)
		return r;
	memcpy(p, in + 1, in->len);
	return (long)in->len;
}

/* ---- calls that really happen again ---- */

void frt_ctl_check(struct frt_thread *t, unsigned what, int fd, int64_t result, uint64_t hash)
{
	int saved = errno;
	const struct fr_control_file_input *in = take(t, what);
	uint64_t want = hash;

	if (what != FR_INPUT_WRITE && what != FR_INPUT_READY)
		frt_ctl_poll_call(t, FRT_POLL_OUTSIDE);
	if (in && in->len >= sizeof(want))
		memcpy(&want, in + 1, sizeof(want));
	/* frt_ctl_name compares files by name. */
	if (in && what != FR_INPUT_FILE && !of_another(in, what, fd) &&
	    (in->result != result || want != hash))
		differs(t, what, in->result, result);
	errno = saved;
}
