/*
 * Site tables in memory: the blobs of format/site_table.h, found by bisection over the first ids of
 * the units. Invariant: every blob has passed fr_site_blob_check, so that lookups can trust it.
 */
#include "symbols/sites.h"
#include "base/assert.h"
#include "symbols/depends.h"
#include <errno.h>
#include <string.h>

#include "symbols/sites_internal.h"

static void add_name(struct fr_units *u, uint64_t address, uint64_t length)
{
	uint64_t *known = fr_map_put(&u->known, address);

	if (!*known)
		fr_vec_push(&u->name, (struct fr_name){address, length});
	*known = 1;
}

void fr_units_scan(struct fr_units *u, const struct fr_event *e, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		unsigned kind = fr_event_kind(&e[i]);

		if (kind == FR_EV_TU)
			fr_vec_push(&u->unit, (struct fr_unit){fr_event_addr(&e[i]),
							       (uint32_t)e[i].value, e[i].site});
		else if (kind == FR_EV_PC_SITE)
			fr_vec_push(&u->pc, (struct fr_pc){fr_event_addr(&e[i]), e[i].site,
							   fr_event_aux(&e[i]) & 1});
		else if (kind == FR_EV_USER_EVENT && i + 1 < n)
			add_name(u, fr_event_addr(&e[i]), fr_event_addr(&e[i + 1]));
	}
}

void fr_units_clear(struct fr_units *u)
{
	fr_vec_free(&u->unit);
	fr_vec_free(&u->pc);
	fr_vec_free(&u->name);
	fr_map_free(&u->known);
}

static const struct fr_site *blob_sites(const struct fr_site_tu *tu)
{
	return (const struct fr_site *)(tu + 1);
}

static const struct fr_site_frame *blob_frames(const struct fr_site_tu *tu)
{
	return (const struct fr_site_frame *)(blob_sites(tu) + tu->nsites);
}

static const struct fr_site_mark *blob_marks(const struct fr_site_tu *tu)
{
	return (const struct fr_site_mark *)(blob_frames(tu) + tu->nframes);
}

static const struct fr_site_node *blob_nodes(const struct fr_site_tu *tu)
{
	return (const struct fr_site_node *)(blob_marks(tu) + tu->nmarks);
}

static const uint32_t *blob_influences(const struct fr_site_tu *tu)
{
	return (const uint32_t *)(blob_nodes(tu) + tu->nnodes);
}

static const char *blob_strings(const struct fr_site_tu *tu)
{
	return (const char *)(blob_influences(tu) + tu->ninfluences);
}

static bool marks_in_bounds(const struct fr_site_tu *tu)
{
	const struct fr_site_mark *k = blob_marks(tu);

	for (uint32_t i = 0; i < tu->nmarks; i++)
		if (k[i].site >= tu->nsites || k[i].fails >= tu->nsites ||
		    k[i].test >= tu->strings || (i && k[i].site < k[i - 1].site))
			return false;
	return true;
}

static bool node_in_bounds(const struct fr_site_tu *tu, const struct fr_site_node *x)
{
	switch (x->kind) {
	case FR_NODE_VALUE:
		return x->of < tu->nsites;
	case FR_NODE_EXECUTE:
		return x->of < tu->nsites && x->arg < tu->nsites - x->of;
	case FR_NODE_PARAM:
	case FR_NODE_RESULT:
	case FR_NODE_CALLED:
		return x->of && x->of < tu->strings;
	case FR_NODE_JOIN:
		return !x->of;
	case FR_NODE_USED:
		if (x->arg >= FR_USES)
			return false;
		/* fall through */
	case FR_NODE_BRANCH:
		return x->of < tu->nsites || x->of == FR_NODE_NOWHERE;
	default:
		return false;
	}
}

static bool graph_in_bounds(const struct fr_site_tu *tu)
{
	const struct fr_site_node *x = blob_nodes(tu);
	const uint32_t *to = blob_influences(tu);

	if (tu->nnodes > FR_NODE_MAX || (tu->nnodes ? x[0].first : tu->ninfluences))
		return false;
	for (uint32_t i = 0; i < tu->nnodes; i++)
		if (!node_in_bounds(tu, &x[i]) || x[i].first > tu->ninfluences ||
		    (i && x[i].first < x[i - 1].first))
			return false;
	for (uint32_t i = 0; i < tu->ninfluences; i++)
		if (fr_influence_to(to[i]) >= tu->nnodes)
			return false;
	return true;
}

static bool sites_in_bounds(const struct fr_site_tu *tu)
{
	for (uint32_t i = 0; i < tu->nsites; i++) {
		const struct fr_site *s = &blob_sites(tu)[i];

		if (s->file >= tu->strings || s->function >= tu->strings ||
		    s->name >= tu->strings || s->type >= tu->strings || s->physical >= tu->strings)
			return false;
		if (s->frame &&
		    (s->frame > tu->nframes || s->nframes > tu->nframes - (s->frame - 1)))
			return false;
	}
	for (uint32_t i = 0; i < tu->nframes; i++) {
		const struct fr_site_frame *f = &blob_frames(tu)[i];

		if (f->function >= tu->strings || f->file >= tu->strings)
			return false;
	}
	return tu->dir < tu->strings && marks_in_bounds(tu) && graph_in_bounds(tu);
}

int fr_site_blob_check(const void *p, size_t n, const char **ret_why)
{
	const struct fr_site_tu *tu = p;
	uint64_t need = sizeof(*tu);
	const char *why = NULL;

	if (n < sizeof(*tu) || tu->magic != FR_SITE_MAGIC) {
		*ret_why = "it is not a site table";
		return -EBADMSG;
	}
	need += (uint64_t)tu->nsites * sizeof(struct fr_site) +
		(uint64_t)tu->nframes * sizeof(struct fr_site_frame) +
		(uint64_t)tu->nmarks * sizeof(struct fr_site_mark) +
		(uint64_t)tu->nnodes * sizeof(struct fr_site_node) +
		(uint64_t)tu->ninfluences * sizeof(uint32_t) + tu->strings;
	if (tu->version != FR_SITE_VERSION)
		why = "it was made by another version of forerun cc";
	else if (tu->size != n || need > n || n - need >= 8 || tu->pad)
		why = "its size is wrong";
	else if (tu->hash != fr_site_blob_hash(p, n))
		why = "its checksum is wrong";
	else if (!tu->strings || blob_strings(tu)[tu->strings - 1])
		why = "its strings are not terminated";
	else if (!sites_in_bounds(tu))
		why = "an offset points outside the table";
	if (why)
		*ret_why = why;
	return why ? -EBADMSG : 0;
}

void fr_sites_add(struct fr_sites *s, uint32_t first, uint32_t count, uint64_t address, void *blob,
		  size_t n, char *missing)
{
	fr_assert(!blob != !missing); /* a table, or the reason why there is none */
	fr_vec_push(&s->unit, (struct fr_sites_unit){.first = first,
						     .count = count,
						     .address = address,
						     .blob = blob,
						     .size = n,
						     .missing = missing});
}

static int by_first(const void *a, const void *b)
{
	const struct fr_sites_unit *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static int by_address(const void *a, const void *b)
{
	const struct fr_sites_name *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

void fr_sites_sort(struct fr_sites *s)
{
	if (s->name.n)
		qsort(s->name.v, s->name.n, sizeof(*s->name.v), by_address);
	if (s->unit.n)
		qsort(s->unit.v, s->unit.n, sizeof(*s->unit.v), by_first);
}

void fr_sites_free(struct fr_sites *s)
{
	if (!s)
		return;
	FR_VEC_FOREACH (u, &s->unit) {
		free(u->blob);
		free(u->missing);
	}
	fr_vec_free(&s->unit);
	FR_VEC_FOREACH (n, &s->name)
		free(n->text);
	fr_vec_free(&s->name);
	free(s);
}

uint32_t fr_sites_count(const struct fr_sites *s)
{
	uint32_t n = 0;

	FR_VEC_FOREACH (u, &s->unit)
		n += u->blob ? u->count : 0;
	return n;
}

const char *fr_sites_missing(const struct fr_sites *s, size_t i)
{
	FR_VEC_FOREACH (u, &s->unit)
		if (u->missing && !i--)
			return u->missing;
	return NULL;
}

const char *fr_sites_name(const struct fr_sites *s, uint64_t address)
{
	struct fr_sites_name key = {.address = address}, *hit;

	if (!s->name.n)
		return NULL;
	hit = bsearch(&key, s->name.v, s->name.n, sizeof(key), by_address);
	return hit ? hit->text : NULL;
}

static const struct fr_sites_unit *find(const struct fr_sites *s, uint32_t site)
{
	size_t lo = fr_bisect(s->unit.n, i, s->unit.v[i].first <= site);

	return lo && site - s->unit.v[lo - 1].first < s->unit.v[lo - 1].count ? &s->unit.v[lo - 1]
									      : NULL;
}

struct fr_site_info fr_sites_get(const struct fr_sites *s, uint32_t site)
{
	static const struct fr_site_info unknown = {.file = "",
						    .function = "",
						    .name = "",
						    .type = "",
						    .physical = "",
						    .dir = "",
						    .strings = ""};
	const struct fr_sites_unit *u = s ? find(s, site) : NULL;
	const struct fr_site_tu *tu = u ? u->blob : NULL;
	const struct fr_site *x;
	const char *str;

	if (!tu)
		return unknown;
	fr_assert(site - u->first < tu->nsites);
	x = &blob_sites(tu)[site - u->first];
	str = blob_strings(tu);
	return (struct fr_site_info){.known = x->file || x->function,
				     .kind = x->kind,
				     .access = x->access,
				     .file = str + x->file,
				     .function = str + x->function,
				     .name = str + x->name,
				     .type = str + x->type,
				     .physical = str + x->physical,
				     .dir = str + tu->dir,
				     .line = x->line,
				     .column = x->column,
				     .frames = x->frame ? &blob_frames(tu)[x->frame - 1] : NULL,
				     .nframes = x->frame ? x->nframes : 0,
				     .strings = str};
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

uint32_t fr_sites_at(const struct fr_sites *s, const char *file, uint32_t line, uint32_t column)
{
	FR_VEC_FOREACH (u, &s->unit)
		for (uint32_t i = 0; u->blob && i < u->count; i++) {
			struct fr_site_info x = fr_sites_get(s, u->first + i);

			if (x.known && x.line == line && x.column == column &&
			    x.kind == FR_SITE_ACCESS && !(x.access & FR_SITE_RANGE) &&
			    x.access & (FR_SITE_READ | FR_SITE_WRITE) &&
			    !strcmp(last_component(x.file), last_component(file)))
				return u->first + i;
		}
	return 0;
}

bool fr_sites_branch(const struct fr_sites *s, uint32_t site, uint32_t i,
		     struct fr_site_branch *ret)
{
	const struct fr_sites_unit *u = s ? find(s, site) : NULL;
	const struct fr_site_tu *tu = u ? u->blob : NULL;
	const struct fr_site_mark *k;
	size_t at;

	if (!tu)
		return false;
	k = blob_marks(tu);
	fr_assert_slow(site - u->first < tu->nsites);
	at = fr_bisect(tu->nmarks, j, k[j].site < site - u->first) + i;
	if (at >= tu->nmarks || k[at].site != site - u->first)
		return false;
	*ret = (struct fr_site_branch){u->first + k[at].fails, blob_strings(tu) + k[at].test};
	return true;
}

void fr_sites_branches(const struct fr_sites *s, void (*each)(void *arg, uint32_t site), void *arg)
{
	FR_VEC_FOREACH (u, &s->unit) {
		const struct fr_site_mark *k = u->blob ? blob_marks(u->blob) : NULL;

		for (uint32_t i = 0; k && i < u->blob->nmarks; i++)
			if (!i || k[i].site != k[i - 1].site)
				each(arg, u->first + k[i].site);
	}
}

bool fr_depends_unit(const struct fr_sites *s, size_t i, struct fr_depends *ret)
{
	const struct fr_sites_unit *u;

	if (!s || i >= s->unit.n)
		return false;
	u = &s->unit.v[i];
	*ret = (struct fr_depends){.first = u->first, .count = u->count};
	if (!u->blob)
		return true;
	ret->nnodes = u->blob->nnodes;
	ret->node = blob_nodes(u->blob);
	ret->influence = blob_influences(u->blob);
	ret->ninfluences = u->blob->ninfluences;
	ret->strings = blob_strings(u->blob);
	return true;
}
