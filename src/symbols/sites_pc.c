/*
 * Makes a site table for the program counters of the trace (FR_EV_PC_SITE), in the form of the
 * pass's tables. A program counter without a source line is named by symbol or module, and offset.
 * Site ids that the trace does not define stay empty.
 */
#include "symbols/pcsite.h"
#include "base/assert.h"
#include "symbols/sites_internal.h"
#include "base/hash.h"
#include <string.h>

#define MAX_PCS (1u << 20) /* the runtime numbers at most this many */

struct pc_table {
	FR_VEC(struct fr_site) site;
	FR_VEC(struct fr_site_frame) frame;
	struct fr_buf strings;
	struct fr_map known; /* hash of a string -> its offset */
};

static uint32_t intern(struct pc_table *t, const char *s)
{
	size_t n = strlen(s);
	uint64_t *slot;

	if (!n)
		return 0;
	slot = fr_map_put(&t->known, fr_hash_bytes(FR_HASH_START, s, n) & INT64_MAX);
	if (!*slot || strcmp(t->strings.s + *slot, s)) {
		*slot = t->strings.n;
		fr_buf_add(&t->strings, s, n + 1);
	}
	fr_assert(*slot && *slot < t->strings.n);
	return (uint32_t)*slot;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static struct fr_site make_site(struct pc_table *t, const struct fr_pcsite *p, bool function)
{
	struct fr_site s = {.kind = function ? FR_SITE_FUNCTION : FR_SITE_ACCESS};
	struct fr_buf b = {0};

	if (p->how == FR_PCSITE_SOURCE) {
		s.file = intern(t, p->file);
		s.line = p->line;
		s.column = (uint16_t)fr_min(p->column, (uint32_t)UINT16_MAX);
		s.function = intern(t, p->function);
		s.physical = intern(t, p->physical);
		s.frame = p->nframes ? (uint32_t)t->frame.n + 1 : 0;
		s.nframes = (uint16_t)p->nframes;
		for (uint32_t i = 0; i < s.nframes; i++)
			fr_vec_push(&t->frame, (struct fr_site_frame){
						   .function = intern(t, p->frames[i].function),
						   .file = intern(t, p->frames[i].file),
						   .line = p->frames[i].line,
						   .column = p->frames[i].column});
		return s;
	}
	if (p->how == FR_PCSITE_NOTHING)
		return s;
	fr_buf_printf(&b, "%s+0x%llx",
		      p->how == FR_PCSITE_SYMBOL ? p->function : base_name(p->module),
		      (unsigned long long)p->offset);
	s.function = intern(t, b.s);
	s.physical = intern(t, p->physical);
	fr_buf_free(&b);
	return s;
}

/* Returns the table as one blob (format/site_table.h). */
static void *make_blob(const struct pc_table *t, size_t *ret_n)
{
	size_t sites = t->site.n * sizeof(*t->site.v), frames = t->frame.n * sizeof(*t->frame.v);
	size_t n = (sizeof(struct fr_site_tu) + sites + frames + t->strings.n + 7) & ~(size_t)7;
	struct fr_site_tu *tu = fr_xcalloc(1, n);
	char *p = (char *)(tu + 1);

	fr_assert(n <= UINT32_MAX && !t->strings.s[t->strings.n - 1]);
	*tu = (struct fr_site_tu){.magic = FR_SITE_MAGIC,
				  .version = FR_SITE_VERSION,
				  .size = (uint32_t)n,
				  .nsites = (uint32_t)t->site.n,
				  .nframes = (uint32_t)t->frame.n,
				  .strings = (uint32_t)t->strings.n};
	memcpy(p, t->site.v, sites);
	if (frames)
		memcpy(p + sites, t->frame.v, frames);
	memcpy(p + sites + frames, t->strings.s, t->strings.n);
	tu->hash = fr_site_blob_hash(tu, n);
	*ret_n = n;
	return tu;
}

void fr_sites_add_pcs(struct fr_sites *s, const struct fr_module_map *modules, size_t n,
		      const struct fr_units *units)
{
	FR_CLEANUP(fr_pcsites_freep) struct fr_pcsites *pcs = NULL;
	struct pc_table t = {0};
	uint32_t count = 0;
	size_t size;
	void *blob;

	FR_VEC_FOREACH (pc, &units->pc)
		if (pc->site >= FR_SITE_PC_FIRST && pc->site - FR_SITE_PC_FIRST < MAX_PCS &&
		    pc->site - FR_SITE_PC_FIRST >= count)
			count = pc->site - FR_SITE_PC_FIRST + 1;
	if (!count)
		return;
	pcs = fr_pcsites_new(modules, n);
	fr_buf_add(&t.strings, "", 1);
	for (uint32_t i = 0; i < count; i++)
		fr_vec_push(&t.site, (struct fr_site){0});
	FR_VEC_FOREACH (pc, &units->pc) {
		struct fr_pcsite p;

		if (pc->site < FR_SITE_PC_FIRST || pc->site - FR_SITE_PC_FIRST >= count)
			continue;
		(pc->function ? fr_pcsite_function : fr_pcsite_resolve)(pcs, pc->pc, &p);
		t.site.v[pc->site - FR_SITE_PC_FIRST] = make_site(&t, &p, pc->function);
	}
	blob = make_blob(&t, &size);
	fr_assert(t.site.n == count);
	fr_assert_slow(fr_site_blob_check(blob, size, &(const char *){NULL}) == 0);
	fr_sites_add(s, FR_SITE_PC_FIRST, count, 0, blob, size, NULL);
	fr_vec_free(&t.site);
	fr_vec_free(&t.frame);
	fr_buf_free(&t.strings);
	fr_map_free(&t.known);
}
