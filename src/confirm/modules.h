/* Compares the executable and its libraries with the recorded ones by their build-ids. */
#ifndef FR_CONFIRM_MODULES_H
#define FR_CONFIRM_MODULES_H

#include "base/err.h"
#include "findings/schedule_file.h"
#include "trace/run_info.h"

/* Compares with the present files. Skips modules without a build-id and modules that are no files
   (the kernel's). -ESTALE: another build; -ENOENT and others: the file cannot be read. */
int fr_modules_check(const struct fr_module_map *modules, size_t n, struct fr_err *reterr);
/* Does the schedule in file `path` belong to this run and these builds? -ESTALE: no. */
int fr_modules_of_schedule(const struct fr_run *run, const struct fr_schedule_file *s,
			   const char *path, struct fr_err *reterr);

#endif
