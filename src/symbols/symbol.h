/* Names of global variables, out of the symbol tables of the modules of a run. */
#ifndef FR_SYMBOLS_SYMBOL_H
#define FR_SYMBOLS_SYMBOL_H

#include "symbols/module.h"
#include <stddef.h>
#include <stdint.h>

/* The data symbol that an address lies in, a new string, and how far behind its start; NULL: none.
 */
char *fr_symbol_find(const struct fr_module_map *modules, size_t n, uint64_t addr,
		     uint64_t *ret_off);
/* The same in one: "queue" or "queue+24". */
char *fr_symbol_data(const struct fr_module_map *modules, size_t n, uint64_t addr);

#endif
