/*
 * The sites of a run, and the entry to the module `symbols`, which turns numbers and addresses of a
 * run into names. A site id stands for file, line, column, function, variable, type and inlined
 * frames.
 *
 * While the recorder writes the trace, fr_units_scan collects the slots that define sites. At the
 * end of a recording, record/session_finish.c calls fr_sites_build and fr_sites_write:
 *
 *   - sites_build.c reads the site tables that the pass wrote (format/site_table.h) from the ELF
 *     files of the program, for all translation units that it registered (FR_EV_TU), and the names
 *     of FORERUN_EVENTs;
 *   - sites_pc.c makes a table of the same form for program counters of code built with
 *     -fsanitize=thread (FR_EV_PC_SITE), which pcsite.c and pcsite_dwarf.c resolve;
 *   - sites_file.c writes all of them to the file `sites` of the run folder, so that a reader needs
 *     no other file for the sites.
 *
 * Later commands call fr_sites_read and fr_sites_get. sites_object.c names the lock or other object
 * of a call. symbol.h names global variables, from the ELF files as they are then (elf_symbols.h;
 * demangle.h for C++). depends.h reads the graph of influence, for slices. sites_internal.h is
 * shared by the files that build tables, and module.h describes an object file of the program.
 *
 * Failure: building never fails. A table that cannot be read is recorded as missing with a reason
 * (fr_sites_missing), and its sites are unknown. Reading fails if the file is damaged. Every table
 * is checked when it is read, so that lookups can trust it. sites_old.c reads older versions of it.
 */
#ifndef FR_SYMBOLS_SITES_H
#define FR_SYMBOLS_SITES_H

#include "base/err.h"
#include "base/mem.h"
#include "format/event.h"
#include "format/site_table.h"
#include "symbols/module.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_unit {
	uint64_t blob; /* address of the site table in the program */
	uint32_t first, count;
};
struct fr_pc {
	uint64_t pc;
	uint32_t site;
	bool function; /* the site stands for the function that contains the program counter */
};
/* The name of a FORERUN_EVENT in the program's memory. */
struct fr_name {
	uint64_t address;
	uint64_t length;
};
/* The sites and names that the events of a trace refer to. */
struct fr_units {
	FR_VEC(struct fr_unit) unit;
	FR_VEC(struct fr_pc) pc;
	FR_VEC(struct fr_name) name; /* each once */
	struct fr_map known;	     /* addresses of the names so far */
};
/* Collects FR_EV_TU, FR_EV_PC_SITE and FR_EV_USER_EVENT from slots. */
void fr_units_scan(struct fr_units *u, const struct fr_event *e, uint32_t n);
void fr_units_clear(struct fr_units *u);

struct fr_sites;

/* Makes the tables from the ELF files. Never fails: fr_sites_missing lists tables that could not be
   read. */
struct fr_sites *fr_sites_build(const struct fr_module_map *modules, size_t n,
				const struct fr_units *units);
/* Write and read the file `sites`. Return 0 or -errno; -EBADMSG for a damaged file. */
int fr_sites_write(const char *path, const struct fr_sites *s, struct fr_err *reterr);
int fr_sites_read(const char *path, struct fr_sites **ret, struct fr_err *reterr);
void fr_sites_free(struct fr_sites *s);

/* Strings are never NULL; "" = not known. */
struct fr_site_info {
	bool known;
	enum fr_site_kind kind;
	uint16_t access; /* FR_SITE_READ ... */
	const char *file, *function, *name, *type, *physical, *dir;
	uint32_t line, column;
	const struct fr_site_frame *frames; /* inlined from, innermost first */
	uint32_t nframes;
	const char *strings; /* of the frames: a name is strings + frame.function, and so on */
};
/* Looks up a site. Of an unknown site, all strings are "" and `known` is false. */
struct fr_site_info fr_sites_get(const struct fr_sites *s, uint32_t site);

/* Finds the first access in program order, but no range, at a source position. Files are compared
   by their last component. Returns its site, 0 if there is none. */
uint32_t fr_sites_at(const struct fr_sites *s, const char *file, uint32_t line, uint32_t column);

/* A branch that the value read at a site decides (struct fr_site_mark). */
struct fr_site_branch {
	uint32_t fails;	  /* site of the call in which the failing side ends */
	const char *test; /* which values take that side; "": not known */
};
/* Finds the i-th branch (from 0) of a site. Returns false if the site has fewer. */
bool fr_sites_branch(const struct fr_sites *s, uint32_t site, uint32_t i,
		     struct fr_site_branch *ret);
/* Calls `each` for every site that has one. */
void fr_sites_branches(const struct fr_sites *s, void (*each)(void *arg, uint32_t site), void *arg);

/* The source name of an object on which a call synchronises (format/site_table.h). */
struct fr_site_object {
	const char *name; /* `length` bytes */
	uint32_t length;
	uint64_t stride; /* size of an element, if it is in a global array; else 0 */
	bool passed;	 /* the caller passed the object to the function */
};
/* Returns the class letter of the object on which an event of this kind synchronises; 0: none. */
char fr_event_object_class(unsigned kind);
/* Finds the name of an event's object of this class. `site` is the event's site, then the sites of
   the calls around it, innermost first. Returns false if no name is known. */
bool fr_sites_object(const struct fr_sites *s, char class, const uint32_t *site, size_t n,
		     struct fr_site_object *ret);
/* Returns the object's name as a new string, with the index if it is in an array. `symbol` is the
   global variable that contains the object, `off` the offset in it; NULL: none. Returns NULL if
   the symbol is the better name. */
char *fr_site_object_text(const struct fr_site_object *o, const char *symbol, uint64_t off);

/* Returns the name of the FORERUN_EVENT at this address, NULL if it is not known. */
const char *fr_sites_name(const struct fr_sites *s, uint64_t address);

/* Returns a sentence about the i-th unit (from 0) whose table could not be read; NULL after the
   last. */
const char *fr_sites_missing(const struct fr_sites *s, size_t i);
/* Returns the number of sites whose table could be read. */
uint32_t fr_sites_count(const struct fr_sites *s);

/* Checks n bytes at p against the rules of format/site_table.h. Returns 0, or -EBADMSG with the
   reason in *ret_why. */
int fr_site_blob_check(const void *p, size_t n, const char **ret_why);
/* Returns a copy of n bytes at p as a table of the current version, which has passed the check;
   NULL with the reason in *ret_why if it does not. */
void *fr_site_blob_read(const void *p, size_t n, size_t *ret_n, const char **ret_why);

#endif
