/* See service_end.h. */
#include "record/service_end.h"
#include "base/message.h"
#include "base/term.h"
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)
#define IDLE_S 2
#define ADVICE_S 3
#define STUBBORN_S 10 /* from SIGTERM to SIGKILL */
#define BUSY 20	      /* one part of a processor in this number */

/* Processor time of the program in nanoseconds. */
static uint64_t processor(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static bool is_idle(struct fr_service *s, const struct fr_peers_header *h, pid_t pid, uint64_t now)
{
	uint64_t steps = h ? atomic_load(&h->steps) : 0, used;

	if (!pid || (h && atomic_load(&h->listeners) && !steps) || steps != s->steps ||
	    !s->quiet_since) {
		s->steps = steps;
		s->used = processor(pid);
		s->quiet_since = now;
		return false;
	}
	if (now - s->quiet_since < IDLE_S * SECOND)
		return false;
	used = processor(pid);
	if (used - s->used < (now - s->quiet_since) / BUSY)
		return true;
	s->used = used;
	s->quiet_since = now;
	return false;
}

static void advise(struct fr_service *s, const struct fr_peers_header *h, pid_t pid, uint64_t now)
{
	if (s->advised || s->end.seconds > 0 || s->end.idle || !h || !atomic_load(&h->listeners) ||
	    now - s->begun < ADVICE_S * SECOND)
		return;
	s->advised = true;
	fr_say("the program waits for clients. To end it: Ctrl-C, or 'kill %d'; or record it with "
	       "--for SECONDS or --until-idle",
	       (int)pid);
}

int fr_service_check(struct fr_service *s, const struct fr_peer_file *peers, pid_t pid)
{
	uint64_t now = fr_now_ns();

	if (!s->begun)
		s->begun = now;
	advise(s, peers->h, pid, now);
	if (s->asked) {
		if (s->killed || now - s->asked < STUBBORN_S * SECOND)
			return 0;
		s->killed = true;
		fr_say("the program does not end after SIGTERM: forerun kills it");
		return SIGKILL;
	}
	if (!(s->end.seconds > 0 && (double)(now - s->begun) / 1e9 >= s->end.seconds) &&
	    !(s->end.idle && is_idle(s, peers->h, pid, now)))
		return 0;
	s->asked = now;
	return SIGTERM;
}
