/* Virtual time: see ctl.h. */
#include "ctl_turn.h"

uint64_t frt_ctl_vtime;

static struct {
	uint64_t told, when; /* the last answer, and the virtual time of it */
} clocks[16];

#define FIRST_TIME UINT64_C(1767225600000000000) /* the beginning of 2026 */

uint64_t frt_ctl_now(clockid_t clock)
{
	unsigned i = (unsigned)clock < 16 ? (unsigned)clock : 0;

	frt_ctl_vtime += 1000;
	if (!clocks[i].told) {
		clocks[i].told = i == CLOCK_REALTIME ? FIRST_TIME : UINT64_C(1000000000);
		clocks[i].when = 0;
	}
	return clocks[i].told + (frt_ctl_vtime - clocks[i].when);
}

void frt_ctl_told(clockid_t clock, uint64_t ns)
{
	unsigned i = (unsigned)clock < 16 ? (unsigned)clock : 0;

	clocks[i].told = ns;
	clocks[i].when = frt_ctl_vtime;
}

uint64_t frt_ctl_until(clockid_t clock, const struct timespec *ts)
{
	uint64_t now = frt_ctl_now(clock);
	uint64_t then = (uint64_t)ts->tv_sec * 1000000000 + (uint64_t)ts->tv_nsec;

	return frt_ctl_vtime + (ts->tv_sec >= 0 && then > now ? then - now : 0);
}

void frt_ctl_sleep(struct frt_thread *t, uint64_t ns)
{
	static const char asleep;
	uint64_t until = frt_ctl_vtime + ns;

	if (frt_ctl_free())
		frt_ctl_block(t, FR_EV_NONE, &asleep, &until);
	else
		frt_ctl_vtime = until;
}
