/*
 * Writes the graph of influence of a unit into the site table: nodes with sites instead of
 * instructions, each once, and only those that say something. See influence.c.
 */
#include "influence_unit.h"
#include "base/assert.h"
#include <string.h>

struct influence_table {
	struct fr_pass_unit *u;
	struct fr_influence *k;
	FR_VEC(struct fr_site_node) node;
	struct fr_map id; /* of, arg and kind of a node -> number + 1 */
	FR_VEC(struct fr_inf_link) link;
	struct fr_map
	    fixed; /* sites whose accesses all have one constant address: site -> 2, else 1 */
	struct fr_map torn; /* blocks and functions with a store to a site that is not fixed */
};

static uint32_t add(struct influence_table *t, unsigned kind, uint32_t of, unsigned arg,
		    unsigned flags)
{
	uint64_t *slot = fr_map_put(&t->id, of | (uint64_t)arg << 32 | (uint64_t)kind << 48);

	fr_assert(kind < FR_NODE_KINDS && arg <= UINT16_MAX);
	if (!*slot) {
		fr_vec_push(&t->node, ((struct fr_site_node){.of = of,
							     .arg = (uint16_t)arg,
							     .kind = (uint8_t)kind,
							     .flags = (uint8_t)flags}));
		*slot = t->node.n;
	}
	t->node.v[*slot - 1].flags |= (uint8_t)flags;
	return (uint32_t)(*slot - 1);
}

/* ---- sites ---- */

/* Is the address of all accesses at a site the same constant? And do all reads there wait? */
static void judge_sites(struct influence_table *t)
{
	struct fr_map first = {0}, busy = {0};

	for (size_t i = 0; i < t->k->access.n; i++) {
		const struct fr_inf_access *a = &t->k->access.v[i], *b;
		uint64_t *slot = fr_map_put(&first, a->site),
			 *fixed = fr_map_put(&t->fixed, a->site);

		if (!*slot)
			*slot = i + 1;
		b = &t->k->access.v[*slot - 1];
		if (!*fixed)
			*fixed = a->ptr ? 2 : 1;
		if (a->ptr != b->ptr || a->size != b->size)
			*fixed = 1;
		if (!fr_map_get(&t->k->waits, (uintptr_t)a->inst))
			*fr_map_put(&busy, a->site) = 1;
	}
	FR_VEC_FOREACH (a, &t->k->access) {
		bool fixed = *fr_map_get(&t->fixed, a->site) == 2;

		if (fixed)
			fr_site_bits(t->u->sites, a->site, FR_SITE_FIXED);
		if (!fr_map_get(&busy, a->site)) {
			fr_site_bits(t->u->sites, a->site, FR_SITE_WAITS);
			t->u->count[FR_PC_waits]++;
		}
		if (a->write && a->ptr && !fixed) {
			*fr_map_put(&t->torn, (uintptr_t)a->block) = 1;
			*fr_map_put(&t->torn, (uintptr_t)LLVMGetBasicBlockParent(a->block)) = 1;
		}
	}
	fr_map_free(&first);
	fr_map_free(&busy);
}

/* The site of an access; UINT32_MAX: none. */
static uint32_t site_of(const struct influence_table *t, uintptr_t key, bool value)
{
	const uint64_t *s = fr_map_get(&t->k->sites, key);

	if (!s || (value && *s & FR_INF_NO_VALUE))
		return UINT32_MAX;
	return (uint32_t)*s - 1;
}

static bool writes(uintptr_t key)
{
	LLVMValueRef i = (LLVMValueRef)(key & ~(uintptr_t)1);

	return key & 1 || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) ||
	       LLVMIsAAtomicCmpXchgInst(i);
}

/* ---- nodes ---- */

static uint32_t function_node(struct influence_table *t, const struct fr_inf_out *x)
{
	LLVMValueRef fn = (LLVMValueRef)x->ref;
	LLVMLinkage l = LLVMGetLinkage(fn);
	unsigned flags = l == LLVMInternalLinkage || l == LLVMPrivateLinkage ? FR_NODE_INTERNAL : 0;
	size_t n;

	if (x->kind == FR_NODE_CALLED && fr_map_get(&t->k->defined, x->ref))
		flags |= FR_NODE_DEFINED;
	if (x->kind == FR_NODE_PARAM && LLVMIsAFunction(fn) && x->arg >= LLVMCountParams(fn))
		flags |= FR_NODE_VARIADIC;
	return add(t, x->kind, fr_site_string(t->u->sites, LLVMGetValueName2(fn, &n)), x->arg,
		   flags);
}

/* The node of anything but EXECUTE, which may be several. UINT32_MAX: a VALUE without a site. */
static uint32_t node_of(struct influence_table *t, const struct fr_inf_out *x)
{
	uint32_t site;

	switch (x->kind) {
	case FR_NODE_VALUE:
		site = site_of(t, x->ref, true);
		return site == UINT32_MAX ? UINT32_MAX : add(t, FR_NODE_VALUE, site, 0, 0);
	case FR_NODE_PARAM:
	case FR_NODE_RESULT:
	case FR_NODE_CALLED:
		return function_node(t, x);
	case FR_NODE_JOIN:
		fr_vec_push(&t->node, ((struct fr_site_node){.kind = FR_NODE_JOIN}));
		return (uint32_t)t->node.n - 1;
	default:
		fr_assert(x->kind == FR_NODE_BRANCH || x->kind == FR_NODE_USED);
		return add(t, x->kind, x->ref ? site_of(t, x->ref, false) : FR_NODE_NOWHERE, x->arg,
			   0);
	}
}

static bool is_sink(const struct fr_site_node *x)
{
	return x->kind == FR_NODE_BRANCH || x->kind == FR_NODE_USED;
}

/* Adds an influence. The sinks of all lines on which the value is also read are one. */
static void link(struct influence_table *t, uint32_t from, uint32_t to, unsigned where)
{
	const struct fr_site_node *a = &t->node.v[from], *b = &t->node.v[to];

	fr_assert(from < t->node.n && to < t->node.n);
	if (is_sink(b) && a->kind == FR_NODE_VALUE && b->of != FR_NODE_NOWHERE &&
	    fr_site_same_line(t->u->sites, a->of, b->of))
		to = add(t, b->kind, FR_NODE_NOWHERE, b->arg, 0);
	if (from != to)
		fr_vec_push(&t->link, ((struct fr_inf_link){from, to, (uint8_t)where}));
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Influences on the execution of sites first ... end - 1. */
static void link_range(struct influence_table *t, uint32_t from, uint32_t first, uint32_t end)
{
	while (first < end) {
		uint32_t n = fr_min(end - first, (uint32_t)UINT16_MAX + 1);

		link(t, from, add(t, FR_NODE_EXECUTE, first, n - 1, 0), 0);
		first += n;
	}
}

static void link_execute(struct influence_table *t, uint32_t from, const struct fr_inf_out *x)
{
	const uint64_t *range = fr_map_get(&t->k->ranges, x->ref);
	const uint64_t *part = fr_map_get(&t->k->blocks, x->ref);
	struct fr_inf_part p = part ? t->k->part.v[*part - 1] : (struct fr_inf_part){0};
	FR_VEC(uint32_t) site = {0};

	if (fr_map_get(&t->torn, x->ref))
		link(t, from, add(t, FR_NODE_BRANCH, FR_NODE_NOWHERE, 0, 0), 0);
	if (range)
		link_range(t, from, (uint32_t)*range, (uint32_t)(*range >> 32));
	for (size_t i = p.first; i < p.first + p.n; i++) {
		uint32_t s = site_of(t, t->k->key.v[i], false);

		if (s != UINT32_MAX)
			fr_vec_push(&site, s);
	}
	if (site.n)
		qsort(site.v, site.n, sizeof(*site.v), by_number);
	for (size_t i = 0, j; i < site.n; i = j) {
		for (j = i + 1; j < site.n && site.v[j] <= site.v[j - 1] + 1; j++)
			;
		link_range(t, from, site.v[i], site.v[j - 1] + 1);
	}
	fr_vec_free(&site);
}

static void link_all(struct influence_table *t)
{
	uint32_t *of = fr_xcalloc(t->k->out.n + 1, sizeof(*of));

	for (size_t i = 0; i < t->k->out.n; i++)
		of[i] = t->k->out.v[i].kind == FR_NODE_EXECUTE ? UINT32_MAX
							       : node_of(t, &t->k->out.v[i]);
	FR_VEC_FOREACH (e, &t->k->link) {
		const struct fr_inf_out *to = &t->k->out.v[e->to];

		if (of[e->from] == UINT32_MAX)
			continue; /* the read matters anyway */
		if (to->kind == FR_NODE_EXECUTE)
			link_execute(t, of[e->from], to);
		else if (of[e->to] == UINT32_MAX ||
			 (to->kind == FR_NODE_VALUE && !e->where && writes(to->ref) &&
			  *fr_map_get(&t->fixed, t->node.v[of[e->to]].of) != 2))
			link(t, of[e->from],
			     add(t, FR_NODE_USED, site_of(t, to->ref, false), FR_USE_STORED, 0), 0);
		else
			link(t, of[e->from], of[e->to], e->where);
	}
	free(of);
}

/* ---- recursion ---- */

/* A function that may call itself may not end: removes functions that call no remaining one. */
static void judge_recursion(struct influence_table *t)
{
	uint32_t *calls = fr_xcalloc(t->node.n + 1, sizeof(*calls));
	bool *gone = fr_xcalloc(t->node.n + 1, sizeof(*gone));
	size_t n = t->link.n;
	bool more = true;

	while (more) {
		more = false;
		memset(calls, 0, (t->node.n + 1) * sizeof(*calls));
		for (size_t i = 0; i < n; i++) {
			const struct fr_inf_link *l = &t->link.v[i];

			if (t->node.v[l->from].kind == FR_NODE_CALLED &&
			    t->node.v[l->to].kind == FR_NODE_CALLED && !gone[l->to])
				calls[l->from]++;
		}
		for (size_t x = 0; x < t->node.n; x++)
			if (t->node.v[x].kind == FR_NODE_CALLED && !gone[x] && !calls[x])
				gone[x] = more = true;
	}
	n = t->node.n;
	for (size_t x = 0; x < n; x++)
		if (t->node.v[x].kind == FR_NODE_CALLED && !gone[x])
			link(t, (uint32_t)x, add(t, FR_NODE_BRANCH, FR_NODE_NOWHERE, 0, 0), 0);
	free(calls);
	free(gone);
}

/* ---- the table ---- */

static int by_source(const void *a, const void *b)
{
	const struct fr_inf_link *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->where > y->where) - (x->where < y->where);
}

/* Sorts the influences, and keeps each once; of a node that influences a sink, only that. */
static void sort_links(struct influence_table *t)
{
	size_t n = 0;

	if (t->link.n)
		qsort(t->link.v, t->link.n, sizeof(*t->link.v), by_source);
	for (size_t i = 0, j; i < t->link.n; i = j) {
		const struct fr_inf_link *sink = NULL;

		for (j = i; j < t->link.n && t->link.v[j].from == t->link.v[i].from; j++)
			if (!sink && is_sink(&t->node.v[t->link.v[j].to]))
				sink = &t->link.v[j];
		if (sink) {
			struct fr_inf_link only = *sink;

			t->link.v[n++] = only;
			continue;
		}
		for (size_t k = i; k < j; k++)
			if (k == i || by_source(&t->link.v[k], &t->link.v[k - 1]))
				t->link.v[n++] = t->link.v[k];
	}
	t->link.n = n;
}

/* Does the node say something, though nothing influences it and it influences nothing? */
static bool is_needed(const struct influence_table *t, const struct fr_site_node *x)
{
	if (x->kind == FR_NODE_CALLED)
		return x->flags & FR_NODE_DEFINED;
	return x->kind == FR_NODE_VALUE && fr_site_access(t->u->sites, x->of) & FR_SITE_READ;
}

static void write_table(struct influence_table *t)
{
	uint32_t *number = fr_xcalloc(t->node.n + 1, sizeof(*number)); /* + 1; 0: left out */
	FR_VEC(struct fr_site_node) node = {0};
	FR_VEC(uint32_t) influence = {0};
	size_t at = 0;

	FR_VEC_FOREACH (l, &t->link)
		number[l->from] = number[l->to] = 1;
	for (size_t x = 0; x < t->node.n; x++)
		if (number[x] || is_needed(t, &t->node.v[x])) {
			fr_vec_push(&node, t->node.v[x]);
			number[x] = (uint32_t)node.n;
		}
	for (size_t x = 0; x < t->node.n; x++) {
		if (!number[x])
			continue;
		node.v[number[x] - 1].first = (uint32_t)influence.n;
		for (; at < t->link.n && t->link.v[at].from == x; at++)
			fr_vec_push(&influence, (number[t->link.v[at].to] - 1) |
						    (uint32_t)t->link.v[at].where << 24);
	}
	fr_assert(at == t->link.n);
	if (node.n <= FR_NODE_MAX)
		fr_site_graph(t->u->sites, node.v, node.n, influence.v, influence.n);
	t->u->count[FR_PC_nodes] += node.n;
	t->u->count[FR_PC_influences] += influence.n;
	fr_vec_free(&node);
	fr_vec_free(&influence);
	free(number);
}

void fr_influence_finish(struct fr_pass_unit *u)
{
	struct influence_table t = {.u = u, .k = u->influence};

	judge_sites(&t);
	link_all(&t);
	judge_recursion(&t);
	sort_links(&t);
	write_table(&t);
	fr_vec_free(&t.node);
	fr_vec_free(&t.link);
	fr_map_free(&t.id);
	fr_map_free(&t.fixed);
	fr_map_free(&t.torn);
}
