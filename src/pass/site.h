/* The unit's site table under construction: one entry for each different instrumented position. */
#ifndef FR_PASS_SITE_H
#define FR_PASS_SITE_H

#include "ditype.h"
#include "format/site_table.h"

struct fr_site_desc {
	LLVMValueRef fn; /* the function that contains the code */
	fr_md loc;	 /* debug location, or NULL */
	uint8_t kind;	 /* enum fr_site_kind */
	uint16_t access; /* FR_SITE_READ | ... */
	const char *name, *type;
};

struct fr_unit_sites *fr_unit_sites_new(LLVMModuleRef m);
void fr_unit_sites_free(struct fr_unit_sites *s);
/* The number of the site in the unit; equal descriptions are one site. */
uint32_t fr_site_add(struct fr_unit_sites *s, const struct fr_site_desc *d);
uint32_t fr_unit_sites_count(const struct fr_unit_sites *s);
/* Adds a mark (struct fr_site_mark): sites by their numbers. */
void fr_site_mark_add(struct fr_unit_sites *s, uint32_t site, uint32_t fails, const char *test);
/* A string of the table, and the access bits of a site. */
uint32_t fr_site_string(struct fr_unit_sites *s, const char *text);
uint16_t fr_site_access(const struct fr_unit_sites *s, uint32_t site);
/* True if two sites are on one line of the source. */
bool fr_site_same_line(const struct fr_unit_sites *s, uint32_t a, uint32_t b);
/* Adds access bits to a site. Call it after all sites are added. */
void fr_site_bits(struct fr_unit_sites *s, uint32_t site, uint16_t bits);
/* Sets the graph of influence. */
void fr_site_graph(struct fr_unit_sites *s, const struct fr_site_node *node, size_t nnodes,
		   const uint32_t *influence, size_t ninfluences);
/* The table in the layout of format/site_table.h, as a new buffer. */
void fr_unit_sites_blob(struct fr_unit_sites *s, struct fr_buf *ret);

/* In plugin.cpp. At the start of the pipeline, marks instructions that have one source position,
   such as those of a macro, by discriminators; fr_plugin_discriminator returns the mark, 0 for the
   first. Sites with different marks are different. */
bool fr_plugin_tell_apart(LLVMModuleRef m);
unsigned fr_plugin_discriminator(fr_md loc);

/* The source name of a function as in the table, and its file ("" if not known). */
const char *fr_site_function(struct fr_unit_sites *s, LLVMValueRef fn, const char **file);

#endif
