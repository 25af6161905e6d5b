/* Run folders: makes, locks and finds them. */
#ifndef FR_RECORD_FOLDER_H
#define FR_RECORD_FOLDER_H

#include "base/err.h"
#include <stdbool.h>

/* Makes an empty folder, enters it (base/dir.h) and takes a shared lock, so that no other tool
   writes there. The folder is `out`, which must not exist (-EEXIST), or forerun.d/PROG.N with the
   next free N. *ret is its name, a new string. */
int fr_folder_make(const char *out, const char *program, char **ret, struct fr_err *reterr);
/* Returns the name of a folder without trailing slashes, as a new string. */
char *fr_folder_plain(const char *given);
/* Enters a folder and locks it, to write (`alone`) or only to read. Waits while another tool holds
   the lock, and prints a message after a second. Returns FR_EXIT_OK, or another status after
   printing a message. */
int fr_folder_use(const char *dir, bool alone);
/* Removes a folder that fr_folder_make made, after a failed recording. */
void fr_folder_discard(const char *dir);
/* Finds the newest folder under forerun.d. *ret is its name, a new string. */
int fr_folder_newest(char **ret, struct fr_err *reterr);

#endif
