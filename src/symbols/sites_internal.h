/* Shared by sites.c, sites_build.c, sites_pc.c and sites_file.c. */
#ifndef FR_SYMBOLS_SITES_INTERNAL_H
#define FR_SYMBOLS_SITES_INTERNAL_H

#include "symbols/sites.h"

struct fr_sites_unit {
	uint32_t first, count;	 /* sites: first id, number; the table has at least as many */
	uint64_t address;	 /* of the table in the program; 0: sites_pc.c made the table */
	struct fr_site_tu *blob; /* checked; NULL: missing */
	size_t size;
	char *missing; /* reason why the table is missing */
};

struct fr_sites_name {
	uint64_t address;
	char *text;
};

struct fr_sites {
	FR_VEC(struct fr_sites_unit) unit; /* sorted by `first` */
	FR_VEC(struct fr_sites_name) name; /* sorted by `address` */
};

/* Adds a unit. Takes ownership of blob and missing. */
void fr_sites_add(struct fr_sites *s, uint32_t first, uint32_t count, uint64_t address, void *blob,
		  size_t n, char *missing);
/* Sorts units and names. Call it after the last addition, before any lookup. */
void fr_sites_sort(struct fr_sites *s);
/* Adds a table for the program counters, if any. */
void fr_sites_add_pcs(struct fr_sites *s, const struct fr_module_map *modules, size_t n,
		      const struct fr_units *units);

#endif
