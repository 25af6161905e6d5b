/*
 * Uses after free and double frees on small random runs, against brute force: the generator and the
 * oracle find every use of an object after its free by another thread, and nothing else; their
 * answer about every double free is that of brute force.
 *
 * FORERUN_TEST_TRACES: the number of runs (20,000).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "generate/generate.h"
#include "ask.h"
#include "brute.h"
#include "gen.h"
#include <stdlib.h>

struct run {
	const struct gen_script *script;
	struct fr_model *m;
	struct fr_causality *c;
	struct fr_oracle *o;
	unsigned yes, no; /* the questions asked, by answer */
};

static bool by_brute_force(const struct run *r, const struct fr_candidate *what)
{
	struct brute *b = brute_new(r->m, what, 1u << 20);
	bool yes = brute_feasible(b, what, NULL);

	assert_true(yes || brute_complete(b));
	brute_free(b);
	return yes;
}

static bool by_oracle(const struct run *r, const struct fr_candidate *what)
{
	struct fr_decision v;
	bool yes;

	fr_oracle_ask(r->o, what, &v);
	assert_int_not_equal(v.answer, FR_UNKNOWN);
	yes = v.answer == FR_FEASIBLE;
	fr_decision_free(&v);
	return yes;
}

/* Asks both about each instance of a generator. */
static void agree(struct run *r, const struct fr_groups *g)
{
	FR_VEC_FOREACH (x, &g->group)
		FR_VEC_FOREACH (in, &x->instance) {
			bool yes = by_oracle(r, &(*in)->what);

			r->yes += yes;
			r->no += !yes;
			if (yes != by_brute_force(r, &(*in)->what)) {
				gen_show(r->script, r->m);
				fail_msg("the oracle says %s", yes ? "yes" : "no");
			}
		}
}

/* Does the generator have the use of an object after this free, and is it feasible? */
static bool is_found(struct run *r, const struct fr_groups *g, fr_ev free, fr_ev use)
{
	FR_VEC_FOREACH (x, &g->group)
		FR_VEC_FOREACH (in, &x->instance)
			if ((*in)->actor[0].ev == free && (*in)->actor[1].ev == use) {
				assert_int_equal((*in)->actor[0].role, FR_ROLE_FREE);
				assert_int_equal((*in)->actor[1].role, FR_ROLE_USE);
				return by_oracle(r, &(*in)->what);
			}
	return false;
}

static bool is_use(const struct fr_model *m, fr_ev free, fr_ev use)
{
	const struct fr_mev *f = &m->ev[free], *u = &m->ev[use];

	return f->op == FR_OP_FREE && fr_is_access(u) && f->thread != u->thread &&
	       !(u->flags & (FR_F_SYNTH | FR_F_BENIGN)) &&
	       m->cls[FR_C_LOC].obj[u->obj].aux == f->obj + 1;
}

/* Each use in a place of its own: all are found. */
static void check_uses(struct run *r)
{
	const struct fr_generator *k = &fr_generator_lifetime;
	struct fr_groups g;

	for (fr_ev e = 0; e < r->m->n; e++)
		r->m->ev[e].site = (e + 1) & 0x3fffff;
	k->generate(k, r->m, r->c, &(struct fr_generate_opt){0}, &g);
	agree(r, &g);
	for (fr_ev f = 0; f < r->m->n; f++)
		for (fr_ev u = 0; u < f; u++) {
			struct fr_candidate what = {.npending = 1, .nedges = 1};

			if (!is_use(r->m, f, u))
				continue;
			what.pending[0] = what.edge[0].after = fr_head(r->m, u);
			what.edge[0].before = f;
			if (by_brute_force(r, &what) && !is_found(r, &g, f, u)) {
				gen_show(r->script, r->m);
				fail_msg("the use %u after the free %u is not found", u, f);
			}
		}
	fr_groups_free(&g);
}

/* All reads of a location in one place, as in code that several threads execute. */
static void check_double_frees(struct run *r)
{
	const struct fr_generator *k = &fr_generator_double_free;
	struct fr_groups g;

	for (fr_ev e = 0; e < r->m->n; e++) {
		struct fr_mev *v = &r->m->ev[e];

		v->site = fr_is_access(v) ? 1000 + v->obj : (e + 1) & 0x3ff;
		if (v->op == FR_OP_FREE)
			v->kind = FR_EV_FREE;
	}
	k->generate(k, r->m, r->c, &(struct fr_generate_opt){0}, &g);
	FR_VEC_FOREACH (x, &g.group)
		FR_VEC_FOREACH (in, &x->instance) {
			const struct fr_mev *a = &r->m->ev[(*in)->actor[0].ev];
			const struct fr_mev *b = &r->m->ev[(*in)->actor[1].ev];

			assert_true(a->thread != b->thread && a->obj == b->obj);
			assert_true(a->op == FR_OP_READ && b->op == FR_OP_READ);
		}
	agree(r, &g);
	fr_groups_free(&g);
}

static void check(void (*what)(struct run *r), const char *name)
{
	const char *s = getenv("FORERUN_TEST_TRACES");
	uint64_t n = s && *s ? strtoul(s, NULL, 0) : 20000;
	unsigned yes = 0, no = 0;

	for (uint64_t seed = 1; seed <= n; seed++) {
		struct gen_script *script = gen_random(seed, 20);
		struct run r = {.script = script, .m = gen_build(script)};

		if (script->heap) {
			r.c = fr_causality_new(r.m);
			r.o = fr_oracle_new(r.m, r.c, &ask_precise);
			what(&r);
			fr_oracle_free(r.o);
			fr_causality_free(r.c);
		}
		yes += r.yes;
		no += r.no;
		fr_model_free(r.m);
		free(script);
	}
	print_message("%s: %u feasible, %u not\n", name, yes, no);
	/* Both answers must be common, or the test says little. */
	assert_true(yes > n / 500 && no > n / 500);
}

static void uses_after_free(void **state)
{
	(void)state;
	check(check_uses, "uses after free");
}

static void double_frees(void **state)
{
	(void)state;
	check(check_double_frees, "double frees");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(uses_after_free),
	    cmocka_unit_test(double_frees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
