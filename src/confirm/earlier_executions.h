/*
 * Results of earlier re-executions. Under control, the *switches* of a schedule decide the whole
 * execution: which thread runs, and at which hook it stops. So schedules of different findings are
 * often the same execution, or begin with the same steps, and forerun need not execute them again:
 *
 *   harmless	the schedule makes the switches of an execution that did no harm. It can only add a
 *		finding's verdict, not its harm.
 *   divergence	the schedule begins with the turns after which the program left another schedule,
 *		and expects the same there.
 *   failure	a failure at a position that is known already.
 *
 * Any thread may call these functions.
 */
#ifndef FR_CONFIRM_EARLIER_EXECUTIONS_H
#define FR_CONFIRM_EARLIER_EXECUTIONS_H

#include "confirm/judge.h"
#include <pthread.h>

struct fr_known_divergence {
	uint64_t before; /* of the turns before the one in which it happened, as a hash */
	uint64_t end;	 /* hook at which that turn ends */
	char *thread;	 /* the thread of the turn */
	enum fr_divergence why;
	struct fr_schedule_hook expected; /* without its thread */
	uint64_t left_at;		  /* identifies the step with which it left */
	char *detail;
};

struct fr_known {
	pthread_mutex_t lock;
	FR_VEC(uint64_t) harmless; /* switches as hashes */
	FR_VEC(struct fr_known_divergence) divergence;
	FR_VEC(uint64_t) failure; /* fr_judgement.where */
};
void fr_known_init(struct fr_known *k);
void fr_known_free(struct fr_known *k);

/* Stores the results of an execution. j: its judgement, before any excuse. left_at: identifies the
   step with which it left its schedule. */
void fr_known_note(struct fr_known *k, const struct fr_schedule_file *s, bool swapped, bool others,
		   const struct fr_execution *seen, const struct fr_judgement *j, uint64_t left_at);

bool fr_known_harmless(struct fr_known *k, const struct fr_schedule_file *s, bool swapped,
		       bool others);
/* Does the program leave this schedule as it left another? */
struct fr_known_left {
	char *detail;	  /* how, a new string */
	uint64_t left_at; /* identifies the step with which it left */
	size_t turn;	  /* in which it happens */
	uint64_t hook;	  /* at which it happens, in the thread of the turn */
};
bool fr_known_diverges(struct fr_known *k, const struct fr_schedule_file *s,
		       struct fr_known_left *ret);
void fr_known_add_failure(struct fr_known *k, uint64_t where);
bool fr_known_fails(struct fr_known *k, uint64_t where);

#endif
