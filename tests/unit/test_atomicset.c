/* Atomic-set violations in runs made by hand. test_atomicset_random.c compares with brute force. */
#include "generate/generate.h"
#include "ask.h"
#include "fixture.h"
#include "script.h"
#include <string.h>

struct wanted {
	uint32_t site[4]; /* in the order in which they happen in the shape */
	const char *shape;
	enum fr_region region;
};

static void expect(const char *text, const char *set, const struct wanted *w)
{
	/* the initial value is known; that is no unit */
	FR_CLEANUP(fr_freep) char *whole = fr_xasprintf("2 r x =0; 2 sig z; 2 r y =0; %s", text);
	struct fr_model *m = fr_script(whole);
	struct fr_causality *c = fr_causality_new(m);
	struct fr_oracle *o = fr_oracle_new(m, c, &ask_precise);
	struct fr_generate_opt opt = {.atomic_set = {.v = &set, .n = set != NULL}};
	struct fr_groups g;
	uint32_t wanted = 0, found = 0;

	fr_generator_atomicset.generate(&fr_generator_atomicset, m, c, &opt, &g);
	assert_int_equal(g.unmatched.n, 0);
	for (; w[wanted].shape; wanted++) {
		bool there = false;

		FR_VEC_FOREACH (x, &g.group) {
			const struct fr_instance *in = x->instance.v[0];
			bool same = true;

			for (unsigned i = 0; i < 4; i++)
				same &= m->ev[in->actor[i].ev].site == w[wanted].site[i];
			there |= same && !strcmp(fr_shape_name[x->shape], w[wanted].shape) &&
				 x->region == w[wanted].region && ask_group(o, x) == FR_FEASIBLE;
		}
		if (!there)
			fail_msg("%s is not found in:\n%s", w[wanted].shape, text);
	}
	FR_VEC_FOREACH (x, &g.group)
		found += ask_group(o, x) == FR_FEASIBLE;
	if (found != wanted)
		fail_msg("%u instead of %u found in:\n%s", found, wanted, text);
	fr_groups_free(&g);
	fr_oracle_free(o);
	fr_causality_free(c);
	fr_model_free(m);
}
#define EXPECT(text, ...) \
	expect(text, NULL, (const struct wanted[]){__VA_ARGS__ __VA_OPT__(, ){.shape = NULL}})
/* All locations are one set. */
#define EXPECT_SET(text, ...) \
	expect(text, "*", (const struct wanted[]){__VA_ARGS__ __VA_OPT__(, ){.shape = NULL}})
#define SET FR_REGION_SET
#define LOCK FR_REGION_LOCK
#define SPLIT FR_REGION_SPLIT

static void finds_the_shapes_of_two_units(void **state)
{
	(void)state;
	/* One unit within the other, or each. */
	EXPECT("0 acq k; 0 w x @10; 0 w y @11; 0 rel k; 1 acq l; 1 r x @20; 1 r y @21; 1 rel l",
	       {{10, 20, 21, 11}, "9: W1 R'1 R'2 W2", LOCK},
	       {{20, 10, 11, 21}, "11: R1 W'1 W'2 R2", LOCK});
	EXPECT("0 acq k; 0 w x @10; 0 w y @11; 0 rel k; 1 acq l; 1 w x @20; 1 w y @21; 1 rel l",
	       {{10, 20, 21, 11}, "6: W1 W'1 W'2 W2", LOCK},
	       {{20, 10, 11, 21}, "6: W1 W'1 W'2 W2", LOCK});
	/* Crossed: the same from both sides. */
	EXPECT("0 acq k; 0 w x @10; 0 w y @11; 0 rel k; 1 acq l; 1 w y @20; 1 w x @21; 1 rel l",
	       {{10, 20, 21, 11}, "7: W1 W'2 W'1 W2", LOCK});
	EXPECT("0 acq k; 0 r x @10; 0 r y @11; 0 rel k; 1 acq l; 1 w y @20; 1 w x @21; 1 rel l",
	       {{10, 20, 21, 11}, "12: R1 W'2 W'1 R2", LOCK});
	/* A unit that reads one and writes the other. */
	EXPECT("0 acq k; 0 w x @10; 0 r y @11; 0 rel k; 1 acq l; 1 r x @20; 1 w y @21; 1 rel l",
	       {{10, 20, 21, 11}, "W1 R'1 W'2 R2", LOCK},
	       {{20, 10, 11, 21}, "R1 W'1 R'2 W2", LOCK});
	/* One lock. */
	EXPECT("0 acq l; 0 w x @10; 0 w y @11; 0 rel l; 1 acq l; 1 r x @20; 1 r y @21; 1 rel l");
	/* It is given back between: that unit alone can be interrupted. */
	EXPECT("0 acq l; 0 w x =1 @10; 0 rel l; 0 acq l; 0 w y =1 @11; 0 rel l;"
	       "1 acq l; 1 w x =2 @20; 1 w y =2 @21; 1 rel l",
	       {{10, 20, 21, 11}, "6: W1 W'1 W'2 W2", SPLIT});
	EXPECT("1 acq l; 1 w x =2 @20; 1 w y =2 @21; 1 rel l;"
	       "0 acq l; 0 w y =1 @10; 0 rel l; 0 acq l; 0 w x =1 @11; 0 rel l",
	       {{10, 20, 21, 11}, "7: W1 W'2 W'1 W2", SPLIT});
	/* Two neighbours in a granule are two locations. */
	EXPECT("0 acq k; 0 w x /0x0f @10; 0 w x /0xf0 @11; 0 rel k;"
	       "1 acq l; 1 r x /0x0f @20; 1 r x /0xf0 @21; 1 rel l",
	       {{10, 20, 21, 11}, "9: W1 R'1 R'2 W2", LOCK},
	       {{20, 10, 11, 21}, "11: R1 W'1 W'2 R2", LOCK});
	EXPECT("0 acq k; 0 w x /0x0f @10; 0 w x /0x38 @11; 0 rel k;"
	       "1 acq l; 1 r x /0x0f @20; 1 r x /0x38 @21; 1 rel l");
	/* Reads of written locations do not count. */
	EXPECT("0 acq k; 0 r x =0 @9; 0 w x =1 @10; 0 r y =0 @8; 0 w y =1 @11; 0 rel k;"
	       "1 acq l; 1 r x =1 @20; 1 r y =1 @21; 1 rel l",
	       {{10, 20, 21, 11}, "9: W1 R'1 R'2 W2", LOCK});
	/* No units, no conflict on both, order. */
	EXPECT("0 w x @10; 0 w y @11; 1 r x @20; 1 r y @21");
	EXPECT("0 acq k; 0 w x @10; 0 r y @11; 0 rel k; 1 acq l; 1 r x @20; 1 r y @21; 1 rel l");
	EXPECT("0 acq k; 0 w x @10; 0 w y @11; 0 rel k; 0 create 1;"
	       "1 acq l; 1 r x @20; 1 r y @21; 1 rel l");
	EXPECT("0 acq k; 0 w x @10; 0 sig c; 0 w y @11; 0 rel k;"
	       "1 acq l; 1 r x =1 @20; 1 sig c; 1 r y @21; 1 rel l");
}

static void finds_violations_of_named_sets(void **state)
{
	static const char locked[] =
	    "0 acq k; 0 w x =1 @10; 0 rel k; 0 acq l; 0 w y =1 @11; 0 rel l;"
	    "1 acq k; 1 w x =2 @20; 1 rel k; 1 acq l; 1 w y =2 @21; 1 rel l";

	(void)state;
	/* Each location with a lock of its own; with no lock at all. */
	EXPECT(locked);
	EXPECT_SET(locked, {{10, 20, 21, 11}, "6: W1 W'1 W'2 W2", SET},
		   {{20, 10, 11, 21}, "6: W1 W'1 W'2 W2", SET});
	EXPECT_SET("0 w x @10; 0 w y @11; 1 r x @20; 1 r y @21",
		   {{10, 20, 21, 11}, "9: W1 R'1 R'2 W2", SET},
		   {{20, 10, 11, 21}, "11: R1 W'1 W'2 R2", SET});
	/* One of them in a region, whose lock the other unit does not respect. */
	EXPECT_SET("0 acq k; 0 w x @10; 0 w y @11; 0 rel k; 1 r x @20; 1 r y @21",
		   {{10, 20, 21, 11}, "9: W1 R'1 R'2 W2", LOCK},
		   {{20, 10, 11, 21}, "11: R1 W'1 W'2 R2", SET});
	/* A lock around both of both. */
	EXPECT_SET("0 acq m; 0 acq k; 0 w x @10; 0 rel k; 0 w y @11; 0 rel m;"
		   "1 acq m; 1 r x @20; 1 acq k; 1 r y @21; 1 rel k; 1 rel m");
	/* The ends of a unit: a signal; an access above; the same access again. */
	EXPECT_SET("0 w x @10; 0 sig c; 0 w y @11; 1 r x @20; 1 sig c; 1 r y @21");
	EXPECT_SET("0 w x @11; 0 w y @10; 1 r x @21; 1 r y @20");
	EXPECT_SET("0 w x =1 @10; 0 w x =2 @10; 1 r x =2 @20");
	/* `y = x`: in one line, the written location stands in front of the read one. */
	EXPECT_SET("0 r x =0 @11; 0 w y =5 @10; 1 w x =5 @20; 1 r y =5 @21",
		   {{11, 20, 21, 10}, "R1 W'1 R'2 W2", SET});
}

static void sets_are_kept_apart(void **state)
{
	struct fr_model *m = fr_script("0 w x @10; 0 w y @11; 1 r x @20; 1 r y @21");
	struct fr_causality *c = fr_causality_new(m);
	FR_CLEANUP(fr_freep) char *x = fr_model_obj_name(m, FR_C_LOC, 0);
	FR_CLEANUP(fr_freep) char *y = fr_model_obj_name(m, FR_C_LOC, 1);
	FR_CLEANUP(fr_freep) char *both = fr_xasprintf("%s,%s", x, y);
	FR_CLEANUP(fr_freep) char *one = fr_xasprintf("%s,no*thing", x);
	FR_CLEANUP(fr_freep) char *other = fr_xasprintf("%s,%s", y, y);
	const char *sets[] = {one, other};
	struct fr_generate_opt opt = {.atomic_set = {.v = (const char **)&both, .n = 1}};
	struct fr_groups g;

	(void)state;
	fr_generator_atomicset.generate(&fr_generator_atomicset, m, c, &opt, &g);
	assert_int_equal(g.group.n, 2);
	assert_int_equal(g.unmatched.n, 0);
	fr_groups_free(&g);
	/* Two sets are two. */
	opt.atomic_set.v = sets;
	opt.atomic_set.n = 2;
	fr_generator_atomicset.generate(&fr_generator_atomicset, m, c, &opt, &g);
	assert_int_equal(g.group.n, 0);
	assert_int_equal(g.unmatched.n, 1);
	assert_string_equal(g.unmatched.v[0], "no*thing");
	fr_groups_free(&g);
	fr_causality_free(c);
	fr_model_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds_the_shapes_of_two_units),
	    cmocka_unit_test(finds_violations_of_named_sets),
	    cmocka_unit_test(sets_are_kept_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
