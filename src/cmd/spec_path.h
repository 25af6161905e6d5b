/* The files of --spec: the user's, and the ready properties that come with forerun. */
#ifndef FR_CMD_SPEC_PATH_H
#define FR_CMD_SPEC_PATH_H

#include "base/mem.h"

/* The file that the argument of --spec means, as a new string. A name without / and . means the
   ready properties of this name (share/forerun/properties/NAME.spec), if there are any; programs
   often have such names, property files do not. Any other argument is a file. */
char *fr_spec_path(const char *name);
/* Does the path belong to the ready properties? */
bool fr_spec_is_ready(const char *path);
/* Appends the names of the ready properties, "; ready properties: a, b", or nothing. */
void fr_spec_ready_names(struct fr_buf *ret);

#endif
