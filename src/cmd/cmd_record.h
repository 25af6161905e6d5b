/* forerun record, for those who do it as a step of more. */
#ifndef FR_CMD_CMD_RECORD_H
#define FR_CMD_CMD_RECORD_H

#include "cmd/tuning.h"
#include <stdbool.h>

/* Can the program be recorded at all? 0, or -1 with a message. ret_path: a new string. */
int fr_record_check(const char *name, char **ret_path, bool *ret_script);
/*
 * Records a run into a folder that is there and empty; the status is that of the command. Signals,
 * terminal and descriptors are changed: to be called in a process of its own.
 */
int fr_record_into(const char *dir, char **argv, const struct fr_tuning *t);

#endif
