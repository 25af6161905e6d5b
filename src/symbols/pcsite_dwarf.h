/* The debug information of one ELF file, asked by address. Part of pcsite.c. */
#ifndef FR_SYMBOLS_PCSITE_DWARF_H
#define FR_SYMBOLS_PCSITE_DWARF_H

#include "symbols/pcsite.h"
#include <stdbool.h>

struct fr_pcdwarf;

/* NULL if there is none that can be used. */
struct fr_pcdwarf *fr_pcdwarf_open(const char *path);
void fr_pcdwarf_free(struct fr_pcdwarf *d);
/* Sets file, line, column, function, physical and frames of *ret; of the function that it is in, if
 * asked for that. False, *ret untouched, without a line. */
bool fr_pcdwarf_find(struct fr_pcdwarf *d, uint64_t addr, bool function, struct fr_pcsite *ret);

#endif
