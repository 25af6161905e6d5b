/*
 * The site table: format/site_table.h as a growing set of strings, frames and sites.
 *
 * Invariant: strings are stored once; sites that are equal in all fields and frames, and have the
 *            same discriminators, are one site (unrolled and specialised copies of a loop share
 *            theirs).
 * Files:     have the names that the compiler was given. Clang splits absolute names at the folder
 *            of compilation. They are joined again, and the main file gets the name of the command
 *            line.
 */
#include "site.h"
#include "base/assert.h"
#include "base/hash.h"
#include <string.h>

struct fr_unit_sites {
	LLVMContextRef ctx;
	FR_VEC(struct fr_site) site;
	FR_VEC(unsigned) mark; /* of each site: fr_plugin_discriminator */
	FR_VEC(struct fr_site_frame) frame;
	FR_VEC(struct fr_site_mark) marks;
	FR_VEC(struct fr_site_node) node;
	FR_VEC(uint32_t) influence;
	struct fr_buf str;
	struct fr_map strings; /* hash -> offset + 1 */
	struct fr_map known;   /* hash -> site + 1 */
	struct fr_map scopes;  /* subprogram -> function string, file -> file string; + 1 */
	struct fr_map chains;  /* inlined-at location -> first frame + 1, number << 32 */
	char *cu_dir, *cu_file;
};

static uint32_t intern(struct fr_unit_sites *s, const char *text)
{
	size_t n = strlen(text);
	uint64_t h = fr_hash_bytes(FR_HASH_START, text, n), *slot;

	for (;; h++) {
		h &= INT64_MAX;
		slot = fr_map_put(&s->strings, h);
		if (!*slot)
			break;
		if (!strcmp(s->str.s + *slot - 1, text))
			return (uint32_t)(*slot - 1);
	}
	*slot = s->str.n + 1;
	fr_buf_add(&s->str, text, n + 1);
	return (uint32_t)(*slot - 1);
}

static char *md_text(const char *p, unsigned n)
{
	return p ? fr_xstrndup(p, n) : fr_xstrdup("");
}

struct fr_unit_sites *fr_unit_sites_new(LLVMModuleRef m)
{
	struct fr_unit_sites *s = fr_xcalloc(1, sizeof(*s));
	LLVMValueRef cu[1];
	unsigned n;

	s->ctx = LLVMGetModuleContext(m);
	intern(s, "");
	if (LLVMGetNamedMetadataNumOperands(m, "llvm.dbg.cu") == 1) {
		fr_md file;

		LLVMGetNamedMetadataOperands(m, "llvm.dbg.cu", cu);
		file = LLVMDIScopeGetFile(LLVMValueAsMetadata(cu[0]));
		if (file) {
			const char *p = LLVMDIFileGetDirectory(file, &n);

			s->cu_dir = md_text(p, n);
			p = LLVMDIFileGetFilename(file, &n);
			s->cu_file = md_text(p, n);
		}
	}
	if (!s->cu_dir)
		s->cu_dir = fr_xstrdup("");
	if (!s->cu_file)
		s->cu_file = fr_xstrdup("");
	return s;
}

void fr_unit_sites_free(struct fr_unit_sites *s)
{
	fr_vec_free(&s->site);
	fr_vec_free(&s->mark);
	fr_vec_free(&s->frame);
	fr_vec_free(&s->marks);
	fr_vec_free(&s->node);
	fr_vec_free(&s->influence);
	fr_buf_free(&s->str);
	fr_map_free(&s->strings);
	fr_map_free(&s->known);
	fr_map_free(&s->scopes);
	fr_map_free(&s->chains);
	free(s->cu_dir);
	free(s->cu_file);
	free(s);
}

uint32_t fr_unit_sites_count(const struct fr_unit_sites *s)
{
	return (uint32_t)s->site.n;
}

static char *join(const char *dir, const char *file)
{
	if (*file == '/' || !*dir)
		return fr_xstrdup(file);
	return fr_xasprintf("%s%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/", file);
}

static uint32_t file_name(struct fr_unit_sites *s, fr_md file)
{
	char *dir, *name, *whole, *main_file;
	const char *p;
	uint64_t *slot;
	uint32_t r;
	unsigned n;

	if (!file)
		return 0;
	slot = fr_map_put(&s->scopes, (uintptr_t)file);
	if (*slot)
		return (uint32_t)(*slot - 1);
	p = LLVMDIFileGetDirectory(file, &n);
	dir = md_text(p, n);
	p = LLVMDIFileGetFilename(file, &n);
	name = md_text(p, n);
	whole = join(dir, name);
	main_file = join(s->cu_dir, s->cu_file);
	if (!strcmp(whole, main_file))
		r = intern(s, s->cu_file);
	else
		r = intern(s, strcmp(dir, s->cu_dir) ? whole : name);
	*fr_map_put(&s->scopes, (uintptr_t)file) = r + 1;
	free(dir);
	free(name);
	free(whole);
	free(main_file);
	return r;
}

/* The subprogram that contains a local scope. */
static fr_md subprogram_of(struct fr_unit_sites *s, fr_md scope)
{
	for (unsigned i = 0; scope && i < 1000; i++) {
		if (fr_md_is(scope, LLVMDISubprogramMetadataKind))
			return scope;
		scope = fr_di_scope(s->ctx, scope);
	}
	return NULL;
}

static uint32_t function_name(struct fr_unit_sites *s, fr_md sp)
{
	struct fr_buf b = {0};
	uint64_t *slot;
	uint32_t r;

	if (!sp)
		return 0;
	slot = fr_map_put(&s->scopes, (uintptr_t)sp);
	if (*slot)
		return (uint32_t)(*slot - 1);
	fr_di_qualified(s->ctx, sp, &b);
	r = intern(s, b.s);
	fr_buf_free(&b);
	*fr_map_put(&s->scopes, (uintptr_t)sp) = r + 1;
	return r;
}

const char *fr_site_function(struct fr_unit_sites *s, LLVMValueRef fn, const char **file)
{
	fr_md sp = LLVMGetSubprogram(fn);
	uint32_t f, name;
	size_t n;

	*file = s->cu_file;
	if (!sp)
		return LLVMGetValueName2(fn, &n);
	f = file_name(s, LLVMDIScopeGetFile(sp));
	name = function_name(s, sp);
	*file = s->str.s + f;
	return s->str.s + name;
}

/* Code that was inlined at one position shares its frames. */
static uint32_t add_frames(struct fr_unit_sites *s, fr_md loc, uint32_t *count)
{
	uint32_t first = (uint32_t)s->frame.n;
	fr_md at = LLVMDILocationGetInlinedAt(loc);
	uint64_t *known = fr_map_get(&s->chains, (uintptr_t)at);

	*count = 0;
	if (!at)
		return 0;
	if (known) {
		*count = (uint32_t)(*known >> 32);
		return (uint32_t)*known;
	}
	for (loc = at; loc && s->frame.n - first < UINT16_MAX;
	     loc = LLVMDILocationGetInlinedAt(loc)) {
		fr_md scope = LLVMDILocationGetScope(loc);
		struct fr_site_frame f = {
		    .function = function_name(s, subprogram_of(s, scope)),
		    .file = file_name(s, LLVMDIScopeGetFile(scope)),
		    .line = LLVMDILocationGetLine(loc),
		    .column = LLVMDILocationGetColumn(loc),
		};
		fr_vec_push(&s->frame, f);
	}
	*count = (uint32_t)s->frame.n - first;
	fr_assert(*count);
	*fr_map_put(&s->chains, (uintptr_t)at) = (first + 1) | (uint64_t)*count << 32;
	return first + 1;
}

/* The marks of pointers, which may differ between copies of one access. */
#define POINTER_MARKS (FR_SITE_POINTER | FR_SITE_DEREFERENCED | FR_SITE_CHECKED)

static bool same(const struct fr_unit_sites *s, const struct fr_site *a, const struct fr_site *b)
{
	struct fr_site x = *a, y = *b;

	if (x.nframes != y.nframes)
		return false;
	if (x.nframes && memcmp(&s->frame.v[x.frame - 1], &s->frame.v[y.frame - 1],
				x.nframes * sizeof(*s->frame.v)))
		return false;
	x.frame = y.frame = 0;
	x.access = (x.access ^ y.access) & (uint16_t)~POINTER_MARKS ? x.access : y.access;
	return !memcmp(&x, &y, sizeof(x));
}

/* Joins the marks of a copy: one that dereferences a null is enough, and all must check it. */
static void join_marks(struct fr_site *s, uint16_t copy)
{
	unsigned any = (s->access | copy) & (FR_SITE_POINTER | FR_SITE_DEREFERENCED);
	unsigned all = any & FR_SITE_DEREFERENCED ? 0 : s->access & copy & FR_SITE_CHECKED;

	s->access = (uint16_t)((s->access & ~(unsigned)POINTER_MARKS) | any | all);
}

/* Finds the site, or adds it. */
static uint32_t find_or_add(struct fr_unit_sites *s, struct fr_site *x, unsigned mark)
{
	struct fr_site key = *x;
	uint64_t h, *slot;

	fr_assert(x->nframes ? x->frame && x->frame - 1 + x->nframes <= s->frame.n : !x->frame);
	key.frame = 0;
	key.access &= (uint16_t)~POINTER_MARKS;
	h = fr_hash_bytes(FR_HASH_START, &key, sizeof(key));
	h = fr_hash_bytes(h, &mark, sizeof(mark));
	if (x->nframes)
		h = fr_hash_bytes(h, &s->frame.v[x->frame - 1], x->nframes * sizeof(*s->frame.v));
	for (;; h++) {
		h &= INT64_MAX;
		slot = fr_map_put(&s->known, h);
		if (!*slot)
			break;
		if (s->mark.v[*slot - 1] == mark && same(s, x, &s->site.v[*slot - 1])) {
			join_marks(&s->site.v[*slot - 1], x->access);
			return (uint32_t)(*slot - 1);
		}
	}
	fr_vec_push(&s->site, *x);
	fr_vec_push(&s->mark, mark);
	*slot = s->site.n;
	return (uint32_t)s->site.n - 1;
}

uint32_t fr_site_add(struct fr_unit_sites *s, const struct fr_site_desc *d)
{
	fr_md sp = d->fn ? LLVMGetSubprogram(d->fn) : NULL, scope = sp;
	struct fr_site x = {.kind = d->kind, .access = d->access};
	uint32_t frames;
	size_t n;

	if (d->loc && d->kind != FR_SITE_FUNCTION) {
		unsigned column = LLVMDILocationGetColumn(d->loc);

		scope = LLVMDILocationGetScope(d->loc);
		x.line = LLVMDILocationGetLine(d->loc);
		x.column = (uint16_t)(column > UINT16_MAX ? UINT16_MAX : column);
		sp = subprogram_of(s, scope);
	} else if (sp) {
		x.line = LLVMDISubprogramGetLine(sp);
	}
	if (scope)
		x.file = file_name(s, LLVMDIScopeGetFile(scope));
	x.physical = d->fn ? intern(s, LLVMGetValueName2(d->fn, &n)) : 0;
	x.function = sp ? function_name(s, sp) : x.physical;
	x.name = d->kind == FR_SITE_FUNCTION ? x.function : intern(s, d->name ? d->name : "");
	x.type = intern(s, d->type ? d->type : "");
	if (d->loc && d->kind != FR_SITE_FUNCTION)
		x.frame = add_frames(s, d->loc, &frames), x.nframes = (uint16_t)frames;
	return find_or_add(
	    s, &x, d->loc && d->kind != FR_SITE_FUNCTION ? fr_plugin_discriminator(d->loc) : 0);
}

void fr_site_mark_add(struct fr_unit_sites *s, uint32_t site, uint32_t fails, const char *test)
{
	struct fr_site_mark k = {.site = site, .fails = fails, .test = intern(s, test)};

	fr_assert(site < s->site.n && fails < s->site.n);
	fr_vec_push(&s->marks, k);
}

uint32_t fr_site_string(struct fr_unit_sites *s, const char *text)
{
	return intern(s, text);
}

uint16_t fr_site_access(const struct fr_unit_sites *s, uint32_t site)
{
	fr_assert(site < s->site.n);
	return s->site.v[site].access;
}

bool fr_site_same_line(const struct fr_unit_sites *s, uint32_t a, uint32_t b)
{
	fr_assert(a < s->site.n && b < s->site.n);
	return s->site.v[a].line == s->site.v[b].line && s->site.v[a].file == s->site.v[b].file;
}

void fr_site_bits(struct fr_unit_sites *s, uint32_t site, uint16_t bits)
{
	fr_assert(site < s->site.n);
	s->site.v[site].access |= bits;
}

void fr_site_graph(struct fr_unit_sites *s, const struct fr_site_node *node, size_t nnodes,
		   const uint32_t *influence, size_t ninfluences)
{
	fr_assert(!s->node.n && nnodes <= FR_NODE_MAX);
	for (size_t i = 0; i < nnodes; i++)
		fr_vec_push(&s->node, node[i]);
	for (size_t i = 0; i < ninfluences; i++)
		fr_vec_push(&s->influence, influence[i]);
}

static int by_site(const void *a, const void *b)
{
	const struct fr_site_mark *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	if (x->fails != y->fails)
		return x->fails < y->fails ? -1 : 1;
	return (x->test > y->test) - (x->test < y->test);
}

/* Sorts the marks and keeps each once. */
static void sort_marks(struct fr_unit_sites *s)
{
	size_t n = 0;

	if (s->marks.n)
		qsort(s->marks.v, s->marks.n, sizeof(*s->marks.v), by_site);
	for (size_t i = 0; i < s->marks.n; i++)
		if (!n || by_site(&s->marks.v[n - 1], &s->marks.v[i]))
			s->marks.v[n++] = s->marks.v[i];
	s->marks.n = n;
}

void fr_unit_sites_blob(struct fr_unit_sites *s, struct fr_buf *ret)
{
	struct fr_site_tu h;
	struct fr_buf b = {0};

	sort_marks(s);
	h = (struct fr_site_tu){
	    .magic = FR_SITE_MAGIC,
	    .version = FR_SITE_VERSION,
	    .nsites = (uint32_t)s->site.n,
	    .nframes = (uint32_t)s->frame.n,
	    .nmarks = (uint32_t)s->marks.n,
	    .nnodes = (uint32_t)s->node.n,
	    .ninfluences = (uint32_t)s->influence.n,
	    .dir = intern(s, s->cu_dir),
	};
	fr_assert(!s->str.s[0]); /* string 0 is empty */
	while (s->str.n % 8)
		fr_buf_add(&s->str, "", 1);
	h.strings = (uint32_t)s->str.n;
	fr_buf_add(&b, &h, sizeof(h));
	fr_buf_add(&b, s->site.v, s->site.n * sizeof(*s->site.v));
	if (s->frame.n)
		fr_buf_add(&b, s->frame.v, s->frame.n * sizeof(*s->frame.v));
	if (s->marks.n)
		fr_buf_add(&b, s->marks.v, s->marks.n * sizeof(*s->marks.v));
	if (s->node.n)
		fr_buf_add(&b, s->node.v, s->node.n * sizeof(*s->node.v));
	if (s->influence.n)
		fr_buf_add(&b, s->influence.v, s->influence.n * sizeof(*s->influence.v));
	fr_buf_add(&b, s->str.s, s->str.n);
	h.size = (uint32_t)b.n;
	h.hash = fr_site_blob_hash(b.s, b.n);
	memcpy(b.s, &h, sizeof(h));
	*ret = b;
}
