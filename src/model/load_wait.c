/* Waiting loops: see load_wait.h. */
#include "model/load_wait.h"
#include "base/assert.h"
#include "base/mem.h"

#define SITES (UINT32_C(1) << 22) /* fr_mev.site has 22 bits */
_Static_assert(FR_SITE_MAX < SITES, "an event of the model has the site of its trace event");

bool fr_wait_site(struct fr_wait_sites *w, uint32_t site)
{
	if (!w->sites)
		return false;
	fr_assert_slow(site < SITES);
	if (!w->state)
		w->state = fr_xcalloc(SITES, 1); /* only the used part is ever touched */
	if (!w->state[site])
		w->state[site] = fr_sites_get(w->sites, site).access & FR_SITE_WAITS ? 2 : 1;
	return w->state[site] == 2;
}

void fr_wait_sites_free(struct fr_wait_sites *w)
{
	free(w->state);
	*w = (struct fr_wait_sites){0};
}
