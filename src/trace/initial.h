/*
 * The initial contents of the program's static memory: the data and zero-initialised segments of
 * the modules with instrumented code, as in their ELF files, without the words that the dynamic
 * linker changes (relocations, copies of other modules' variables). record/session_finish.c writes
 * it to the file `memory` of the run folder, because a run folder must not need the program.
 *
 * Meaning:  the contents before any code of the program ran. Code that is not recorded
 *           (constructors of the system, libc's initialisation) may have written since; a reader
 *           must expect that.
 * Excluded: thread-local variables, because threads do not use the template; modules that shared
 *           addresses with others during the run; files that are no longer those that ran.
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
	range; /* ascending, not empty, without overlap */
	struct fr_buf bytes;
};

/* Reads the ELF files. Leaves out modules that cannot be read. */
struct fr_initial *fr_initial_build(const struct fr_module_map *modules, size_t n,
				    const struct fr_units *units);
void fr_initial_free(struct fr_initial *x);
void fr_initial_freep(struct fr_initial **x);

/* Returns the size of the file, > 0, or -errno. */
int64_t fr_initial_write(const char *path, const struct fr_initial *x, struct fr_err *reterr);
/* Returns 0 or -errno; -EBADMSG for a damaged file. */
int fr_initial_read(const char *path, struct fr_initial **ret, struct fr_err *reterr);

#endif
