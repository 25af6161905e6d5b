/*
 * Reads that see another write, on small random runs, against brute force: null dereferences, order
 * violations, and reads that decide a failure. The pairs of a generator that the oracle calls
 * feasible are exactly those that an enumeration of all pairs finds, and that brute force calls
 * feasible.
 *
 * FORERUN_TEST_TRACES: the number of runs (10,000).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "generate/failing_branch.h"
#include "generate/generate.h"
#include "symbols/sites_internal.h"
#include "ask.h"
#include "brute.h"
#include "gen.h"
#include <stdlib.h>
#include <string.h>

#define TEST "t8 =2" /* the values that fail */

/*
 * A kind with its condition, stated independently. write: FR_NO_EV for the initial value, which is
 * v.
 */
struct kind {
	const char *name;
	bool (*wants)(const struct fr_model *m, fr_ev read, fr_ev write, uint64_t v);
	void (*generate)(struct fr_model *m, struct fr_causality *c, struct fr_groups *ret);
};

struct run {
	const struct kind *kind;
	const struct gen_script *script;
	struct fr_model *m;
	struct fr_causality *c;
	struct fr_oracle *o;
	unsigned yes, no;
};

/* ---- candidates ---- */

static struct fr_candidate candidate(const struct fr_model *m, fr_ev read, fr_ev write)
{
	struct fr_candidate what = {.npending = 1, .pending = {fr_head(m, read)}};

	what.sees.on = true;
	what.sees.read = read;
	what.sees.write = write;
	return what;
}

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

/* ---- kinds ---- */

static bool is_read(const struct fr_mev *v)
{
	return v->op == FR_OP_READ && !(v->flags & (FR_F_BENIGN | FR_F_NOVALUE));
}

static bool wants_null(const struct fr_model *m, fr_ev read, fr_ev write, uint64_t v)
{
	return is_read(&m->ev[read]) && m->ev[read].value &&
	       !(write != FR_NO_EV && m->ev[write].flags & FR_F_NOVALUE) && !v;
}

static void generate_null(struct fr_model *m, struct fr_causality *c, struct fr_groups *ret)
{
	fr_generator_null.generate(&fr_generator_null, m, c, &(struct fr_generate_opt){0}, ret);
}

static bool wants_order(const struct fr_model *m, fr_ev read, fr_ev write, uint64_t v)
{
	return is_read(&m->ev[read]) &&
	       ((write != FR_NO_EV && m->ev[write].flags & FR_F_NOVALUE) || m->ev[read].value != v);
}

static void generate_order(struct fr_model *m, struct fr_causality *c, struct fr_groups *ret)
{
	fr_generator_order.generate(&fr_generator_order, m, c, &(struct fr_generate_opt){0}, ret);
}

/* Reads at odd sites have a test, those at even sites have an unknown one. Of a read that is a part
   of a larger one, the test cannot be applied. */
static bool wants_failing(const struct fr_model *m, fr_ev read, fr_ev write, uint64_t v)
{
	bool tested = m->ev[read].site & 1 && !(m->ev[read].flags & FR_F_PART);

	if (!wants_order(m, read, write, v))
		return false;
	return !tested || (write != FR_NO_EV && m->ev[write].flags & FR_F_NOVALUE) ||
	       (v & 0xff) == 2;
}

/* A table in which each site is marked, as its number says. */
static struct fr_sites *marked(uint32_t n)
{
	static const char strings[] = "\0" TEST;
	struct fr_sites *s = fr_xcalloc(1, sizeof(*s));
	struct fr_site_tu tu = {.magic = FR_SITE_MAGIC,
				.version = FR_SITE_VERSION,
				.nsites = n,
				.nmarks = n,
				.strings = sizeof(strings)};
	struct fr_buf b = {0};
	const char *why = NULL;

	fr_buf_add(&b, &tu, sizeof(tu));
	for (uint32_t i = 0; i < n; i++)
		fr_buf_add(&b, &(struct fr_site){.kind = FR_SITE_ACCESS}, sizeof(struct fr_site));
	for (uint32_t i = 0; i < n; i++)
		fr_buf_add(&b, &(struct fr_site_mark){.site = i, .test = i & 1},
			   sizeof(struct fr_site_mark));
	fr_buf_add(&b, strings, sizeof(strings));
	((struct fr_site_tu *)b.s)->size = (uint32_t)b.n;
	((struct fr_site_tu *)b.s)->hash = fr_site_blob_hash(b.s, b.n);
	assert_int_equal(fr_site_blob_check(b.s, b.n, &why), 0);
	fr_sites_add(s, 0, n, 0, b.s, b.n, NULL);
	return s;
}

static void generate_failing(struct fr_model *m, struct fr_causality *c, struct fr_groups *ret)
{
	static struct fr_trace trace;

	trace.sites = marked((uint32_t)m->n + 1);
	m->trace = &trace;
	fr_failing_generate(m, c, ret);
	FR_VEC_FOREACH (g, &ret->group)
		assert_int_equal(g->needs, FR_NEEDS_BRANCH);
	m->trace = NULL;
	fr_sites_free(trace.sites);
}

/* ---- comparison ---- */

static fr_ev first_write(const struct fr_model *m, uint32_t obj)
{
	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].op == FR_OP_WRITE && m->ev[e].obj == obj)
			return e;
	return FR_NO_EV;
}

/* The write that the read saw in the recorded run. */
static fr_ev seen_by(const struct fr_model *m, fr_ev read)
{
	fr_ev w = FR_NO_EV;

	for (fr_ev e = 0; e < read; e++)
		if (m->ev[e].op == FR_OP_WRITE && m->ev[e].obj == m->ev[read].obj)
			w = e;
	return w;
}

/* Is it a pair that the kind wants, and that can happen? The initial value is wanted only for a
   read that comes after a write. */
static bool is_pair(const struct run *r, fr_ev read, fr_ev write)
{
	const struct fr_model *m = r->m;
	const struct fr_mev *x = &m->ev[read];
	struct fr_candidate what = candidate(m, read, write);
	fr_ev first = first_write(m, x->obj);
	uint64_t v = write == FR_NO_EV ? 0 : m->ev[write].value;

	if (write == FR_NO_EV && first > read)
		return false;
	if (write != FR_NO_EV && (m->ev[write].op != FR_OP_WRITE || m->ev[write].obj != x->obj ||
				  write == seen_by(m, read)))
		return false;
	return r->kind->wants(m, read, write, v) && by_brute_force(r, &what);
}

static bool is_found(const struct run *r, const struct fr_groups *g, fr_ev read, fr_ev write)
{
	FR_VEC_FOREACH (x, &g->group)
		FR_VEC_FOREACH (in, &x->instance)
			if ((*in)->what.sees.read == read && (*in)->what.sees.write == write)
				return by_oracle(r, &(*in)->what);
	return false;
}

static void compare(struct run *r, const struct fr_groups *g)
{
	for (fr_ev read = 0; read < r->m->n; read++)
		for (fr_ev w = 0; w <= r->m->n && r->m->ev[read].op == FR_OP_READ; w++) {
			fr_ev write = w < r->m->n ? w : FR_NO_EV;
			bool pair = is_pair(r, read, write), found = is_found(r, g, read, write);

			r->yes += pair;
			if (pair != found) {
				gen_show(r->script, r->m);
				fail_msg("%s: %d sees %d: %s", r->kind->name, (int)read, (int)write,
					 pair ? "not found" : "found, but no such pair");
			}
		}
	FR_VEC_FOREACH (x, &g->group)
		FR_VEC_FOREACH (in, &x->instance)
			r->no += !by_oracle(r, &(*in)->what);
}

/* Each access in a place of its own, to a whole word, and none that the loader inserted; all values
   but 0 look like addresses; memory is 0 at the start. */
static struct fr_model *build(struct gen_script *s)
{
	struct fr_model *m;

	memset(s->memory, 0, sizeof(s->memory));
	for (uint32_t i = 0; i < s->n; i++) {
		s->op[i].mask = 0xff;
		s->op[i].kind = s->op[i].kind == GEN_SYNTH ? GEN_READ : s->op[i].kind;
	}
	m = gen_build(s);
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		m->cls[FR_C_LOC].obj[i].count = 0xff;
	for (fr_ev e = 0; e < m->n; e++) {
		m->ev[e].site = (e + 1) & 0x3fffff;
		if (fr_is_access(&m->ev[e]) && m->ev[e].value)
			m->ev[e].value += 0x10000;
	}
	return m;
}

static void check(const struct kind *kind)
{
	const char *s = getenv("FORERUN_TEST_TRACES");
	uint64_t n = s && *s ? strtoul(s, NULL, 0) : 10000;
	unsigned yes = 0, no = 0;

	for (uint64_t seed = 1; seed <= n; seed++) {
		struct gen_script *script = gen_random(seed, 16);
		struct run r = {.kind = kind, .script = script, .m = build(script)};
		struct fr_groups g;

		r.c = fr_causality_new(r.m);
		r.o = fr_oracle_new(r.m, r.c, &ask_precise);
		kind->generate(r.m, r.c, &g);
		assert_int_equal(g.left_out + g.cut_off, 0);
		compare(&r, &g);
		fr_groups_free(&g);
		fr_oracle_free(r.o);
		fr_causality_free(r.c);
		yes += r.yes;
		no += r.no;
		fr_model_free(r.m);
		free(script);
	}
	print_message("%s: %u feasible pairs, %u that are not\n", kind->name, yes, no);
	/* Both answers must be common, or the test says little. */
	assert_true(yes > n / 100 && no > n / 500);
}

static void null_dereferences(void **state)
{
	(void)state;
	check(&(struct kind){"null dereferences", wants_null, generate_null});
}

static void order_violations(void **state)
{
	(void)state;
	check(&(struct kind){"order violations", wants_order, generate_order});
}

static void failing_reads(void **state)
{
	(void)state;
	check(&(struct kind){"failing reads", wants_failing, generate_failing});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(null_dereferences),
	    cmocka_unit_test(order_violations),
	    cmocka_unit_test(failing_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
