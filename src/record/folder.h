/* Run folders: making a new one, finding the newest. */
#ifndef FR_RECORD_FOLDER_H
#define FR_RECORD_FOLDER_H

#include "base/err.h"
#include <stdbool.h>

/* Makes an empty folder, enters it (base/dir.h) and keeps others from writing there: `out`, which
   must not exist (-EEXIST), or forerun.d/PROG.N with the next free N. ret: a new string. */
int fr_folder_make(const char *out, const char *program, char **ret, struct fr_err *reterr);
/* The name of a folder without slashes at its end, as a new string. */
char *fr_folder_plain(const char *given);
/* Enters a folder and locks it, to write (alone) or only to read. While another tool has it, this
   one waits, and says so after a second. FR_EXIT_OK or another status, with a message. */
int fr_folder_use(const char *dir, bool alone);
/* Removes a folder that fr_folder_make made and that nothing came of. */
void fr_folder_discard(const char *dir);
/* The newest folder under forerun.d. ret: a new string. */
int fr_folder_newest(char **ret, struct fr_err *reterr);

#endif
