/*
 * What the static memory of the program held at the start: the data and zero-initialised segments
 * of the modules that have instrumented code, as their files have them, without what the loader of
 * the system puts there (relocations, copies of other modules' variables). File `memory` of a run
 * folder: found when the recording ends, because a run folder must do without the program.
 *
 * Meaning: before anything of the program ran. Code that is not recorded (constructors of the
 *          system, libc's initialisation) may have written since; a reader must bear that.
 * Not in it: thread-local variables, whose template is not what threads use; modules that shared
 *          addresses with others in the course of the run; files that are no longer those that ran.
 */
#ifndef FR_TRACE_INITIAL_H
#define FR_TRACE_INITIAL_H

#include "base/err.h"
#include "base/mem.h"
#include "symbols/sites.h"
#include <stdint.h>

struct fr_initial_range {
	uint64_t lo, hi;
	size_t at;   /* in `bytes` */
	bool zeroed; /* all zero, and not in `bytes` */
};

struct fr_initial {
	FR_VEC(struct fr_initial_range)
	range; /* ascending, none is empty, none touches another's */
	struct fr_buf bytes;
};

/* From the ELF files. What cannot be read is left out. */
struct fr_initial *fr_initial_build(const struct fr_module_map *modules, size_t n,
				    const struct fr_units *units);
void fr_initial_free(struct fr_initial *x);
void fr_initial_freep(struct fr_initial **x);

/* The size of the file, > 0, or -errno. */
int64_t fr_initial_write(const char *path, const struct fr_initial *x, struct fr_err *reterr);
int fr_initial_read(const char *path, struct fr_initial **ret, struct fr_err *reterr);

#endif
