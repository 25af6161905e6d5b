/*
 * Looks up addresses in the debug information of one ELF file, through libdw.
 *
 * It finds a unit by its address ranges, a function by an index of the unit, and inlined calls by
 * walking down from the function. The address ranges come from the units themselves, because clang
 * writes no .debug_aranges. A unit's functions are indexed when the unit is first needed. Function
 * names are qualified (space::class::name), as the pass writes them. File names are those given to
 * the compiler, relative to its folder if they were.
 * Damaged input: libdw checks its bounds; walks here are limited in depth and length.
 */
#include "symbols/pcsite_dwarf.h"
#include "base/assert.h"
#include "base/io.h"
#include "base/mem.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_DEPTH 64	  /* nested scopes */
#define MAX_DIES 20000000 /* debug information entries of one unit */
#define MAX_INLINE 64

struct pc_range {
	uint64_t lo, hi;
	size_t what; /* index of a unit or function */
};
typedef FR_VEC(struct pc_range) range_vec;

struct compile_unit {
	Dwarf_Die die;	/* with the line table */
	Dwarf_Die code; /* with the functions: the same, unless they are in a separate file */
	const char *name, *dir;
	bool indexed;
	uint64_t dies;
	FR_VEC(Dwarf_Die) functions;
	range_vec ranges; /* of the functions */
};

struct fr_pcdwarf {
	int fd;
	Dwarf *dw;
	FR_VEC(struct compile_unit) units;
	range_vec ranges;    /* of the units */
	struct fr_map names; /* DIE of a function -> its qualified name */
	FR_VEC(void *) owned;
};

static int by_lo(const void *a, const void *b)
{
	const struct pc_range *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void add_ranges(range_vec *v, Dwarf_Die *die, size_t what)
{
	Dwarf_Addr base, lo, hi;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &lo, &hi)) > 0;)
		if (lo < hi && lo)
			fr_vec_push(v, (struct pc_range){lo, hi, what});
}

static void sort_ranges(range_vec *v)
{
	if (v->n)
		qsort(v->v, v->n, sizeof(*v->v), by_lo);
}

/* Returns the narrowest range that contains addr, among the last 64 that start at or before it;
   NULL if none does. */
static const struct pc_range *find_range(const range_vec *v, uint64_t addr)
{
	const struct pc_range *best = NULL;
	size_t lo = fr_bisect(v->n, i, v->v[i].lo <= addr);

	for (size_t i = lo; i > 0 && lo - i < 64; i--) {
		const struct pc_range *r = &v->v[i - 1];

		if (addr < r->hi && (!best || r->hi - r->lo < best->hi - best->lo))
			best = r;
	}
	return best;
}

/* ---- names ---- */

static void *own(struct fr_pcdwarf *d, void *p)
{
	fr_vec_push(&d->owned, p);
	return p;
}

static const char *attr_string(Dwarf_Die *die, unsigned attr)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr_integrate(die, attr, &a));
}

/* Returns the entry that declares a function inside its class or namespace. */
static Dwarf_Die declaration(const Dwarf_Die *die)
{
	static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
	Dwarf_Die d = *die;

	for (unsigned i = 0; i < 2; i++) {
		Dwarf_Attribute a;
		Dwarf_Die to;

		if (dwarf_attr(&d, links[i], &a) && dwarf_formref_die(&a, &to))
			d = to;
	}
	return d;
}

static void scope_text(Dwarf_Die *scope, struct fr_buf *b)
{
	const char *name = attr_string(scope, DW_AT_name);

	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		fr_buf_printf(b, "%s::", name ? name : "(anonymous)");
		break;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		/* gcc invents a name for a lambda. */
		fr_buf_printf(b, "%s::", name && *name != '<' ? name : "(lambda)");
		break;
	case DW_TAG_subprogram: /* a local function is named without the enclosing scopes */
		b->n = 0;
		break;
	default:
		break;
	}
}

static const char *function_name(struct fr_pcdwarf *d, Dwarf_Die *die)
{
	uint64_t key = (uintptr_t)die->addr, *slot = fr_map_put(&d->names, key);
	Dwarf_Die decl = declaration(die), *scopes = NULL;
	struct fr_buf b = {0};
	const char *name;
	int n;

	if (*slot)
		return (const char *)(uintptr_t)*slot;
	name = attr_string(die, DW_AT_name);
	n = name ? dwarf_getscopes_die(&decl, &scopes) : 0;
	/* scopes[0] is the function itself, the last one is the unit. */
	for (int i = n < MAX_DEPTH ? n - 1 : MAX_DEPTH; i > 0; i--)
		scope_text(&scopes[i], &b);
	free(scopes);
	fr_buf_puts(&b, name ? name : "");
	*slot = (uintptr_t)own(d, b.s);
	return b.s;
}

/* Returns a file name of the line table, without the folder of compilation if the compiler was
   given a relative name. */
static const char *file_name(const struct compile_unit *u, const char *path)
{
	size_t n = strlen(u->dir);
	const char *rest;

	if (!path)
		return "";
	if (!n || strncmp(path, u->dir, n) || path[n] != '/' || *u->name == '/')
		return path;
	for (rest = path + n; *rest == '/'; rest++)
		;
	/* The line table does not distinguish ./a.c from a.c. */
	if (!strncmp(u->name, "./", 2) && !strcmp(u->name + 2, rest))
		return u->name;
	return rest;
}

/* ---- units and functions ---- */

static void add_unit(struct fr_pcdwarf *d, Dwarf_Die *die, Dwarf_Die *code)
{
	struct compile_unit u = {.die = *die, .code = *code};
	const char *name = attr_string(die, DW_AT_name), *dir = attr_string(die, DW_AT_comp_dir);

	u.name = name ? name : "";
	u.dir = dir ? dir : "";
	add_ranges(&d->ranges, die, d->units.n);
	fr_vec_push(&d->units, u);
	fr_assert(!d->ranges.n || d->ranges.v[d->ranges.n - 1].what < d->units.n);
}

static void read_units(struct fr_pcdwarf *d)
{
	Dwarf_CU *cu = NULL, *next;
	Dwarf_Die die, sub;
	uint8_t type;

	while (!dwarf_get_units(d->dw, cu, &next, NULL, &type, &die, &sub)) {
		cu = next;
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		add_unit(d, &die, type == DW_UT_skeleton && sub.addr ? &sub : &die);
	}
	sort_ranges(&d->ranges);
}

static void index_functions(struct compile_unit *u, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die die;
	int r;

	if (depth > MAX_DEPTH)
		return;
	for (r = dwarf_child(parent, &die); !r && u->dies++ < MAX_DIES;
	     r = dwarf_siblingof(&die, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_ranges(&u->ranges, &die, u->functions.n);
			fr_vec_push(&u->functions, die);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_lexical_block:
			break;
		default:
			continue;
		}
		index_functions(u, &die, depth + 1);
	}
}

/* ---- source positions ---- */

static uint32_t attr_number(Dwarf_Die *die, unsigned attr)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (dwarf_formudata(dwarf_attr_integrate(die, attr, &a), &v) || v > UINT32_MAX)
		return 0;
	return (uint32_t)v;
}

static const char *attr_file(struct compile_unit *u, Dwarf_Die *die, unsigned attr)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(&u->die, &files, &n))
		return "";
	return file_name(u, dwarf_filesrc(files, attr_number(die, attr), NULL, NULL));
}

/* Collects the inlined calls around addr in a function, outermost first. Returns their number. */
static unsigned find_inlined(struct compile_unit *u, Dwarf_Die *function, uint64_t addr,
			     Dwarf_Die chain[])
{
	Dwarf_Die parent = *function, die;
	unsigned n = 0;

	for (unsigned depth = 0; depth < MAX_DEPTH && n < MAX_INLINE; depth++) {
		int r = dwarf_child(&parent, &die);

		for (; !r && u->dies++ < 2 * (uint64_t)MAX_DIES; r = dwarf_siblingof(&die, &die)) {
			int tag = dwarf_tag(&die);

			if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
			    dwarf_haspc(&die, addr) > 0)
				break;
		}
		if (r || u->dies >= 2 * (uint64_t)MAX_DIES)
			break;
		if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
			chain[n++] = die;
		parent = die;
	}
	fr_assert(n <= MAX_INLINE);
	return n;
}

static void fill_functions(struct fr_pcdwarf *d, struct compile_unit *u, uint64_t addr,
			   bool outermost, struct fr_pcsite *ret)
{
	const struct pc_range *r;
	Dwarf_Die chain[MAX_INLINE], *function;
	struct fr_pcsite_frame *f;
	const char *linkage;
	unsigned n;

	if (!u->indexed) {
		u->indexed = true;
		index_functions(u, &u->code, 0);
		sort_ranges(&u->ranges);
	}
	r = find_range(&u->ranges, addr);
	if (!r)
		return;
	fr_assert(r->what < u->functions.n);
	function = &u->functions.v[r->what];
	linkage = attr_string(function, DW_AT_linkage_name);
	ret->function = function_name(d, function);
	ret->physical = linkage ? linkage : "";
	n = outermost ? 0 : find_inlined(u, function, addr, chain);
	/* Compilers give code without a source line the line 0: use the function's line. */
	if (!ret->line) {
		Dwarf_Die *innermost = n ? &chain[n - 1] : function;

		ret->file = attr_file(u, innermost, DW_AT_decl_file);
		ret->line = attr_number(innermost, DW_AT_decl_line);
	}
	if (!n)
		return;
	f = own(d, fr_xcalloc(n, sizeof(*f)));
	for (unsigned i = 0; i < n; i++) {
		Dwarf_Die *call = &chain[n - 1 - i];

		f[i].function = i == n - 1 ? ret->function : function_name(d, &chain[n - 2 - i]);
		f[i].file = attr_file(u, call, DW_AT_call_file);
		f[i].line = attr_number(call, DW_AT_call_line);
		f[i].column = attr_number(call, DW_AT_call_column);
	}
	ret->function = function_name(d, &chain[n - 1]);
	ret->frames = f;
	ret->nframes = n;
}

bool fr_pcdwarf_find(struct fr_pcdwarf *d, uint64_t addr, bool function, struct fr_pcsite *ret)
{
	const struct pc_range *r = find_range(&d->ranges, addr);
	struct fr_pcsite found = *ret;
	int line = 0, column = 0;
	Dwarf_Line *l;
	struct compile_unit *u;

	if (!r)
		return false;
	fr_assert(r->what < d->units.n && r->lo <= addr && addr < r->hi);
	u = &d->units.v[r->what];
	l = function ? NULL : dwarf_getsrc_die(&u->die, addr);
	if (l && !dwarf_lineno(l, &line) && line > 0) {
		if (dwarf_linecol(l, &column) || column < 0)
			column = 0;
		found.file = file_name(u, dwarf_linesrc(l, NULL, NULL));
		found.line = (uint32_t)line;
		found.column = (uint32_t)column;
	}
	fill_functions(d, u, addr, function, &found);
	if (!found.line)
		return false;
	*ret = found;
	return true;
}

/* ---- the file ---- */

struct fr_pcdwarf *fr_pcdwarf_open(const char *path)
{
	FR_CLEANUP(fr_closep) int fd = fr_io_open(path, NULL);
	Dwarf *dw = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	struct fr_pcdwarf *d;

	if (!dw)
		return NULL;
	d = fr_xcalloc(1, sizeof(*d));
	fr_assert(fd >= 0);
	d->fd = fd;
	fd = -1;
	d->dw = dw;
	read_units(d);
	return d;
}

void fr_pcdwarf_free(struct fr_pcdwarf *d)
{
	if (!d)
		return;
	FR_VEC_FOREACH (u, &d->units) {
		fr_vec_free(&u->functions);
		fr_vec_free(&u->ranges);
	}
	FR_VEC_FOREACH (p, &d->owned)
		free(*p);
	fr_vec_free(&d->owned);
	fr_vec_free(&d->units);
	fr_vec_free(&d->ranges);
	fr_map_free(&d->names);
	dwarf_end(d->dw);
	close(d->fd);
	free(d);
}
