/*
 * Processes that a program under control started and that left its process group: none is left
 * behind, not even if forerun itself is killed.
 */
#ifndef FR_CONFIRM_ORPHAN_H
#define FR_CONFIRM_ORPHAN_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on what loses its parent becomes a child of this process. */
void fr_orphans_adopt(void);
/* Is one of them alive that has this setting (NAME=VALUE) in its environment, but for this one? */
bool fr_orphans_alive(const char *setting, pid_t but);
/* Kills the adopted ones that have this setting (NAME=VALUE) in the environment they were started
 * with. */
void fr_orphans_end(const char *setting);

/*
 * A process that waits for the end of this one and then kills all that was started with a pool of
 * its. 0: it could not be started. To be stopped before the end.
 */
struct fr_reaper {
	pid_t pid;
	int line; /* a pipe, of which it sees the end */
};
void fr_reaper_start(struct fr_reaper *k);
void fr_reaper_stop(struct fr_reaper *k);

#endif
