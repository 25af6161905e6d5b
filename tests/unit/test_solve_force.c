/*
 * Forced orders: the incremental result after each change equals the result computed from scratch,
 * and undoing a change restores the old state. Random runs, random targets, random orders.
 *
 * FORERUN_TEST_TRACES: 20,000, of which these are a tenth; FORERUN_TEST_SEED: the first seed (1).
 */
#include "cross.h"
#include "fixture.h"
#include "oracle/order_force.h"
#include <string.h>

static bool same(const struct fr_po *a, const struct fr_po *b)
{
	size_t k = a->s->nthreads, n = k * a->s->n;

	return !memcmp(a->pred, b->pred, n * sizeof(uint32_t)) &&
	       !memcmp(a->succ, b->succ, n * sizeof(uint32_t)) &&
	       !memcmp(a->lo, b->lo, k * sizeof(uint32_t)) &&
	       !memcmp(a->hi, b->hi, k * sizeof(uint32_t));
}

/* Two threads end somewhere, the others are free. */
static void choose_targets(struct fr_po *po, uint64_t *random)
{
	for (unsigned i = 0; i < 2; i++) {
		uint32_t t = (uint32_t)(fx_random(random) % po->s->nthreads);
		uint32_t p = (uint32_t)(fx_random(random) % (po->hi[t] + 1));

		po->lo[t] = po->hi[t] = p;
	}
}

/* Adds the edge to a copy and looks at everything. */
static bool from_scratch(const struct fr_po *po, uint32_t a, uint32_t b, struct fr_po *ret)
{
	fr_po_copy(ret, po);
	return fr_po_add(ret, a, b) && fr_force(ret);
}

struct counts {
	uint64_t yes, no;
};

static void one_run(const struct fr_model *m, uint64_t random, struct counts *count)
{
	struct fr_seg *s;
	struct fr_po base, po, all;
	fr_ev cut = (fr_ev)(fx_random(&random) % 3 ? 0 : fx_random(&random) % m->n);

	s = fr_seg_new(m, NULL, cut, m->n);
	fr_po_init(&base, s);
	fr_force_base(&base);
	fr_po_copy(&po, &base);
	choose_targets(&po, &random);
	for (unsigned i = 0; fr_force(&po) && i < 12; i++) {
		struct fr_po_checkpoint mark = fr_po_checkpoint(&po);
		uint32_t a = (uint32_t)(fx_random(&random) % s->n);
		uint32_t b = (uint32_t)(fx_random(&random) % s->n);
		struct fr_po before;
		bool ok;

		if (fr_po_le(&po, a, b) || fr_po_le(&po, b, a))
			continue;
		fr_po_copy(&before, &po);
		ok = fr_po_add(&po, a, b) && fr_force(&po);
		assert_int_equal(ok, from_scratch(&before, a, b, &all));
		assert_true(!ok || same(&po, &all));
		if (!ok || fx_random(&random) % 2) {
			fr_po_undo(&po, mark);
			assert_true(same(&po, &before));
		}
		count->yes += ok;
		count->no += !ok;
		fr_po_destroy(&before);
		fr_po_destroy(&all);
	}
	fr_po_destroy(&po);
	fr_po_destroy(&base);
	fr_seg_free(s);
}

static void forced_orders_hold_step_by_step(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 10;
	uint64_t seed = cross_env("FORERUN_TEST_SEED", 1);
	struct counts count = {0};

	(void)state;
	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep)
		struct gen_script *s = gen_random(seed + i, 20 + (uint32_t)((seed + i) * 7 % 180));
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

		if (m->n)
			one_run(m, seed + i, &count);
	}
	/* Both must be common, or the test says little. */
	assert_true(count.yes > n && count.no > n / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(forced_orders_hold_step_by_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
