/* Looks up addresses in the debug information of one ELF file. Only pcsite.c uses this. */
#ifndef FR_SYMBOLS_PCSITE_DWARF_H
#define FR_SYMBOLS_PCSITE_DWARF_H

#include "symbols/pcsite.h"
#include <stdbool.h>

struct fr_pcdwarf;

/* Returns NULL if the file has no usable debug information. */
struct fr_pcdwarf *fr_pcdwarf_open(const char *path);
void fr_pcdwarf_free(struct fr_pcdwarf *d);
/* Sets file, line, column, function, physical and frames of *ret. With `function`, the position is
   the declaration of the function that contains the address. Returns false and leaves *ret alone if
   no line is known. */
bool fr_pcdwarf_find(struct fr_pcdwarf *d, uint64_t addr, bool function, struct fr_pcsite *ret);

#endif
