/*
 * Ends processes that a re-executed program started and that left its process group. None survives,
 * not even if forerun itself is killed.
 */
#ifndef FR_CONFIRM_END_ORPHANS_H
#define FR_CONFIRM_END_ORPHANS_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on, orphaned descendants become children of this process. */
void fr_orphans_adopt(void);
/* Is an adopted process other than `but` alive that has NAME=VALUE in its environment? */
bool fr_orphans_alive(const char *setting, pid_t but);
/* Kills the adopted processes that were started with this setting (NAME=VALUE). */
void fr_orphans_end(const char *setting);
/* Kills every process with this setting, also one that is no child of this process: gdb may die
   while the program starts another one. Looks at all processes, so it is for rare use. */
void fr_orphans_sweep(const char *setting);

/* A process that waits for the end of this one, and then kills everything that was started with one
   of its pools. pid 0: it could not be started. Stop it before the end. */
struct fr_reaper {
	pid_t pid;
	int line; /* a pipe whose end it notices */
};
void fr_reaper_start(struct fr_reaper *k);
void fr_reaper_stop(struct fr_reaper *k);

#endif
