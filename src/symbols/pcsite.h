/*
 * Program counters as places in the source, for objects that carry no site table of the pass
 * (built with -fsanitize=thread): from the debug information of the ELF file, through libdw.
 *
 * Meaning:   a place names the innermost function, inlined or not, the function whose machine code
 *            it is in, and the calls it was inlined through, innermost first: as
 * format/site_table.h does. Falls back to the symbol table where there is no debug information,
 * then to the module alone; `how` says which. Debug information may be absent, cut off or nonsense:
 * that is no error.
 */
#ifndef FR_SYMBOLS_PCSITE_H
#define FR_SYMBOLS_PCSITE_H

#include "symbols/module.h"
#include <stdint.h>

enum fr_pcsite_how {
	FR_PCSITE_NOTHING, /* in no module */
	FR_PCSITE_MODULE,  /* only `module` and `offset` */
	FR_PCSITE_SYMBOL,  /* `function`, `physical` and `offset` from the start of it */
	FR_PCSITE_SOURCE,  /* a file and a line */
};

struct fr_pcsite_frame {
	const char *function; /* that the call stands in */
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

/* What has been resolved; opens each module's file once. */
struct fr_pcsites;

/* The modules must live as long as the table. */
struct fr_pcsites *fr_pcsites_new(const struct fr_module_map *modules, size_t n);
void fr_pcsites_free(struct fr_pcsites *p);
void fr_pcsites_freep(struct fr_pcsites **p);

/* Resolves a pc of the run (an address inside the instruction). Always fills *ret; returns
 * ret->how. */
enum fr_pcsite_how fr_pcsite_resolve(struct fr_pcsites *p, uint64_t pc, struct fr_pcsite *ret);
/* The same for the function whose machine code it is: where that begins in the source. */
enum fr_pcsite_how fr_pcsite_function(struct fr_pcsites *p, uint64_t pc, struct fr_pcsite *ret);

#endif
