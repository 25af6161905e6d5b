/*
 * Virtual time under a schedule.
 *
 * Meaning:     frt_ctl_vtime is the only clock: nanoseconds since the program started. Every clock
 *              of the program is its value at the start of the recorded run plus frt_ctl_vtime. A
 *              recorded answer moves frt_ctl_vtime forward, a sleep or a timeout moves it by its
 *              length, and each question moves it by a microsecond. It never goes back.
 * CPU time:    has clocks of its own, because it does not pass while a thread sleeps.
 * File times:  come from the kernel, which uses real time. `points` maps real to virtual time, so
 *              that a file that this execution wrote is as old on the virtual clock as in reality.
 * Not handled: file times that are read without stat (directory entries of archives, other
 *              processes).
 */
#include "ctl_turn.h"
#include "runtime/core/rt_input.h"
#include <sys/stat.h>

#define SECOND UINT64_C(1000000000)
#define ASKING 1000 /* nanoseconds that one question takes */
#define CLOCKS 16
#define FIRST_TIME (UINT64_C(1767225600) * SECOND) /* the beginning of 2026 */

uint64_t frt_ctl_vtime;

static struct {
	uint64_t start; /* value when vtime was 0; of CPU clocks: the value now */
	bool known;
} clocks[CLOCKS];

static unsigned index_of(clockid_t clock)
{
	return (unsigned)clock < CLOCKS ? (unsigned)clock : 0;
}

/* 14 stands for clocks of other processes and threads (ctl_input.c). */
static bool of_processor(unsigned i)
{
	return i == CLOCK_PROCESS_CPUTIME_ID || i == CLOCK_THREAD_CPUTIME_ID || i == 14;
}

static uint64_t recorded_start(unsigned i)
{
	static const clockid_t id[FR_CONTROL_FILE_CLOCKS] = FR_POOL_CLOCK_IDS;

	for (unsigned k = 0; k < FR_CONTROL_FILE_CLOCKS; k++)
		if (id[k] == (clockid_t)i && frt_ctl->clock[k])
			return frt_ctl->clock[k];
	return 0;
}

static uint64_t *start_of(unsigned i)
{
	frt_assert(i < CLOCKS);
	if (!clocks[i].known) {
		clocks[i].start = recorded_start(i);
		if (!clocks[i].start)
			clocks[i].start = i == CLOCK_REALTIME ? FIRST_TIME : SECOND;
		clocks[i].known = true;
	}
	return &clocks[i].start;
}

/* Does not move the clock. */
static uint64_t value_of(unsigned i)
{
	return *start_of(i) + (of_processor(i) ? 0 : frt_ctl_vtime);
}

uint64_t frt_ctl_clock_value(clockid_t clock)
{
	unsigned i = index_of(clock);

	return clocks[i].known || recorded_start(i) ? value_of(i) : 0;
}

uint64_t frt_ctl_now(clockid_t clock)
{
	unsigned i = index_of(clock);

	if (of_processor(i))
		*start_of(i) += ASKING;
	else
		frt_ctl_vtime += ASKING;
	return value_of(i);
}

void frt_ctl_told(clockid_t clock, uint64_t ns)
{
	unsigned i = index_of(clock);

	if (of_processor(i) || (!clocks[i].known && !recorded_start(i))) {
		clocks[i].start = of_processor(i) ? ns : ns - frt_ctl_vtime;
		clocks[i].known = true;
	} else if (i == FRT_CLOCK_COUNTER) {
		/* Faster than other clocks: it must not move them. */
		if (ns > value_of(i))
			clocks[i].start = ns - frt_ctl_vtime;
	} else if (ns > value_of(i)) {
		frt_ctl_pass_until(ns - *start_of(i));
	}
}

uint64_t frt_ctl_until(clockid_t clock, const struct timespec *ts)
{
	uint64_t now = frt_ctl_now(clock);
	uint64_t then = (uint64_t)ts->tv_sec * SECOND + (uint64_t)ts->tv_nsec;

	return frt_ctl_vtime + (ts->tv_sec >= 0 && then > now ? then - now : 0);
}

uint64_t frt_ctl_left(uint64_t until)
{
	return until > frt_ctl_vtime ? until - frt_ctl_vtime : 0;
}

/* ---- file times ---- */

#define POINTS 4096
#define JUMP_NS 4000000 /* the resolution of file times is no finer */

static struct point {
	uint64_t real, time; /* real: CLOCK_REALTIME_COARSE, the kernel's source of file times */
} points[POINTS];	     /* ascending; a ring once it is full */
static uint32_t first_point, npoints;
static uint64_t real_start;

static uint64_t coarse_now(void)
{
	struct timespec ts = {0};

	clock_gettime(CLOCK_REALTIME_COARSE, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

static struct point *point(uint32_t i)
{
	frt_assert(i < npoints && npoints <= POINTS);
	return &points[(first_point + i) % POINTS];
}

static void add_point(uint64_t real)
{
	/* Earlier answers about files of that time stay valid. */
	if (npoints && point(npoints - 1)->real >= real)
		return;
	if (npoints == POINTS)
		first_point = (first_point + 1) % POINTS;
	else
		npoints++;
	*point(npoints - 1) = (struct point){real, value_of(CLOCK_REALTIME)};
}

void frt_ctl_time_begin(void)
{
	real_start = coarse_now();
	add_point(real_start);
}

/* The clock jumps. Files written before and after the jump must differ in the kernel's time, which
   advances every few milliseconds. So the jump waits for it if the program uses file times. */
void frt_ctl_pass_until(uint64_t vtime)
{
	static const struct timespec pause = {.tv_nsec = 500000};
	uint64_t last = npoints ? point(npoints - 1)->time - *start_of(CLOCK_REALTIME) : 0;
	uint64_t before, now;

	if (vtime <= frt_ctl_vtime)
		return;
	if (!frt_ctl->files || vtime - last < JUMP_NS) {
		frt_ctl_vtime = vtime;
		return;
	}
	add_point(coarse_now());
	before = point(npoints - 1)->real;
	for (int i = 0; i < 100 && (now = coarse_now()) <= before; i++)
		syscall(SYS_nanosleep, &pause, NULL);
	frt_ctl_vtime = vtime;
	add_point(now);
}

static uint64_t virtual_time(uint64_t real)
{
	uint64_t time, end;
	uint32_t i = npoints;

	while (i && point(i - 1)->real > real)
		i--;
	if (!i) {
		uint64_t back = point(0)->real - real, floor = *start_of(CLOCK_REALTIME);

		return point(0)->time > floor + back ? point(0)->time - back : floor;
	}
	time = point(i - 1)->time + (real - point(i - 1)->real);
	end = i < npoints ? point(i)->time : value_of(CLOCK_REALTIME);
	return time < end ? time : end;
}

void frt_ctl_file_time(struct timespec *ts)
{
	uint64_t real = (uint64_t)ts->tv_sec * SECOND + (uint64_t)ts->tv_nsec, now = coarse_now();

	frt_ctl->files |= frt_ctl->recording;
	/* Older than this execution, or set explicitly. */
	if (ts->tv_sec < 0 || real < real_start || real > now + SECOND)
		return;
	/* The answer must not change later. Some files have finer times than the coarse clock. */
	add_point(real > now ? real : now);
	real = virtual_time(real);
	ts->tv_sec = (time_t)(real / SECOND);
	ts->tv_nsec = (long)(real % SECOND);
}

/* ---- sleeping ---- */

/* After this number of sleeps, a thread may be waiting in a loop for one that cannot run. */
#define AWAKE_MAX 256

static bool stays_awake(void)
{
	static uint32_t slept;

	bool awake = frt_ctl->then == FR_THEN_AWAKE ||
		     (frt_ctl->sleeps == FR_SLEEPS_IN_WAIT && frt_ctl->then == FR_THEN_GO_ON);

	return awake && slept++ < AWAKE_MAX;
}

bool frt_ctl_sleep(struct frt_thread *t, uint64_t until)
{
	static const char asleep;

	if (frt_ctl_by_place())
		frt_ctl_yield(t);
	if (!frt_ctl_free()) {
		frt_ctl_wait_real(until);
		frt_ctl_pass_until(until);
		return true;
	}
	if (stays_awake())
		frt_ctl_pass_until(until);
	while (frt_ctl_vtime < until) {
		if (frt_ctl_block(t, FR_EV_NONE, &asleep, &until) == 0 &&
		    frt_ctl_interrupted(t, true))
			return false;
		if (frt_ctl_cancelled(t))
			pthread_testcancel();
	}
	return true;
}
