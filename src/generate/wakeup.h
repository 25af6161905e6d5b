/* The search for lost wakeups, shared by its parts: see wakeup.c. */
#ifndef FR_GENERATE_WAKEUP_H
#define FR_GENERATE_WAKEUP_H

#include "generate/generate.h"

/* A wait without a time limit that a signal ended. */
struct fr_wakeup_wait {
	fr_ev begin, wait;
};

struct fr_wakeups {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_map index; /* key -> index into ret->group + 1 */
	/* of the present condition variable */
	uint64_t bug;			    /* its number: the lowest of its sites */
	FR_VEC(struct fr_wakeup_wait) wait; /* by `begin` */
	FR_VEC(fr_ev) signal;		    /* also broadcasts */
};

static inline uint32_t fr_wakeup_thread(const struct fr_wakeups *s, fr_ev e)
{
	return s->m->ev[e].thread;
}

static inline uint32_t fr_wakeup_site(const struct fr_wakeups *s, fr_ev e)
{
	return s->m->ev[e].site;
}

/* Returns a new instance of the group with this key; NULL: the group has enough. */
struct fr_instance *fr_wakeup_add(struct fr_wakeups *s, uint64_t key, uint32_t nactors);

/* Finds the write to bytes of the read before `than`; *ret: FR_NO_EV if there is none. Returns
   whether the read would return another value (wakeup_path.c). */
bool fr_wakeup_older(const struct fr_wakeups *s, fr_ev read, fr_ev than, fr_ev *ret);
/* Finds candidates on another path than the recorded run's (wakeup_path.c). */
void fr_wakeup_paths(struct fr_wakeups *s);
/* Finds candidates with semaphores (wakeup_sem.c). */
void fr_wakeup_sems(struct fr_wakeups *s);
/* Finds candidates with reads of descriptors (wakeup_stream.c). */
void fr_wakeup_streams(struct fr_wakeups *s);

#endif
