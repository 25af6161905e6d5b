/* Names of global variables, from the symbol tables of a run's modules. */
#ifndef FR_SYMBOLS_SYMBOL_H
#define FR_SYMBOLS_SYMBOL_H

#include "symbols/module.h"
#include <stddef.h>
#include <stdint.h>

/* Returns the name of the data symbol that contains an address, as a new string, and the offset in
   it; NULL: none. */
char *fr_symbol_find(const struct fr_module_map *modules, size_t n, uint64_t addr,
		     uint64_t *ret_off);
/* The same as one string: "queue" or "queue+24". */
char *fr_symbol_data(const struct fr_module_map *modules, size_t n, uint64_t addr);

#endif
