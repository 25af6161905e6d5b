/* Is what would run what was recorded? By the build-ids of the executable and its libraries. */
#ifndef FR_CONFIRM_MODULES_H
#define FR_CONFIRM_MODULES_H

#include "base/err.h"
#include "findings/schedule_file.h"
#include "trace/run_info.h"

/* Compares with the files as they are now. Modules without a build-id, and those that are no files
   (the kernel's), are left out. -ESTALE: another build; -ENOENT ...: not there. */
int fr_modules_check(const struct fr_module_map *modules, size_t n, struct fr_err *reterr);
/* Is a schedule one of this run, and of these builds? `path`: of its file. -ESTALE: no. */
int fr_modules_of_schedule(const struct fr_run *run, const struct fr_sched *s, const char *path,
			   struct fr_err *reterr);
/* Is it about a bug of this kind, with so many events? -EBADMSG: no; it was edited. */
int fr_schedule_of_bug(const struct fr_sched *s, const char *kind, size_t events, const char *path,
		       struct fr_err *reterr);

#endif
