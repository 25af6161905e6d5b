/* Shared by std.c and std_folder.c. */
#ifndef FR_IMPORT_STD_INTERNAL_H
#define FR_IMPORT_STD_INTERNAL_H

#include "base/io.h"
#include "format/event.h"
#include "import/std.h"
#include "import/std_names.h"
#include "trace/writer.h"

struct fr_std_thread {
	uint32_t parent, nth, children; /* parent is an id of the trace: number + 1 */
	uint32_t first, last;		/* lines of its first and last event, 0: none */
	uint32_t forked, joined;	/* lines of its fork and join, 0: none */
	uint32_t regions;		/* open regions */
	uint32_t held;			/* number of locks held */
	uint32_t n;			/* events in `slot` */
	uint64_t first_hook;
	struct fr_event *slot;
};

struct fr_std_lock {
	uint32_t owner;	      /* thread + 1, 0: free */
	uint32_t depth, line; /* nested acquisitions; line of the outermost */
};

struct fr_std {
	const char *file, *dir, *version;
	struct fr_mapped map;
	struct fr_std_names threads, locks, variables, locations;
	FR_VEC(struct fr_std_thread) thread;
	FR_VEC(struct fr_std_lock) lock;
	struct fr_writer *writer;
	uint8_t run_id[16];
	uint64_t line, blocks;
	struct fr_std_stats stats;
	struct fr_err *err;
};

/* Writes everything in the folder except the events. */
int fr_std_write_folder(struct fr_std *s);

#endif
