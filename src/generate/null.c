/*
 * Null dereferences: a thread reads a pointer, which was not null in the recorded run, and sees a
 * null that another thread wrote, or the initial null (ExceptioNULL, sections 4 and 5). There is
 * one bug for each site of a read.
 *
 * Locks do not matter: a lock around every access does not keep the read from coming after the
 * write of null, or before the first write of an address.
 *
 * Reads whose null would reach a dereference in the function come first (FR_SITE_DEREFERENCED, a
 * mark of the pass). Reads that the function compares with null before it dereferences them come
 * last (FR_SITE_CHECKED).
 *
 * Not decided here: whether the program then dereferences the null. The re-execution shows it.
 */
#include "generate/unguarded.h"
#include "generate/read_sees_write.h"

#define GROUPS 256

/* The read returned a pointer, and the write stores null. */
static const struct fr_sees_access reads = {.without = FR_NO_TARGET | FR_F_NOVALUE | FR_F_RANGE,
					    .unlike = FR_F_NOVALUE,
					    .mask = 0xff,
					    .least = 4096,
					    .most = (UINT64_C(1) << 47) - 1},
				   writes = {.without = FR_F_NOVALUE,
					     .unlike = FR_F_NOVALUE,
					     .mask = 0xff};

/* Does the program use the value read here as a pointer, or may it do so? */
static bool reads_at(const struct fr_model *m, uint32_t site)
{
	return !m->trace || !m->trace->sites ||
	       !(fr_sites_get(m->trace->sites, site).access & FR_SITE_NUMBER);
}

static bool fits(const struct fr_model *m, fr_ev read, fr_ev write)
{
	const struct fr_mobj *loc = &m->cls[FR_C_LOC].obj[m->ev[read].obj];

	fr_assert_slow(fr_sees_wants(&reads, &m->ev[read]));
	fr_assert_slow(write == FR_NO_EV || fr_sees_wants(&writes, &m->ev[write]));
	return write != FR_NO_EV || loc->count == 0xff || loc->aux;
}

/* The function's use of a null counts first. Then: memory of unknown content is seldom null. */
static uint32_t doubt(const struct fr_model *m, fr_ev read, fr_ev write)
{
	unsigned access = m->trace ? fr_sites_get(m->trace->sites, m->ev[read].site).access : 0;
	uint32_t d = access & FR_SITE_DEREFERENCED ? 0
		     : access & FR_SITE_CHECKED	   ? FR_DOUBT_UNLIKELY
						   : 2;

	return d +
	       (write == FR_NO_EV && (m->cls[FR_C_LOC].obj[m->ev[read].obj].count & 0xff) != 0xff);
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	static const struct fr_sees want = {.reads = reads,
					    .reads_at = reads_at,
					    .writes = writes,
					    .fits = fits,
					    .doubt = doubt,
					    .max = GROUPS,
					    .one_reader = true};

	(void)self;
	(void)opt;
	fr_sees_generate(&want, m, c, ret);
}

const struct fr_generator fr_generator_null = {
    .name = "null-dereference",
    .summary = "a thread uses a pointer that is null in another order of the threads",
    .meeting = FR_MEETING_IN_ORDER,
    .needs = FR_NEEDS_NULL,
    .guess = true,
    .rank = 20,
    .generate = generate,
};
