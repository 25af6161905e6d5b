/*
 * Which sites decide the exit of a waiting loop (FR_SITE_WAITS), with the answers kept.
 */
#ifndef FR_MODEL_LOAD_WAIT_H
#define FR_MODEL_LOAD_WAIT_H

#include "symbols/sites.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_wait_sites {
	const struct fr_sites *sites; /* NULL: no site waits */
	uint8_t *state;		      /* by site: 0 = not asked yet, 1 = no, 2 = yes */
};

bool fr_wait_site(struct fr_wait_sites *w, uint32_t site);
void fr_wait_sites_free(struct fr_wait_sites *w);

#endif
