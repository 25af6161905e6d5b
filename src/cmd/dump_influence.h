/* forerun dump --influence: prints the effects of the values that a program reads. */
#ifndef FR_CMD_DUMP_INFLUENCE_H
#define FR_CMD_DUMP_INFLUENCE_H

#include "symbols/sites.h"

/* Prints the graphs of influence of all units (symbols/depends.h): a line for each node that
   influences others. */
void fr_dump_influence(const struct fr_sites *s);

#endif
