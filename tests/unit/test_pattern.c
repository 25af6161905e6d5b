/*
 * Patterns: correct and wrong files, by line and column; matches by hand; and small random runs,
 * against every tuple of accesses that a pattern's definition allows: every match of the search is
 * one of them, and brute force shows that no form of the others is feasible.
 *
 * For patterns with operators, the test checks the order of the events in whole reorderings: the
 * matches of the search that are feasible by brute force obey the operators, and every match on a
 * random walk is among those of the search.
 *
 * Every operation of the random runs is a place in the program of its own.
 *
 * FORERUN_TEST_TRACES: the number of runs (20,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "generate/property.h"
#include "generate/region.h"
#include "ask.h"
#include "brute.h"
#include "cross.h"
#include "fixture.h"
#include "gen.h"
#include "local.h"
#include "script.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* ---- files ---- */

static char *file; /* in a folder of its own */

static int read_text(const char *text, struct fr_property_kinds *p, struct fr_err *err)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf errors = {0};
	int r;

	fx_write(file, text, strlen(text));
	r = fr_property_kinds_read(file, p, &errors, err);
	if (errors.n) /* without the end of the last line */
		fr_err_say(err, r, "%.*s", (int)errors.n - 1, errors.s);
	return r;
}

static void wrong(const char *text, const char *where, const char *what)
{
	struct fr_property_kinds p = {0};
	struct fr_err err = {0};
	char *want = fr_xasprintf("%s:%s: %s", file, where, what);

	assert_int_equal(read_text(text, &p, &err), -EINVAL);
	assert_string_equal(err.msg, want);
	assert_int_equal(p.pattern.n, 0);
	free(want);
	fr_property_kinds_free(&p);
}

#define AV "pattern a\nE e1 e2 e3\nT t u t\nSV x x x\n"

static void errors_name_line_and_column(void **state)
{
	struct fr_property_kinds p = {0};
	struct fr_err err = {0};
	struct fr_buf errors = {0};
	char *name = fr_xasprintf("%s.not", file), *want;

	(void)state;
	wrong("", "1:1", "the file contains no property and no pattern");
	wrong("# nothing\n\n  # but remarks", "3:1",
	      "the file contains no property and no pattern");
	wrong("E a b\n", "1:1", "row E before the first 'pattern NAME'");
	wrong("\npattern\n", "2:1", "the pattern has no name: write pattern NAME");
	wrong("pattern a b\n", "1:11", "the name of a pattern is one word");
	wrong("pattern a/b\n", "1:9", "'a/b' is not a name: letters, digits, _ . -");
	wrong("pattern aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggggg\n", "1:9",
	      "a name has at most 64 characters");
	wrong("pattern a\n", "1:9", "the pattern 'a' has no row E");
	wrong("pattern a # b\nE a b\nT t u\nSV x x\n", "1:9", "the pattern 'a' has no row AT");
	wrong(AV "AT r w\n", "5:1", "row AT has 2 symbols, row E has 3");
	wrong(AV "AT\n", "5:1", "row AT has 0 symbols, row E has 3");
	wrong(AV "AT r\n", "5:1", "row AT has 1 symbol, row E has 3");
	wrong(AV "AT r w r w\n", "5:10", "row AT has 4 symbols, row E has 3");
	wrong(AV "AT r  rw r\n", "5:7", "'rw' is not an access: r, w or *");
	wrong(AV "AR u u u\nAT r w r\n", "5:6", "region 'u' has events of two threads");
	wrong(AV "AT r w r\nAT r w r\n", "6:1", "two rows AT");
	wrong(AV "\tAX r w r\n", "5:2", "'AX' is not a row: pattern, E, O, T, SV, AR or AT");
	wrong(AV "AT r w r\n" AV "AT r w r\n", "6:9", "two patterns are called 'a'");
	wrong("pattern a\nE e e\nT t u\nSV x x\nAT r w\n", "2:5", "two events are called 'e'");
	wrong("pattern a\nE e f\nT t t\nSV x x\nAT r w\n", "3:1",
	      "a pattern needs at least two threads");
	wrong("pattern a\nE e\nT t\nSV x\nAT r\n", "2:1", "a pattern needs at least two events");
	wrong("pattern a\nE e f\nT t -\nSV x x\nAT r w\n", "3:5",
	      "'-' is not a symbol: letters, digits, _ . '");
	wrong("pattern a\nE e f\nT t u\nSV x x\nAR u -v\nAT r w\n", "5:6",
	      "'-v' is not a symbol: letters, digits, _ . ', or - alone");
	wrong("pattern a\nE e \x01\n", "2:5", "unexpected character");
	wrong("pattern a\nE e | f\n", "2:5", "'|' is not an operator: || or ;");
	wrong("pattern a\nE e;|f\n", "2:4", "';|' is not an operator: || or ;");
	wrong("pattern a\nE || f\n", "2:3", "no event before '||'");
	wrong("pattern a\nE e ; ; f\n", "2:7", "no event before ';'");
	wrong("pattern a\nE e f||\n", "2:6", "no event after '||'");
	wrong("pattern a\nE e||f\nT t u\nSV x\nAT r w\n", "4:1",
	      "row SV has 1 symbol, row E has 2");
	wrong("pattern a\nE e||f\nT t||u\nSV x x\nAT r w\n", "3:1",
	      "row T has 1 symbol, row E has 2");
	wrong("pattern a\nE e||f||g\nT t u t\nSV x x x\nAT r w r\n", "2:7",
	      "'e' and 'g' are of one thread, never at once");
	wrong("pattern a\nE e || f ; g\nT t u t\nSV x x x\nAT r w r\n", "2:10",
	      "'||' and ';' cannot share the event 'f'");
	wrong("pattern a\nE a||b||c||d||e||f||g\nT t u v w x y z\nSV x x x x x x x\nAT r r r r r r "
	      "r\n",
	      "2:1",
	      "with ';' and '||', the pattern requires 42 orders of two steps, at most 32 are "
	      "possible");
	wrong("pattern a\nE a b c d e f g h i j k l m n o p q\n"
	      "T a b c d e f g h i j k l m n o p q\nSV a b c d e f g h i j k l m n o p q\n"
	      "AT r r r r r r r r r r r r r r r r r\n",
	      "2:35", "more than 16 events");
	/* Errors in the file itself: then no pattern of it is kept. */
	want = fr_xasprintf("cannot open '%s': No such file or directory", name);
	assert_int_equal(fr_property_kinds_read(name, &p, &errors, &err), -ENOENT);
	assert_string_equal(err.msg, want);
	assert_int_equal(fr_property_kinds_read("/", &p, &errors, &err), -EINVAL);
	assert_string_equal(err.msg, "'/' is not a regular file");
	/* The same name in two files. */
	assert_int_equal(read_text(AV "AT r w r", &p, &err), 0);
	assert_int_equal(
	    read_text("pattern b\nE a b\nT t u\nSV x x\nAT r w\n" AV "AT r w r\n", &p, &err),
	    -EINVAL);
	free(want);
	want = fr_xasprintf("%s:6:9: two patterns are called 'a'", file);
	assert_string_equal(err.msg, want);
	assert_int_equal(p.pattern.n, 1);
	fr_property_kinds_free(&p);
	free(want);
	free(name);
}

static void a_pattern_is_read(void **state)
{
	struct fr_property_kinds p = {0};
	struct fr_err err;
	const struct fr_pattern *x;

	(void)state;
	assert_int_equal(read_text("# two\r\npattern one-1\r\nAT r w *\r\n  E a  b\tc # d\r\n"
				   "SV y x y\r\nAR - u u2\r\nT t1 t0 t1\r\n\r\n"
				   "pattern two\nE a b\nT t u\nSV x x\nAT * *",
				   &p, &err),
			 0);
	assert_int_equal(p.pattern.n, 2);
	x = p.pattern.v[0];
	assert_string_equal(x->generator.name, "pattern:one-1");
	assert_ptr_equal(x->generator.generate, fr_pattern_generate);
	assert_int_equal(x->n, 3);
	assert_true(x->ev[0].read && !x->ev[0].write && !x->ev[1].read && x->ev[1].write);
	assert_true(x->ev[2].read && x->ev[2].write);
	assert_true(x->ev[0].thread == 0 && x->ev[1].thread == 1 && x->ev[2].thread == 0);
	assert_true(x->ev[0].loc == 0 && x->ev[1].loc == 1 && x->ev[2].loc == 0);
	assert_true(x->ev[0].region == FR_ROWS_ANY && x->ev[1].region == 0 && x->ev[2].region == 1);
	x = p.pattern.v[1];
	assert_string_equal(x->generator.name, "pattern:two");
	assert_true(x->n == 2 && x->ev[0].region == FR_ROWS_ANY);
	assert_int_equal(x->ev[1].link, FR_LINK_LATER);
	fr_property_kinds_free(&p);
}

/* ---- by hand ---- */

/* The matches that the search keeps, by sites: "1 2 3, 1 4 3" in ascending order. */
static void expect(const char *pattern, const char *script, const char *want)
{
	struct fr_model *m = fr_script(script);
	struct fr_causality *c = fr_causality_new(m);
	const struct fr_generate_opt opt = {0};
	struct fr_property_kinds p = {0};
	struct fr_groups g;
	struct fr_buf b = {0};
	struct fr_err err;
	char *last = fr_xstrdup("");

	if (read_text(pattern, &p, &err) < 0)
		fail_msg("%s", err.msg);
	fr_pattern_generate(&p.pattern.v[0]->generator, m, c, &opt, &g);
	fr_buf_puts(&b, "");
	for (;;) { /* the next one in order */
		char *next = NULL;

		FR_VEC_FOREACH (x, &g.group)
			FR_VEC_FOREACH (in, &x->instance) {
				struct fr_buf s = {0};

				for (uint32_t i = 0; i < (*in)->nactors; i++)
					fr_buf_printf(&s, "%s%02u", i ? " " : "",
						      m->ev[(*in)->actor[i].ev].site);
				if (strcmp(s.s, last) > 0 && (!next || strcmp(s.s, next) < 0)) {
					free(next);
					next = fr_xstrdup(s.s);
				}
				fr_buf_free(&s);
			}
		free(last);
		last = next;
		if (!next)
			break;
		fr_buf_printf(&b, "%s%s", b.n ? ", " : "", next);
	}
	assert_string_equal(b.s, want);
	fr_buf_free(&b);
	fr_groups_free(&g);
	fr_property_kinds_free(&p);
	fr_causality_free(c);
	fr_model_free(m);
}

static void patterns_are_found(void **state)
{
	const char *run = "0 acq l @1\n0 r x =0 @2\n0 w x =1 @3\n0 rel l @4\n0 r x =1 @5\n"
			  "1 acq l @6\n1 w x =2 @7\n1 rel l @8\n1 w x =3 @9";

	(void)state;
	/* The lock keeps 7 out of its own region's two; nothing keeps 9. */
	expect("pattern p\nE a b c\nT t u t\nSV x x x\nAT r w w\n", run, "02 09 03");
	expect("pattern p\nE a b c\nT t u t\nSV x x x\nAT * w r\n", run,
	       "02 07 05, 02 09 05, 03 07 05, 03 09 05");
	expect("pattern p\nE a b c\nT t u t\nSV x x x\nAR u - u\nAT * w r\n", run, "");
	/* Different regions of one thread. */
	expect("pattern p\nE a b c\nT t u t\nSV x x x\nAR u - v\nAT * w r\n", run,
	       "02 07 05, 02 09 05, 03 07 05, 03 09 05");
	expect("pattern p\nE a b\nT t u\nSV x x\nAT w w\n", run, "03 07, 03 09, 07 03, 09 03");
	/* Two locations in one region: the other must be accessed there. */
	expect("pattern p\nE a b c d\nT t u u t\nSV x x y y\nAR a b b a\nAT w r r w\n",
	       "0 acq l @1\n0 w x =1 @2\n0 w y =1 @3\n0 rel l @4\n0 w y =2 @5\n"
	       "1 acq k @6\n1 r x =1 @7\n1 r y =2 @8\n1 rel k @9",
	       "02 07 08 03");
	/* Bytes: all three have one in common. */
	expect("pattern p\nE a b c\nT t u t\nSV x x x\nAT w w w\n",
	       "0 w x =1 /0x0f @1\n0 w x =1 /0xf0 @2\n0 w x =1 /0x3c @3\n1 w x =2 /0x0c @4\n1 w x "
	       "=2 /0xf0 @5",
	       "01 04 03, 02 05 03");
	/* Different symbols: no byte in common, though it is one granule. */
	expect("pattern p\nE a b\nT t u\nSV x y\nAT w r\n",
	       "0 w x =1 /0x0f @1\n1 r x =1 /0x01 @2\n1 r x =0 /0xf0 @3\n1 w x =1 /0xff @4\n0 r x "
	       "=1 @5",
	       "01 03");
	/* Events that must happen before stay before; and if all of them must, the match is left
	   out. */
	expect("pattern p\nE a b\nT t u\nSV x x\nAT w w\n",
	       "0 w x =1 @1\n0 create 1\n1 w x =2 @2\n0 w x =3 @3", "02 03, 03 02");
	/* Three threads. */
	expect("pattern p\nE a b c\nT t u v\nSV x x x\nAT w r w\n",
	       "0 w x =1 @1\n1 r x =1 @2\n2 w x =2 @3", "01 02 03, 03 02 01");
	/* Neither put in nor benign ones. */
	expect("pattern p\nE a b\nT t u\nSV x x\nAT w r\n",
	       "0 w x =1 @1 benign\n0 w x =2 @2\n1 r x =2 @3\n1 r x =2 @4 benign", "02 03");
}

static void operators_decide(void **state)
{
	const char *run = "0 acq l @1\n0 r x =0 @2\n0 rel l @3\n1 acq l @4\n1 w x =2 @5\n"
			  "1 rel l @6\n1 w x =3 @7";

	(void)state;
	/* The lock keeps the accesses from being pending at once, not from following each other. */
	expect("pattern p\nE a b\nT t u\nSV x x\nAT r w\n", run, "02 05, 02 07");
	expect("pattern p\nE a || b\nT t u\nSV x x\nAT r w\n", run, "02 07");
	expect("pattern p\nE a ; b\nT t u\nSV x x\nAT r w\n", run, "02 07");
	expect("pattern p\nE a b\nT t u\nSV x x\nAR r s\nAT r w\n", run, "02 07");
	/* One thread: the next step, whatever it is. */
	expect("pattern p\nE a ; b c\nT t t u\nSV x x x\nAT w w r\n",
	       "0 w x =1 @1\n0 w x =2 @2\n0 r y =0 @3\n0 w x =3 @4\n1 r x =3 @5\n1 w y =1 @6",
	       "01 02 05");
	/* Two atomic accesses do not race. */
	expect("pattern p\nE a || b\nT t u\nSV x x\nAT r w\n",
	       "0 r x =0 @1 atomic\n0 r x =0 @2\n1 w x =1 @3 atomic\n1 w x =1 @4",
	       "01 04, 02 03, 02 04");
	/* Either order is one match. */
	expect("pattern p\nE a || b\nT t u\nSV x x\nAT w w\n", "0 w x =1 @1\n1 w x =2 @2",
	       "01 02, 02 01");
}

/* ---- against all tuples ---- */

static const char *const patterns[] = {
    "pattern order\nE a b\nT t u\nSV x x\nAT r w",
    "pattern rwr\nE a b c\nT t u t\nSV x x x\nAR a b a\nAT r w r",
    "pattern wwr\nE a b c\nT t u t\nSV x x x\nAT w w r",
    "pattern wrw\nE a b c\nT t u t\nSV x x x\nAR a - a\nAT w r w",
    "pattern rww\nE a b c\nT t u t\nSV x x x\nAR a - b\nAT r w w",
    "pattern asv\nE a b c d\nT t u u t\nSV x x y y\nAR a b b a\nAT w r r w",
    "pattern asv2\nE a b c d\nT t u u t\nSV x y x y\nAT * w * *",
    "pattern three\nE a b c\nT t u v\nSV x x x\nAT w * w",
    "pattern around\nE a b c d\nT t u v t\nSV x x x x\nAR a - - a\nAT * w r *",
    "pattern apart\nE a b\nT t u\nSV x y\nAT w w",
};

static const char *const linked[] = {
    "pattern once\nE a || b\nT t u\nSV x x\nAT r w",
    "pattern pecan\nE a b\nT t u\nSV x x\nAR a b\nAT w r",
    "pattern next\nE a ; b\nT t u\nSV x y\nAT w *",
    "pattern once3\nE a || b || c\nT t u v\nSV x x y\nAT * w w",
    "pattern between\nE a ; b ; c\nT t u t\nSV x x x\nAT * w *",
    "pattern met\nE a || b c\nT t u t\nSV x x x\nAT w * *",
    "pattern meets\nE a b || c\nT t u t\nSV x x x\nAT * * w",
    "pattern own\nE a ; b c\nT t t u\nSV x y x\nAT * * w",
    "pattern passed\nE a ; b c\nT t u v\nSV x x x\nAT w * *",
    "pattern twice\nE a || b c || d\nT t u t u\nSV x x y y\nAT * w w *",
};

struct tuples {
	const struct fr_pattern *p;
	const struct fr_model *m;
	const struct fr_causality *c;
	const struct fr_regions *r;
	const struct fr_groups *g;
	uint64_t left; /* brute force may be asked so often */
	fr_ev ev[FR_ROWS_EVENTS];
	const char *why;
	struct fr_candidate what;
};

static uint64_t allowed, found, asked, walked, followed;

static bool one_region(const struct fr_model *m, fr_ev a, fr_ev b)
{
	bool separate;
	enum fr_region r =
	    local_region(m, fr_head(m, fr_min(a, b)), fr_head(m, a > b ? a : b), &separate);

	return r && (r == FR_REGION_LOCK || r == FR_REGION_ANNOTATED);
}

/* Does an operator say that event k is about to happen when event i, the one before it or of the
   same `||`, is? */
static bool meets(const struct fr_pattern *p, uint32_t i, uint32_t k)
{
	if (k == i + 1 && p->ev[k].link == FR_LINK_NEXT)
		return p->ev[i].thread != p->ev[k].thread;
	for (; k > i; k--)
		if (p->ev[k].link != FR_LINK_AT_ONCE)
			return false;
	return true;
}

/* The definition, for the first n events, except for the order that operators demand. */
static bool is_match(const struct tuples *t, const fr_ev *ev, uint32_t n)
{
	const struct fr_model *m = t->m;

	for (uint32_t i = 0; i < n; i++) {
		const struct fr_row_event *p = &t->p->ev[i];
		const struct fr_mev *v = &m->ev[ev[i]];
		unsigned bytes = v->mask;

		if (!fr_is_access(v) || v->flags & (FR_F_SYNTH | FR_F_BENIGN) ||
		    t->r->first[v->obj] == UINT32_MAX ||
		    !(v->op == FR_OP_READ ? p->read : p->write))
			return false;
		for (uint32_t k = 0; k < i; k++) {
			const struct fr_row_event *q = &t->p->ev[k];
			const struct fr_mev *w = &m->ev[ev[k]];

			if ((v->thread == w->thread) != (p->thread == q->thread) ||
			    (v->thread == w->thread && fr_head(m, ev[k]) >= fr_head(m, ev[i])))
				return false;
			if (p->loc == q->loc ? v->obj != w->obj
					     : v->obj == w->obj && v->mask & w->mask)
				return false;
			if (p->loc == q->loc)
				bytes &= w->mask;
			if (p->loc == q->loc && meets(t->p, k, i) &&
			    v->flags & w->flags & FR_F_ATOMIC)
				return false;
			if (p->region != FR_ROWS_ANY && q->region != FR_ROWS_ANY &&
			    p->thread == q->thread &&
			    one_region(m, ev[k], ev[i]) != (p->region == q->region))
				return false;
		}
		if (!bytes)
			return false;
	}
	return true;
}

static bool happens_always(const struct tuples *t)
{
	for (uint32_t i = 1; i < t->p->n; i++)
		if (!fr_mhb(t->c, t->ev[i - 1], t->ev[i]))
			return false;
	return true;
}

/* The last k pending. */
static bool make_form(const struct tuples *t, uint32_t k, struct fr_candidate *ret)
{
	uint32_t n = t->p->n;

	*ret = (struct fr_candidate){0};
	for (uint32_t i = 0; i < n; i++) {
		if (i < n - k) {
			ret->edge[ret->nedges].before = t->ev[i];
			ret->edge[ret->nedges++].after = t->ev[i + 1];
			continue;
		}
		for (uint32_t j = i + 1; j < n; j++)
			if (t->p->ev[i].thread == t->p->ev[j].thread)
				return false;
		ret->pending[ret->npending++] = fr_head(t->m, t->ev[i]);
	}
	return true;
}

static bool listed(const struct tuples *t, uint32_t k)
{
	FR_VEC_FOREACH (g, &t->g->group)
		FR_VEC_FOREACH (in, &g->instance) {
			bool same = (*in)->what.npending == k;

			for (uint32_t i = 0; i < t->p->n && same; i++)
				same = (*in)->actor[i].ev == t->ev[i];
			if (same)
				return true;
		}
	return false;
}

/* A tuple that the definition allows: in every form it is listed, or not feasible. */
static void check_tuple(struct tuples *t)
{
	allowed++;
	for (uint32_t k = 1; k <= t->p->n && !t->why; k++) {
		struct brute *b;

		if (!make_form(t, k, &t->what))
			break;
		if (listed(t, k)) {
			found++;
			continue;
		}
		if (!t->left)
			continue;
		t->left--;
		asked++;
		b = brute_new(t->m, &t->what, 1u << 16);
		if (brute_complete(b) && brute_feasible(b, &t->what, NULL))
			t->why = "the search misses it";
		brute_free(b);
	}
}

static void all_tuples(struct tuples *t, uint32_t n)
{
	if (n == t->p->n) {
		if (!happens_always(t))
			check_tuple(t);
		return;
	}
	for (fr_ev e = 0; e < t->m->n && !t->why; e++) {
		t->ev[n] = e;
		if (is_match(t, t->ev, n + 1))
			all_tuples(t, n + 1);
	}
}

/* Each finding is a match, in the order of the pattern, and its form tells its kind. */
static void check_found(struct tuples *t)
{
	FR_VEC_FOREACH (g, &t->g->group)
		FR_VEC_FOREACH (in, &g->instance) {
			struct fr_candidate what;

			for (uint32_t i = 0; i < t->p->n; i++)
				t->ev[i] = (*in)->actor[i].ev;
			t->what = (*in)->what;
			if (!is_match(t, t->ev, t->p->n) || happens_always(t))
				t->why = "what the search finds is no match";
			else if (!make_form(t, (*in)->what.npending, &what) ||
				 memcmp(&what, &(*in)->what, sizeof(what)) != 0)
				t->why = "its form is wrong";
			if (t->why)
				return;
		}
}

/* ---- operators, in whole reorderings ---- */

#define WALKS 3

/* A reordering: its steps. */
struct order {
	FR_VEC(fr_ev) step;
};

static size_t place_of(const struct order *o, fr_ev head)
{
	size_t i = 0;

	while (i < o->step.n && o->step.v[i] != head)
		i++;
	return i;
}

/* The first step of the thread from place `from` on; o->step.n: none. */
static size_t next_step(const struct fr_model *m, const struct order *o, size_t from,
			unsigned thread)
{
	while (from < o->step.n && m->ev[o->step.v[from]].thread != thread)
		from++;
	return from;
}

/* Is there a state of the reordering in which these are the next steps of their threads? A thread
   that does not exist yet has none. */
static bool once_next(const struct tuples *t, const struct order *o, uint32_t first, uint32_t last)
{
	for (size_t at = 0; at <= o->step.n; at++) {
		bool all = true;

		for (uint32_t i = first; i <= last && all; i++) {
			fr_ev head = fr_head(t->m, t->ev[i]);
			unsigned thread = t->m->ev[head].thread;
			fr_ev create = t->m->thread[thread].create;

			all = next_step(t->m, o, at, thread) == place_of(o, head) &&
			      (create == FR_NO_EV || place_of(o, fr_head(t->m, create)) < at);
		}
		if (all)
			return true;
	}
	return false;
}

/* Is the tuple in the reordering as its pattern wants it? */
static bool holds(const struct tuples *t, const struct order *o)
{
	uint32_t n = t->p->n;

	for (uint32_t i = 0; i < n; i++) {
		size_t at = place_of(o, fr_head(t->m, t->ev[i]));
		uint32_t before = i, of = i;

		if (at == o->step.n)
			return false;
		while (of && t->p->ev[of].link == FR_LINK_AT_ONCE)
			of--;
		if (of < i && !once_next(t, o, of, i))
			return false;
		/* after all of the group before */
		for (before = of; before-- > 0;) {
			if (place_of(o, fr_head(t->m, t->ev[before])) > at)
				return false;
			if (t->p->ev[before].link != FR_LINK_AT_ONCE)
				break;
		}
		if (t->p->ev[i].link == FR_LINK_NEXT) {
			size_t from = place_of(o, fr_head(t->m, t->ev[i - 1])) + 1;

			if (next_step(t->m, o, from, t->m->ev[t->ev[i]].thread) != at ||
			    next_step(t->m, o, from, t->m->ev[t->ev[i - 1]].thread) < at ||
			    !(t->p->ev[i].thread == t->p->ev[i - 1].thread ||
			      once_next(t, o, i - 1, i)))
				return false;
		}
	}
	return true;
}

/* Each feasible finding happens as the pattern says. */
static void check_feasible(struct tuples *t)
{
	FR_VEC_FOREACH (g, &t->g->group)
		FR_VEC_FOREACH (in, &g->instance) {
			struct fr_schedule s = {0};
			struct brute *b;

			for (uint32_t i = 0; i < t->p->n; i++)
				t->ev[i] = (*in)->actor[i].ev;
			t->what = (*in)->what;
			if (!is_match(t, t->ev, t->p->n) || happens_always(t))
				t->why = "what the search finds is no match";
			if (t->why || !t->left)
				return;
			t->left--;
			b = brute_new(t->m, &t->what, 1u << 16);
			if (brute_complete(b) && brute_feasible(b, &t->what, &s)) {
				struct order o = {0};

				for (fr_ev e = 0; e < s.cut; e++)
					if (!(t->m->ev[e].flags & FR_F_PART))
						fr_vec_push(&o.step, e);
				FR_VEC_FOREACH (e, &s.step)
					fr_vec_push(&o.step, *e);
				for (uint32_t i = 0; i < t->what.npending; i++)
					fr_vec_push(&o.step, t->what.pending[i]);
				if (!holds(t, &o))
					t->why = "the form allows what the pattern does not";
				followed++;
				fr_vec_free(&o.step);
			}
			fr_vec_free(&s.step);
			brute_free(b);
		}
}

static void check_walked(struct tuples *t, const struct order *o, uint32_t n)
{
	if (n == t->p->n) {
		bool there = false;

		if (happens_always(t) || !holds(t, o))
			return;
		walked++;
		for (uint32_t k = 1; k <= n; k++)
			there |= listed(t, k);
		if (!there)
			t->why = "a random walk does what the search misses";
		return;
	}
	for (fr_ev e = 0; e < t->m->n && !t->why; e++) {
		t->ev[n] = e;
		if (is_match(t, t->ev, n + 1))
			check_walked(t, o, n + 1);
	}
}

/* A random reordering, to its end. */
static void walk(const struct fr_model *m, uint64_t *random, struct order *ret)
{
	struct brute_walk *w = brute_walk_new(m);
	bool moved = true;

	ret->step.n = 0;
	while (moved) {
		unsigned from = (unsigned)(fx_random(random) % m->nthreads);

		moved = false;
		for (unsigned i = 0; i < m->nthreads && !moved; i++) {
			fr_ev e = brute_walk_next(w, (from + i) % m->nthreads);

			moved = e != FR_NO_EV && brute_walk_step(w, e);
			if (moved)
				fr_vec_push(&ret->step, e);
		}
	}
	brute_walk_free(w);
}

static void check_linked(struct tuples *t, uint64_t seed)
{
	struct order o = {0};
	bool whole = true;

	check_feasible(t);
	FR_VEC_FOREACH (k, &t->g->group)
		whole &= k->instances_seen <= FR_INSTANCES;
	for (unsigned i = 0; i < WALKS && !t->why && whole; i++) {
		walk(t->m, &seed, &o);
		check_walked(t, &o, 0);
	}
	fr_vec_free(&o.step);
}

static void check_run(const struct gen_script *s, const struct fr_model *m,
		      const struct fr_property_kinds *p, bool operators)
{
	struct fr_causality *c = fr_causality_new(m);
	const struct fr_generate_opt opt = {0};
	struct fr_regions r;

	fr_regions_init(&r, m, c, &opt);
	FR_VEC_FOREACH (x, &p->pattern) {
		struct fr_groups g;
		struct tuples t = {.p = *x, .m = m, .c = c, .r = &r, .g = &g, .left = 20};
		bool whole = true;

		fr_pattern_generate(&(*x)->generator, m, c, &opt, &g);
		if (operators)
			check_linked(&t, s->seed);
		else
			check_found(&t);
		FR_VEC_FOREACH (k, &g.group) /* of each place all that there were */
			whole &= k->instances_seen <= FR_INSTANCES;
		if (!operators && !t.why && whole) {
			assert_int_equal(g.cut_off, 0);
			all_tuples(&t, 0);
		}
		if (t.why) {
			gen_show(s, m);
			ask_print(&t.what);
			fail_msg("%s: %s", (*x)->generator.name, t.why);
		}
		fr_groups_free(&g);
	}
	fr_regions_free(&r);
	fr_causality_free(c);
}

static void agrees_with_brute_force(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000),
		 seed = cross_env("FORERUN_TEST_SEED", 1);
	struct fr_property_kinds p = {0};
	struct fr_err err;

	(void)state;
	for (size_t i = 0; i < fr_array_size(patterns); i++)
		if (read_text(patterns[i], &p, &err) < 0)
			fail_msg("%s", err.msg);
	for (uint64_t i = 0; i < n; i++, seed++) {
		struct gen_script *s = gen_random(seed + 9000000, i % 4 ? 0 : 22);
		struct fr_model *m = gen_build(s);

		check_run(s, m, &p, false);
		fr_model_free(m);
		free(s);
	}
	print_message("%" PRIu64 " tuples fit, %" PRIu64 " forms of them are asked for, of the "
		      "others %" PRIu64 " were looked at\n",
		      allowed, found, asked);
	assert_true(found > n && asked > n / 10);
	fr_property_kinds_free(&p);
}

static void operators_agree_with_brute_force(void **state)
{
	uint64_t n = cross_env("FORERUN_TEST_TRACES", 20000) / 10,
		 seed = cross_env("FORERUN_TEST_SEED", 1);
	struct fr_property_kinds p = {0};
	struct fr_err err;

	(void)state;
	for (size_t i = 0; i < fr_array_size(linked); i++)
		if (read_text(linked[i], &p, &err) < 0)
			fail_msg("%s", err.msg);
	for (uint64_t i = 0; i < n; i++, seed++) {
		struct gen_script *s = gen_random(seed + 9100000, i % 4 ? 0 : 22);
		struct fr_model *m = gen_build(s);

		check_run(s, m, &p, true);
		fr_model_free(m);
		free(s);
	}
	print_message("%" PRIu64 " forms are feasible, %" PRIu64 " tuples happened in walks\n",
		      followed, walked);
	assert_true(followed > n / 10 && walked > n / 10);
	fr_property_kinds_free(&p);
}

static int set_up(void **state)
{
	*state = fx_folder();
	file = fx_path(*state, "p");
	return 0;
}

static int tear_down(void **state)
{
	free(file);
	fx_remove(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(errors_name_line_and_column),
	    cmocka_unit_test(a_pattern_is_read),
	    cmocka_unit_test(patterns_are_found),
	    cmocka_unit_test(operators_decide),
	    cmocka_unit_test(agrees_with_brute_force),
	    cmocka_unit_test(operators_agree_with_brute_force),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
