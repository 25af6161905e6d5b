/*
 * Re-executions that show a violation of a property are judged by the property's automaton: it
 * reads all events of the execution, in their order. The targets of the schedule alone do not
 * suffice. On another path, other events of the property may come between them; a read that the
 * schedule leaves open may bind another object; and <> may come true after the targets.
 *
 * The program writes its events into its pool. After its end they become a run folder of their own,
 * in the folder for temporary files, which lives until the automaton has read it.
 *
 * Not judged: deadlocks (their threads must stay blocked, which judge.c checks), executions in
 *             bundles, and executions by place, which only search.
 * Failure:    if the events cannot be had (too many, no disk space, the program died before it had
 *             written one of the finding), the verdict stays that of judge.c.
 */
#ifndef FR_CONFIRM_JUDGE_PROPERTY_H
#define FR_CONFIRM_JUDGE_PROPERTY_H

#include "confirm/execution.h"
#include "findings/schedule_file.h"

/* The folder of one execution. */
struct fr_event_folder {
	char *dir, *trace; /* NULL: the events are not needed */
};
/* Makes the folder. `trace` is for fr_execution_how.events. */
void fr_event_folder_make(struct fr_event_folder *f);
/* Completes the folder after the execution. from: the folder of the recorded run. False: it cannot
   be read. */
bool fr_event_folder_complete(const struct fr_event_folder *f, const struct fr_run *run,
			      const char *from, const struct fr_execution *r);
void fr_event_folder_remove(struct fr_event_folder *f);

#endif
