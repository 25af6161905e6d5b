/*
 * The world of the re-executions: whether each runs in a box (process/box.h), and with which files.
 *
 * A run that changed nothing outside needs no box. Otherwise each re-execution gets a box, in which
 * the files that the recorded run changed are as they were (trace/kept_files.h). Re-executions in
 * boxes run side by side. If a box is impossible, `reason` says why: the re-executions then run one
 * after another in the world as it is now, and where that differs, findings are unknown.
 */
#ifndef FR_CONFIRM_EXECUTION_WORLD_H
#define FR_CONFIRM_EXECUTION_WORLD_H

#include "confirm/ghost_file_build.h"
#include "confirm/recorded.h"
#include "process/box.h"

struct fr_world {
	bool boxed;
	struct fr_box box; /* if boxed */
	struct fr_ghosts ghosts;
	bool has_ghosts; /* if boxed */
	char *no_ghosts; /* why there are none although the run had clients or servers; NULL */
	char *reason;	 /* why there is no box although the run changed something; NULL: none */
};

/* wanted: false = the user wants no box. */
void fr_world_open(struct fr_world *w, const char *dir, const struct fr_trace *t,
		   const struct fr_recorded *r, bool wanted);
void fr_world_close(struct fr_world *w);
/* Must re-executions run one after another? */
bool fr_world_serial(const struct fr_world *w, const struct fr_recorded *r);

#endif
