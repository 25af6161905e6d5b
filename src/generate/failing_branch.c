/*
 * Reads that decide a failure (ConSeq, ASPLOS 2011, section 4): see failing_branch.h.
 *
 * If the pass knows which values take the failing side, the candidates are the writes of such
 * values. Otherwise they are all writes of other values than the one that was read. Initial zeros
 * count as writes. The known ones come first, and at most GROUPS pairs of sites are kept.
 *
 * Not decided here: whether the program reaches that branch. The re-execution shows it.
 */
#include "generate/failing_branch.h"
#include "format/site_test.h"
#include "generate/unguarded.h"
#include "generate/read_sees_write.h"
#include <string.h>

#define GROUPS 64
#define SITES (UINT32_C(1) << 22) /* struct fr_mev */
_Static_assert(SITES % 64 == 0, "a bit for each site, in words");

enum branch_side { GOES_ON, MAY_FAIL, FAILS };

/* The value that the read finds if it sees the write. False: not known. */
static bool value_of(const struct fr_model *m, fr_ev read, fr_ev write, uint64_t *ret)
{
	const struct fr_mev *r = &m->ev[read];
	uint64_t mine = fr_mask_bytes(r->mask), theirs;

	fr_assert(r->op == FR_OP_READ && (write == FR_NO_EV || m->ev[write].obj == r->obj));
	if (r->flags & FR_F_PART || r->origin & FR_ORIGIN_SPLIT || !r->mask)
		return false;
	if (write == FR_NO_EV) {
		*ret = 0;
		return !(r->mask & ~m->cls[FR_C_LOC].obj[r->obj].count);
	}
	if (m->ev[write].flags & FR_F_NOVALUE)
		return false;
	theirs = fr_mask_bytes((uint8_t)(r->mask & m->ev[write].mask));
	*ret = ((r->value & mine & ~theirs) | (m->ev[write].value & theirs)) >>
	       8 * __builtin_ctz(r->mask);
	return true;
}

/* Can the read find another value than in the recorded run? */
static bool differs(const struct fr_model *m, fr_ev read, fr_ev write)
{
	const struct fr_mev *r = &m->ev[read];

	if (write == FR_NO_EV)
		return r->value & fr_mask_bytes(r->mask) ||
		       r->mask & ~m->cls[FR_C_LOC].obj[r->obj].count;
	return m->ev[write].flags & FR_F_NOVALUE ||
	       !fr_sees_same(r, m->ev[write].value, m->ev[write].mask);
}

static enum branch_side side_of(const struct fr_model *m, fr_ev read, fr_ev write)
{
	bool known, understood = false;
	enum branch_side side = GOES_ON;
	struct fr_site_branch b;
	uint64_t v;

	if (!fr_sites_branch(m->trace->sites, m->ev[read].site, 0, &b) || !differs(m, read, write))
		return GOES_ON;
	known = value_of(m, read, write, &v);
	for (uint32_t i = 0; fr_sites_branch(m->trace->sites, m->ev[read].site, i, &b); i++) {
		if (known && fr_site_test(b.test, v, &understood))
			return FAILS;
		if (!known || !understood)
			side = MAY_FAIL;
	}
	return side;
}

static bool has_sites(const struct fr_model *m)
{
	return m->trace && m->trace->sites;
}

static bool fits(const struct fr_model *m, fr_ev read, fr_ev write)
{
	return side_of(m, read, write) != GOES_ON;
}

static uint32_t doubt(const struct fr_model *m, fr_ev read, fr_ev write)
{
	uint64_t v;

	return (side_of(m, read, write) == FAILS ? 0 : 4) + !value_of(m, read, write, &v);
}

bool fr_failing_sure(const struct fr_model *m, fr_ev read, fr_ev write)
{
	return has_sites(m) && side_of(m, read, write) == FAILS;
}

struct marked {
	uint64_t *sites; /* a bit for each */
	bool any;
};

static void note(void *arg, uint32_t site)
{
	struct marked *k = arg;

	if (site < SITES) {
		k->sites[site / 64] |= UINT64_C(1) << site % 64;
		k->any = true;
	}
}

void fr_failing_generate(const struct fr_model *m, const struct fr_causality *c,
			 struct fr_groups *ret)
{
	struct fr_sees want = {.reads = FR_SEES_VALUED_READ,
			       .writes = FR_SEES_KNOWN_WRITE,
			       .fits = fits,
			       .doubt = doubt,
			       .values = true,
			       .races = 16,
			       .max = GROUPS,
			       .one_reader = true,
			       .needs = FR_NEEDS_BRANCH};
	struct marked k = {0};

	*ret = (struct fr_groups){0};
	if (!has_sites(m))
		return;
	k.sites = fr_xcalloc(SITES / 64, sizeof(*k.sites));
	fr_sites_branches(m->trace->sites, note, &k);
	want.sites = k.sites;
	if (k.any)
		fr_sees_generate(&want, m, c, ret);
	free(k.sites);
}
