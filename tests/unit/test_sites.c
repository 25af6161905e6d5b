/* Site tables: checked to the last offset; out of an ELF file, to a file, and back. */
#include "fixture.h"
#include "format/site_test.h"
#include "symbols/depends.h"
#include "symbols/sites.h"
#include "symbols/sites_internal.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static uint32_t fnv(const uint8_t *p, size_t n)
{
	uint32_t h = 0x811c9dc5u;

	while (n--)
		h = (h ^ *p++) * 0x01000193u;
	return h;
}

static void a_valid_table_is_accepted(void **state)
{
	const char *why = NULL;
	size_t n;
	void *b = fx_blob(5, &n);

	(void)state;
	assert_int_equal(fr_site_blob_check(b, n, &why), 0);
	free(b);
}

/* A table as versions 1 and 2 have it: one site with one frame. */
static uint32_t *old_table(uint32_t version, size_t *ret_n)
{
	static const char strings[] = "\0f.c\0f\0x";
	static const uint32_t words[] = {FR_SITE_MAGIC, 0, 0, 1, 1, sizeof(strings) + 3, 0, 0,
					 /* the site: column 7, a read of a number */
					 1, 30, 7 | 0x81u << 24, 5, 7, 0, 1, 1, 5,
					 /* the frame */
					 5, 1, 40, 3};
	uint32_t *p = fr_xcalloc(1, sizeof(words) + sizeof(strings) + 3);

	*ret_n = sizeof(words) + sizeof(strings) + 3;
	memcpy(p, words, sizeof(words));
	memcpy((char *)p + sizeof(words), strings, sizeof(strings));
	p[1] = version;
	p[2] = (uint32_t)*ret_n;
	p[7] = fnv((uint8_t *)(p + 8), *ret_n - 32);
	return p;
}

/* Tables of older versions are read as if they were new; those of the next version are not. */
static void the_previous_version_is_read(void **state)
{
	const char *why = NULL;
	uint32_t *next;
	size_t n, size;

	(void)state;
	for (uint32_t v = 0; v <= FR_SITE_VERSION + 1; v++) {
		uint32_t *old = old_table(v, &n);
		void *tu = fr_site_blob_read(old, n, &size, &why);
		struct fr_sites *s = fr_xcalloc(1, sizeof(*s));
		struct fr_site_info x;

		assert_true(!tu == (v != 1 && v != 2));
		if (tu) {
			assert_int_equal(fr_site_blob_check(tu, size, &why), 0);
			fr_sites_add(s, 1, 1, 0, tu, size, NULL);
			x = fr_sites_get(s, 1);
			assert_string_equal(x.file, "f.c");
			assert_string_equal(x.function, "f");
			assert_string_equal(x.name, "x");
			assert_int_equal(x.line, 30);
			assert_int_equal(x.column, 7);
			assert_int_equal(x.access, FR_SITE_READ | FR_SITE_NUMBER);
			assert_int_equal(x.kind, FR_SITE_ACCESS);
			assert_int_equal(x.nframes, 1);
			assert_int_equal(x.frames[0].line, 40);
			assert_false(fr_sites_branch(s, 1, 0, &(struct fr_site_branch){0}));
		}
		fr_sites_free(s);
		old[8]++; /* damage */
		assert_null(fr_site_blob_read(old, n, &size, &why));
		assert_null(fr_site_blob_read(old, 33, &size, &why));
		free(old);
	}
	next = old_table(FR_SITE_VERSION + 1, &n);
	assert_null(fr_site_blob_read(next, n, &size, &why));
	assert_string_equal(why, "it was made by another version of forerun cc");
	free(next);
}

/* Version 3 has marks and a header of 40 bytes. */
static void version_3_is_read(void **state)
{
	static const struct fr_site_mark mark = {.site = 1, .fails = 2, .test = 1};
	struct fr_sites *s = fr_xcalloc(1, sizeof(*s));
	struct fr_site_branch b;
	struct fr_depends d;
	const char *why = NULL;
	size_t n, size, head = 40,
			sites = 3 * sizeof(struct fr_site) + sizeof(struct fr_site_frame);
	char *new = fx_blob(3, &n), *old = fr_xcalloc(1, n + sizeof(mark));
	uint32_t *h;
	void *tu;

	(void)state;
	memcpy(old, new, head);
	memcpy(old + head, new + sizeof(struct fr_site_tu), sites);
	memcpy(old + head + sites, &mark, sizeof(mark));
	memcpy(old + head + sites + sizeof(mark), new + sizeof(struct fr_site_tu) + sites,
	       n - sizeof(struct fr_site_tu) - sites);
	n += head + sizeof(mark) - sizeof(struct fr_site_tu);
	h = fr_xrealloc(old, 1, n);
	h[1] = 3;
	h[2] = (uint32_t)n;
	h[8] = 1;
	h[9] = 0;
	h[7] = fnv((uint8_t *)h + head, n - head);
	tu = fr_site_blob_read(h, n, &size, &why);
	assert_non_null(tu);
	fr_sites_add(s, 5, 3, 0, tu, size, NULL);
	assert_int_equal(fr_sites_get(s, 7).line, 3);
	assert_true(fr_sites_branch(s, 6, 0, &b) && b.fails == 7);
	assert_string_equal(b.test, "file.c");
	assert_true(fr_depends_unit(s, 0, &d) && !d.nnodes);
	h[9] = 1;
	assert_null(fr_site_blob_read(h, n, &size, &why));
	fr_sites_free(s);
	free(h);
	free(new);
}

/* A table with the graph: value of site 0 -> result of func -> used at site 2, and so on. */
static void *graph_table(const struct fr_site_node *x, uint32_t nx, const uint32_t *to,
			 uint32_t nto, size_t *ret_n)
{
	size_t n, at = sizeof(struct fr_site_tu) + 3 * sizeof(struct fr_site) +
		       sizeof(struct fr_site_frame);
	char *plain = fx_blob(3, &n);
	struct fr_buf b = {0};
	struct fr_site_tu *tu;

	fr_buf_add(&b, plain, at);
	fr_buf_add(&b, x, nx * sizeof(*x));
	fr_buf_add(&b, to, nto * sizeof(*to));
	fr_buf_add(&b, plain + at, n - at);
	free(plain);
	tu = (struct fr_site_tu *)b.s;
	tu->nnodes = nx;
	tu->ninfluences = nto;
	tu->size = (uint32_t)b.n;
	tu->hash = fr_site_blob_hash(b.s, b.n);
	*ret_n = b.n;
	return b.s;
}

static const struct fr_site_node graph_node[] = {
    {.of = 0, .first = 0, .kind = FR_NODE_VALUE},
    {.of = 8, .first = 3, .kind = FR_NODE_RESULT, .flags = FR_NODE_INTERNAL},
    {.of = 2, .first = 4, .kind = FR_NODE_USED, .arg = FR_USE_ADDRESS},
    {.of = 1, .first = 4, .kind = FR_NODE_EXECUTE, .arg = 1},
    {.of = 8, .first = 4, .kind = FR_NODE_CALLED, .flags = FR_NODE_DEFINED},
    {.of = FR_NODE_NOWHERE, .first = 5, .kind = FR_NODE_BRANCH},
    {.of = 1, .first = 5, .kind = FR_NODE_VALUE}};
static const uint32_t graph_to[] = {1, 6u | FR_WHERE_SAME << 24, 6u | 3u << 24, 2, 3};

static void influences_are_read(void **state)
{
	struct fr_sites *s = fr_xcalloc(1, sizeof(*s));
	struct fr_depends_node x;
	struct fr_depends_edge e;
	const char *why = NULL;
	struct fr_depends d;
	size_t n;
	void *blob = graph_table(graph_node, 7, graph_to, 5, &n);

	(void)state;
	assert_int_equal(fr_site_blob_check(blob, n, &why), 0);
	fr_sites_add(s, 10, 3, 0, blob, n, NULL);
	fr_sites_add(s, 20, 3, 0, NULL, 0, fr_xstrdup("gone"));
	assert_int_equal(fr_sites_get(s, 12).line, 3); /* strings and sites are found as before */
	assert_string_equal(fr_sites_get(s, 12).file, "file.c");
	assert_true(fr_depends_unit(s, 0, &d) && d.nnodes == 7 && d.first == 10 && d.count == 3);
	x = fr_depends_node(&d, 0);
	assert_true(x.kind == FR_NODE_VALUE && x.site == 10 && x.nsites == 1 && x.n == 3);
	e = fr_depends_edge(&d, &x, 0);
	assert_true(e.to == 1 && !e.same && !e.near);
	e = fr_depends_edge(&d, &x, 1);
	assert_true(e.to == 6 && e.same && !e.near);
	e = fr_depends_edge(&d, &x, 2);
	assert_true(e.to == 6 && !e.same && e.near == 3);
	x = fr_depends_node(&d, 1);
	assert_true(x.kind == FR_NODE_RESULT && x.flags == FR_NODE_INTERNAL && x.n == 1);
	assert_string_equal(x.function, "func");
	assert_int_equal(x.site, FR_NODE_NOWHERE);
	x = fr_depends_node(&d, 2);
	assert_true(x.kind == FR_NODE_USED && x.site == 12 && x.arg == FR_USE_ADDRESS && !x.n);
	x = fr_depends_node(&d, 3);
	assert_true(x.kind == FR_NODE_EXECUTE && x.site == 11 && x.nsites == 2);
	x = fr_depends_node(&d, 4);
	assert_true(x.kind == FR_NODE_CALLED && x.flags == FR_NODE_DEFINED && x.n == 1);
	x = fr_depends_node(&d, 5);
	assert_true(x.kind == FR_NODE_BRANCH && x.site == FR_NODE_NOWHERE && !x.nsites);
	assert_true(fr_depends_unit(s, 1, &d) && !d.nnodes && d.first == 20);
	assert_false(fr_depends_unit(s, 2, &d));
	fr_sites_free(s);
}

/* Every field of the graph that could point outside is checked. */
static void damaged_graphs_are_refused(void **state)
{
	static const struct {
		size_t node;
		struct fr_site_node x;
	} bad[] = {
	    {0, {.of = 3, .kind = FR_NODE_VALUE}},
	    {0, {.of = 0, .first = 1, .kind = FR_NODE_VALUE}},
	    {1, {.of = 100000, .first = 3, .kind = FR_NODE_RESULT}},
	    {1, {.of = 0, .first = 3, .kind = FR_NODE_RESULT}},
	    {1, {.of = 8, .first = 6, .kind = FR_NODE_RESULT}},
	    {2, {.of = 2, .first = 2, .kind = FR_NODE_USED}},
	    {2, {.of = 2, .first = 4, .kind = FR_NODE_USED, .arg = FR_USES}},
	    {2, {.of = 3, .first = 4, .kind = FR_NODE_USED}},
	    {3, {.of = 1, .first = 4, .kind = FR_NODE_EXECUTE, .arg = 2}},
	    {5, {.of = 3, .first = 5, .kind = FR_NODE_BRANCH}},
	    {5, {.of = 1, .first = 5, .kind = FR_NODE_JOIN}},
	    {6, {.of = 1, .first = 5, .kind = FR_NODE_KINDS}},
	};
	struct fr_site_node x[7];
	uint32_t to[5];
	const char *why = NULL;
	void *blob;
	size_t n;

	(void)state;
	for (size_t i = 0; i < fr_array_size(bad); i++) {
		memcpy(x, graph_node, sizeof(x));
		x[bad[i].node] = bad[i].x;
		blob = graph_table(x, 7, graph_to, 5, &n);
		assert_int_equal(fr_site_blob_check(blob, n, &why), -EBADMSG);
		free(blob);
	}
	memcpy(to, graph_to, sizeof(to));
	to[4] = 7;
	blob = graph_table(graph_node, 7, to, 5, &n);
	assert_int_equal(fr_site_blob_check(blob, n, &why), -EBADMSG);
	free(blob);
	blob = graph_table(NULL, 0, graph_to, 1, &n);
	assert_int_equal(fr_site_blob_check(blob, n, &why), -EBADMSG);
	free(blob);
}

/* Which values take the failing side. */
static void tests_of_values(void **state)
{
	static const struct {
		const char *test;
		uint64_t value;
		bool fails;
	} want[] = {
	    {"=2 t1", 2, true},
	    {"=2 t1", 3, false},
	    {"=2 ^1", 3, true},
	    {"s20 L0 t1", 0xffffffff, true},
	    {"s20 L0 t1", 5, false},
	    {"s20 Gffffffffffffffff ^1", 0, false},
	    {"l3 t1", 2, true},
	    {"l3 t1", 3, false},
	    {"g40 t1", 0x41, true},
	    {"+ffffffff t20 l40 ^1", 0, true},
	    {"+ffffffff t20 l40 ^1", 1, false},
	    {"&1 =0 t1", 6, true},
	    {"|1 =7 t1", 6, true},
	    {"*3 =9 t1", 3, true},
	    {"<4 >2 =4", 1, true},
	    {"/2 =3", 7, true},
	    {"%2 =1", 7, true},
	    {"s8 t10 =ff80", 0x80, true},
	    {"o1 o2", 2, true},
	    {"o1 o2", 3, false},
	    {"o1 o2 ^1", 3, true},
	    {"+1 o2 o3 ^1", 2, false},
	    {"t8", 0x100, false},
	};
	static const char *const bad[] = {"", "x1", "=", "=1  ^1", "/0", "=1,", "1"};
	bool known;

	(void)state;
	for (size_t i = 0; i < fr_array_size(want); i++) {
		assert_int_equal(fr_site_test(want[i].test, want[i].value, &known), want[i].fails);
		assert_true(known);
	}
	for (size_t i = 0; i < fr_array_size(bad); i++) {
		assert_false(fr_site_test(bad[i], 1, &known));
		assert_false(known);
	}
}

/* Marks are found by their site. */
static void marks_are_found(void **state)
{
	struct fr_site_branch b;
	const char *why = NULL;
	struct fr_sites *s = fr_xcalloc(1, sizeof(*s));
	size_t n, at = sizeof(struct fr_site_tu) + 5 * sizeof(struct fr_site) +
		       sizeof(struct fr_site_frame);
	struct fr_site_mark k[3] = {{1, 4, 1}, {3, 4, 1}, {3, 2, 8}};
	char *old = fx_blob(5, &n), *blob = fr_xcalloc(1, n + sizeof(k));
	struct fr_site_tu *tu = (struct fr_site_tu *)blob;

	(void)state;
	memcpy(blob, old, at);
	memcpy(blob + at, k, sizeof(k));
	memcpy(blob + at + sizeof(k), old + at, n - at);
	n += sizeof(k);
	tu->size = (uint32_t)n;
	tu->nmarks = 3;
	tu->hash = fr_site_blob_hash(blob, n);
	assert_int_equal(fr_site_blob_check(blob, n, &why), 0);
	fr_sites_add(s, 10, 5, 0, blob, n, NULL);
	assert_false(fr_sites_branch(s, 10, 0, &b));
	assert_true(fr_sites_branch(s, 11, 0, &b) && b.fails == 14);
	assert_string_equal(b.test, "file.c");
	assert_false(fr_sites_branch(s, 11, 1, &b));
	assert_true(fr_sites_branch(s, 13, 1, &b) && b.fails == 12);
	assert_false(fr_sites_branch(s, 13, 2, &b));
	assert_false(fr_sites_branch(s, 14, 0, &b));
	for (int i = 0; i < 3; i++) {
		struct fr_site_mark *m = (struct fr_site_mark *)(blob + at);

		*(i == 0 ? &m[0].site : i == 1 ? &m[1].fails : &m[2].test) = 1000;
		tu->hash = fr_site_blob_hash(blob, n);
		assert_int_equal(fr_site_blob_check(blob, n, &why), -EBADMSG);
		memcpy(m, k, sizeof(k));
	}
	fr_sites_free(s);
	free(old);
}

/* Sites of calls, one for each text of objects, in files of the program but where it says `s`. */
static struct fr_sites *call_sites(const char *const *object, uint32_t n)
{
	struct fr_sites *s = fr_xcalloc(1, sizeof(*s));
	struct fr_buf strings = {0}, blob = {0};
	struct fr_site_tu tu = {.magic = FR_SITE_MAGIC, .version = FR_SITE_VERSION, .nsites = n};
	struct fr_site site[16] = {0};
	const char *why = NULL;

	assert_true(n <= fr_array_size(site));
	fr_buf_add(&strings, "\0p.c\0/usr/include/x.h", 22);
	for (uint32_t i = 0; i < n; i++) {
		bool system = *object[i] == 's';

		site[i] = (struct fr_site){.file = system ? 5 : 1,
					   .line = i + 1,
					   .kind = FR_SITE_CALL,
					   .type = (uint32_t)strings.n};
		fr_buf_add(&strings, object[i] + system, strlen(object[i] + system) + 1);
	}
	tu.strings = (uint32_t)strings.n;
	tu.size = (uint32_t)(sizeof(tu) + n * sizeof(*site) + strings.n);
	fr_buf_add(&blob, &tu, sizeof(tu));
	fr_buf_add(&blob, site, n * sizeof(*site));
	fr_buf_add(&blob, strings.s, strings.n);
	((struct fr_site_tu *)blob.s)->hash = fr_site_blob_hash(blob.s, blob.n);
	assert_int_equal(fr_site_blob_check(blob.s, blob.n, &why), 0);
	fr_sites_add(s, 1, n, 0, blob.s, blob.n, NULL);
	fr_buf_free(&strings);
	return s;
}

/* The name of the object of a class that these calls lead to, innermost first; NULL: none. */
static char *object_of(const struct fr_sites *s, char class, const char *calls, const char *symbol)
{
	struct fr_site_object o;
	uint32_t site[16];
	size_t n = 0;

	for (; calls[n]; n++)
		site[n] = (uint32_t)(calls[n] - '0');
	return fr_sites_object(s, class, site, n, &o) ? fr_site_object_text(&o, symbol, 96) : NULL;
}

static void calls_name_their_objects(void **state)
{
	static const char *const object[] = {
	    "L q->lock", "C q->full\nL q->lock", "L a\nL b", "l *m", "sl",
	    "",		 "L48 acc[].m",		 "L *p",     "s"};
	static const struct {
		char class;
		const char *calls, *symbol, *name;
	} want[] = {
	    {'L', "1", NULL, "q->lock"},     {'C', "1", NULL, NULL},
	    {'C', "2", NULL, "q->full"},     {'L', "2", NULL, "q->lock"},
	    {'L', "3", NULL, NULL}, /* which of them is not known */
	    {'L', "41", NULL, "q->lock"},    {'L', "451", NULL, "q->lock"}, /* through a header */
	    {'L', "491", NULL, "q->lock"},   {'L', "4", NULL, NULL},
	    {'L', "461", NULL, NULL}, /* a caller that gave something else */
	    {'L', "7", "acc", "acc[2].m"},   {'L', "7", "ns::acc", "acc[2].m"},
	    {'L', "7", "other", "acc[].m"},  {'L', "7", NULL, "acc[].m"},
	    {'L', "1", "global", "q->lock"}, {'L', "8", NULL, "*p"},
	    {'L', "8", "global", NULL}, /* the variable says more than the pointer */
	    {'L', "", NULL, NULL},	     {0, "1", NULL, NULL},
	};
	struct fr_sites *s = call_sites(object, fr_array_size(object));

	(void)state;
	for (size_t i = 0; i < fr_array_size(want); i++) {
		char *got = object_of(s, want[i].class, want[i].calls, want[i].symbol);

		if (want[i].name)
			assert_string_equal(got ? got : "nothing", want[i].name);
		else
			assert_null(got);
		free(got);
	}
	fr_sites_free(s);
}

static void a_flipped_byte_is_noticed(void **state)
{
	const char *why;
	size_t n;
	uint8_t *b = fx_blob(3, &n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (int bit = 0; bit < 8; bit++) {
			/* the header is not under the checksum; all but this field is checked
			 * otherwise */
			if (i >= offsetof(struct fr_site_tu, dir) &&
			    i < offsetof(struct fr_site_tu, dir) + 4)
				continue;
			b[i] ^= (uint8_t)(1 << bit);
			assert_int_not_equal(fr_site_blob_check(b, n, &why), 0);
			b[i] ^= (uint8_t)(1 << bit);
		}
	for (size_t k = 0; k < n; k++) {
		uint8_t *part = fr_xmalloc(k);

		memcpy(part, b, k);
		assert_int_not_equal(fr_site_blob_check(part, k, &why), 0);
		free(part);
	}
	free(b);
}

/* Fields that point outside, under a checksum that fits. */
static void hostile_tables_do_no_harm(void **state)
{
	uint64_t seed = 17;
	const char *why;
	size_t n;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint8_t *b = fx_blob(3, &n);
		struct fr_site_tu *tu = (struct fr_site_tu *)b;
		size_t at = 12 + fx_random(&seed) % (n - 12);

		b[at] = (uint8_t)fx_random(&seed);
		tu->hash = fnv((uint8_t *)(tu + 1), n - sizeof(*tu));
		fr_site_blob_check(b, n, &why); /* the sanitizers watch */
		free(b);
	}
}

static void tables_are_read_from_elf_files(void **state)
{
	char *dir = fx_folder(), *elf = fx_path(dir, "elf"), *path = fx_path(dir, "sites");
	struct fr_module_map m[] = {
	    {.bias = 0x100000, .lo = 0x100000, .hi = 0x200000, .path = elf},
	    {.bias = 0, .lo = 0x900000, .hi = 0x901000, .path = "/nonexistent"}};
	struct fr_units u = {0};
	struct fr_sites *s, *back;
	struct fr_site_info info;
	struct fr_err e;
	uint64_t name;
	size_t n;
	void *blob = fx_blob(5, &n);

	(void)state;
	fx_elf(elf, blob, n, 0x3000);
	fr_vec_push(&u.unit, (struct fr_unit){0x103000, 1, 5});
	fr_vec_push(&u.unit, (struct fr_unit){0x103001, 6, 5});	 /* no table there */
	fr_vec_push(&u.unit, (struct fr_unit){0x900010, 11, 5}); /* no such file */
	fr_vec_push(&u.unit, (struct fr_unit){0x5, 16, 5});	 /* no module */
	fr_vec_push(&u.unit, (struct fr_unit){0x103000, 21, 6}); /* too many sites */
	/* names of events: one that exists, one with another length, one in no file */
	name = 0x103000 + (uint64_t)((char *)memmem(blob, n, "file.c", 6) - (char *)blob);
	fr_vec_push(&u.name, (struct fr_name){name, 6});
	fr_vec_push(&u.name, (struct fr_name){name + 1, 4});
	fr_vec_push(&u.name, (struct fr_name){0x900010, 4});
	fr_vec_push(&u.name, (struct fr_name){name, UINT64_MAX});
	s = fr_sites_build(m, 2, &u);
	assert_int_equal(fr_sites_count(s), 5);
	assert_non_null(fr_sites_missing(s, 3));
	assert_null(fr_sites_missing(s, 4));
	assert_int_equal(fr_sites_write(path, s, &e), 0);
	fr_sites_free(s);
	if (fr_sites_read(path, &back, &e) < 0)
		fail_msg("%s", e.msg);
	info = fr_sites_get(back, 3);
	assert_true(info.known);
	assert_string_equal(info.file, "file.c");
	assert_int_equal(info.line, 3);
	assert_string_equal(info.function, "func");
	assert_string_equal(info.name, "var");
	assert_string_equal(info.dir, "/src");
	assert_int_equal(info.nframes, 0);
	info = fr_sites_get(back, 1);
	assert_int_equal(info.nframes, 1);
	assert_string_equal(info.strings + info.frames[0].function, "outer");
	for (uint32_t id = 6; id < 40; id++)
		assert_false(fr_sites_get(back, id).known);
	assert_false(fr_sites_get(back, 0).known);
	assert_false(fr_sites_get(back, FR_SITE_PC_FIRST).known);
	assert_non_null(strstr(fr_sites_missing(back, 1), "/nonexistent"));
	assert_string_equal(fr_sites_name(back, name), "file.c");
	assert_null(fr_sites_name(back, name + 1));
	assert_null(fr_sites_name(back, 0x900010));
	fr_sites_free(back);
	fr_units_clear(&u);
	free(blob);
	free(elf);
	free(path);
	fx_remove(dir);
}

/* A module whose file is another one by now. */
static void a_changed_module_has_no_table(void **state)
{
	char *dir = fx_folder(), *elf = fx_path(dir, "elf");
	struct fr_module_map m = {.lo = 0, .hi = 0x200000, .path = elf, .build_id_len = 4};
	struct fr_units u = {0};
	struct fr_sites *s;
	size_t n;
	void *blob = fx_blob(5, &n);

	(void)state;
	fx_elf(elf, blob, n, 0x3000);
	fr_vec_push(&u.unit, (struct fr_unit){0x3000, 1, 5});
	s = fr_sites_build(&m, 1, &u);
	assert_non_null(strstr(fr_sites_missing(s, 0), "build-id"));
	fr_sites_free(s);
	fr_units_clear(&u);
	free(blob);
	free(elf);
	fx_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_valid_table_is_accepted),
	    cmocka_unit_test(the_previous_version_is_read),
	    cmocka_unit_test(version_3_is_read),
	    cmocka_unit_test(influences_are_read),
	    cmocka_unit_test(damaged_graphs_are_refused),
	    cmocka_unit_test(tests_of_values),
	    cmocka_unit_test(marks_are_found),
	    cmocka_unit_test(calls_name_their_objects),
	    cmocka_unit_test(a_flipped_byte_is_noticed),
	    cmocka_unit_test(hostile_tables_do_no_harm),
	    cmocka_unit_test(tables_are_read_from_elf_files),
	    cmocka_unit_test(a_changed_module_has_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
