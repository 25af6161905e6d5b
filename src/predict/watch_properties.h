/*
 * Judges re-executions by the properties of the user: confirm/judge_property.c hands the events of
 * a re-execution over, and the automaton of the finding's property reads them
 * (generate/property_watch.h). cmd/ connects the two.
 *
 * The run folder keeps the properties with which its findings were predicted, in the file
 * `properties`, so that `confirm` and `replay` judge by these, wherever the user's files are now.
 *
 * Failure: without that file, or with a damaged one, every answer is FR_WATCH_OPEN.
 */
#ifndef FR_PREDICT_WATCH_PROPERTIES_H
#define FR_PREDICT_WATCH_PROPERTIES_H

#include "findings/schedule_file.h"
#include "generate/property_watch.h"
#include <pthread.h>

/* Set `dir` and initialise the lock. The rest is zero at first. */
struct fr_watched_properties {
	const char *dir; /* the run folder */
	pthread_mutex_t lock;
	bool loaded;
	struct fr_property_kinds kinds;
};
void fr_watched_properties_free(struct fr_watched_properties *p);

/* Writes the file `properties` of a run folder. */
int fr_watched_properties_save(const char *dir, const struct fr_property_kinds *kinds,
			       struct fr_err *reterr);

/* Does the folder have the automaton of this kind? */
bool fr_watched_properties_has(void *arg, const char *kind);
/* Does the execution whose run folder is `events` violate the property of the schedule, with the
   schedule's events? Any thread may call it. arg: struct fr_watched_properties. */
enum fr_watch_answer fr_watched_properties_ask(void *arg, const struct fr_schedule_file *s,
					       const char *events, bool over);

#endif
