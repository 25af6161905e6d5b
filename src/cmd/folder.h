/* Run folders: making a new one, finding the newest. */
#ifndef FR_CMD_FOLDER_H
#define FR_CMD_FOLDER_H

#include "base/err.h"

/* Makes an empty folder: `out`, which must not exist (-EEXIST), or forerun.d/PROG.N with the next
   free N. ret: a new string. */
int fr_folder_make(const char *out, const char *program, char **ret, struct fr_err *reterr);
/* Removes a folder that fr_folder_make made and that nothing came of. */
void fr_folder_discard(const char *dir);
/* The newest folder under forerun.d. ret: a new string. */
int fr_folder_newest(char **ret, struct fr_err *reterr);

#endif
