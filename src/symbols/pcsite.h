/*
 * Resolves program counters to source positions, for objects without a site table of the pass
 * (built with -fsanitize=thread). Uses the debug information of the ELF file, through libdw.
 *
 * A resolved program counter has the same parts as a site (format/site_table.h): the innermost
 * function, inlined or not; the function whose machine code contains it; and the calls through
 * which it was inlined, innermost first. Without debug information the symbol table must do, and
 * without that the module alone; `how` tells which. Absent, truncated or invalid debug information
 * is not an error.
 */
#ifndef FR_SYMBOLS_PCSITE_H
#define FR_SYMBOLS_PCSITE_H

#include "symbols/module.h"
#include <stdint.h>

enum fr_pcsite_how {
	FR_PCSITE_NOTHING, /* in no module */
	FR_PCSITE_MODULE,  /* only `module` and `offset` */
	FR_PCSITE_SYMBOL,  /* `function`, `physical`, and `offset` from the function's start */
	FR_PCSITE_SOURCE,  /* a file and a line */
};

struct fr_pcsite_frame {
	const char *function; /* the function that contains the call */
	const char *file;     /* "" if not known */
	uint32_t line, column;
};

/* Strings belong to the table, and are never NULL. */
struct fr_pcsite {
	enum fr_pcsite_how how;
	const char *module;
	uint64_t offset;  /* from the module's link address, or from the symbol */
	const char *file; /* as the compiler was given it */
	uint32_t line, column;
	const char *function, *physical;
	const struct fr_pcsite_frame *frames;
	uint32_t nframes;
};

/* The resolver of one run. Opens each module's file once. */
struct fr_pcsites;

/* The modules must live as long as the table. */
struct fr_pcsites *fr_pcsites_new(const struct fr_module_map *modules, size_t n);
void fr_pcsites_free(struct fr_pcsites *p);
void fr_pcsites_freep(struct fr_pcsites **p);

/* Resolves a program counter of the run (an address inside the instruction). Always fills *ret and
   returns ret->how. */
enum fr_pcsite_how fr_pcsite_resolve(struct fr_pcsites *p, uint64_t pc, struct fr_pcsite *ret);
/* The same for the function whose machine code contains `pc`: the source position is the function's
   declaration. */
enum fr_pcsite_how fr_pcsite_function(struct fr_pcsites *p, uint64_t pc, struct fr_pcsite *ret);

#endif
