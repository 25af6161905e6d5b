/*
 * Site ids and what they stand for: file, line, column, function, variable, type, inlined frames.
 *
 * At the end of a recording the tables of all translation units that the program registered
 * (FR_EV_TU) are read from the ELF files and written to the run folder's file `sites`, with the
 * program counters of -fsanitize=thread objects (FR_EV_PC_SITE) resolved into a table of their own,
 * so that the folder needs nothing else.
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
	uint64_t blob; /* address in the program */
	uint32_t first, count;
};
struct fr_pc {
	uint64_t pc;
	uint32_t site;
	bool function; /* stands for the function that it is in */
};
struct fr_name {
	uint64_t address;
	uint64_t length;
};
/* What the events say of sites and names. */
struct fr_units {
	FR_VEC(struct fr_unit) unit;
	FR_VEC(struct fr_pc) pc;
	FR_VEC(struct fr_name) name; /* each once */
	struct fr_map known;	     /* addresses of names */
};
/* Collects FR_EV_TU, FR_EV_PC_SITE and FR_EV_USER_EVENT from slots. */
void fr_units_scan(struct fr_units *u, const struct fr_event *e, uint32_t n);
void fr_units_clear(struct fr_units *u);

struct fr_sites;

/* Makes the tables from the ELF files. Never fails: what cannot be read is counted in
   fr_sites_missing. */
struct fr_sites *fr_sites_build(const struct fr_module_map *modules, size_t n,
				const struct fr_units *units);
int fr_sites_write(const char *path, const struct fr_sites *s, struct fr_err *reterr);
int fr_sites_read(const char *path, struct fr_sites **ret, struct fr_err *reterr);
void fr_sites_free(struct fr_sites *s);

/* Strings are never NULL; "" is not known. */
struct fr_site_info {
	bool known;
	enum fr_site_kind kind;
	uint8_t access; /* FR_SITE_READ ... */
	const char *file, *function, *name, *type, *physical, *dir;
	uint32_t line, column;
	const struct fr_site_frame *frames; /* inlined from, innermost first */
	uint32_t nframes;
	const char *strings; /* of the frames: strings + frame.function and so on */
};
/* What a site stands for; everything "" and known = false if nothing is known of it. */
struct fr_site_info fr_sites_get(const struct fr_sites *s, uint32_t site);

/* An object that a call synchronises on, as the source calls it: see format/site_table.h. */
struct fr_site_object {
	const char *name; /* `length` bytes */
	uint32_t length;
	uint64_t stride;
	bool passed; /* by the caller */
};
/* The class of what an event of this kind synchronises on, a letter; 0: nothing. */
char fr_event_object_class(unsigned kind);
/* Of a class by the sites of an event, of the call around it, and so on; false: none. */
bool fr_sites_object(const struct fr_sites *s, char class, const uint32_t *site, size_t n,
		     struct fr_site_object *ret);
/* A new string. `symbol`, with the offset, is the variable that it lies in, if any, NULL: that says
   more than the name. */
char *fr_site_object_text(const struct fr_site_object *o, const char *symbol, uint64_t off);

/* The name of FORERUN_EVENT that stood at this address, NULL if it is not known. */
const char *fr_sites_name(const struct fr_sites *s, uint64_t address);

/* Units whose table could not be read, and why, for people: i from 0; NULL after the last. */
const char *fr_sites_missing(const struct fr_sites *s, size_t i);
uint32_t fr_sites_count(const struct fr_sites *s);

/* The rules of format/site_table.h, for n bytes at p: 0 or -EBADMSG with *ret_why. */
int fr_site_blob_check(const void *p, size_t n, const char **ret_why);

#endif
