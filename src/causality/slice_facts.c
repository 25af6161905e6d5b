/*
 * Adds facts of the recorded run to the graph of influences.
 *
 * The model leaves out memory of one thread, quiet phases, and accesses that the recorder dropped
 * because only one thread used the memory. A value that a free read changes must not get there: a
 * later read of it is not in the model, so no mask could demand its value. Therefore VALUE and
 * EXECUTE of a write site lead to a sink if
 * - the site has no WRITE in the model: it never executed, or wrote memory that is left out; or
 * - one of its WRITEs is in a location of which accesses are left out.
 * Some edges give the write's position relative to the read. If a READ has no such WRITE, the edge
 * leads to a sink.
 *
 * The recorder also drops reads at hot sites that repeat an earlier read. If it did, all read sites
 * of a location matter together.
 */
#include "base/assert.h"
#include "causality/slice_internal.h"

struct facts {
	const struct fr_model *m;
	struct fr_slice_graph *g;
	uint32_t nsites;
	bool *partial; /* of each location */
	uint8_t *seen; /* of each site: bits below */
};
#define SEEN_WRITE 1
#define SEEN_PARTIAL 2 /* a WRITE to a partial location */
#define SEEN_NEAR 4    /* has an edge with a distance */

/* May accesses be missing anywhere? The recorder writes the last accesses of a thread to its own
   memory at the latest when the program exits. */
static bool loses_accesses(const struct fr_trace *t)
{
	const uint64_t *n = t->run.counters;

	return !t->complete || t->run.signal || n[FR_RTC_forgotten] || n[FR_RTC_lost_signal] ||
	       n[FR_RTC_lost_stopped] || n[FR_RTC_lost_threads] || n[FR_RTC_lost_late];
}

static void find_partial(struct facts *f)
{
	const struct fr_mclass *k = &f->m->cls[FR_C_LOC];
	const struct fr_trace *t = f->m->trace;
	bool all = t && loses_accesses(t);

	f->partial = fr_xcalloc(k->n + 1, sizeof(*f->partial));
	for (uint32_t i = 0; i < k->n; i++)
		f->partial[i] = all || k->obj[i].count & FR_LOC_PARTIAL;
	for (fr_ev e = 0; e < f->m->n; e++)
		if (fr_is_access(&f->m->ev[e]) && f->m->ev[e].flags & FR_F_LATE)
			f->partial[f->m->ev[e].obj] = true;
}

static void see_events(struct facts *f)
{
	for (fr_ev e = 0; e < f->m->n; e++) {
		const struct fr_mev *v = &f->m->ev[e];

		if (v->op != FR_OP_WRITE || v->flags & FR_F_SYNTH)
			continue;
		f->seen[v->site] |= SEEN_WRITE | (f->partial[v->obj] ? SEEN_PARTIAL : 0);
	}
}

/* Makes a node lead to a sink. */
static void sink(struct facts *f, uint32_t node, uint32_t site)
{
	fr_slice_graph_edge(f->g, node, fr_slice_graph_node(f->g, FR_SLICE_MEMORY, site, 0), 0);
}

/* Writes into memory that is left out, and conditional writes to addresses that are not known. */
static void sink_writes(struct facts *f)
{
	size_t nodes = f->g->node.n;

	for (size_t i = 0; i < nodes; i++) {
		const struct fr_slice_node n = f->g->node.v[i];
		uint8_t seen = n.of < f->nsites ? f->seen[n.of] : 0;

		if ((n.kind != FR_SLICE_VALUE && n.kind != FR_SLICE_EXECUTE) ||
		    !(n.flags & FR_SLICE_WRITES))
			continue;
		if (!(seen & SEEN_WRITE) || seen & SEEN_PARTIAL ||
		    (n.kind == FR_SLICE_EXECUTE && !(n.flags & FR_SLICE_FIXED)))
			sink(f, (uint32_t)i, n.of);
	}
}

/* ---- edges from a read to the write near it ---- */

static bool is_read(const struct facts *f, uint32_t node)
{
	return f->g->node.v[node].kind == FR_SLICE_VALUE && f->g->node.v[node].of < f->nsites;
}

/* Values that flow to a write that does not always have the same address. */
static void sink_edges(struct facts *f)
{
	size_t edges = f->g->edge.n;

	for (size_t i = 0; i < edges; i++) {
		const struct fr_slice_edge e = f->g->edge.v[i];
		const struct fr_slice_node *to = &f->g->node.v[e.to];
		uint32_t site = to->of;

		if (to->kind != FR_SLICE_VALUE || !(to->flags & FR_SLICE_WRITES) ||
		    to->flags & FR_SLICE_FIXED)
			continue;
		if (!is_read(f, e.from) || !(e.how & (FR_SLICE_SAME | FR_SLICE_NEAR)))
			sink(f, e.from, site);
		else if (!(e.how & FR_SLICE_SAME))
			f->seen[f->g->node.v[e.from].of] |= SEEN_NEAR;
	}
}

/* Is there a WRITE of the site at this hook, among the events of the thread from index i on? */
static bool writes_at(const struct facts *f, const struct fr_mthread *t, const uint64_t *hooks,
		      uint32_t i, uint64_t hook, uint32_t site)
{
	for (; i < t->n && hooks[i] <= hook; i++) {
		const struct fr_mev *e = &f->m->ev[t->ev[i]];

		if (hooks[i] == hook && e->op == FR_OP_WRITE && e->site == site &&
		    !(e->flags & FR_F_SYNTH))
			return true;
	}
	return false;
}

/* The edges with a distance, by the site of the read. */
struct near_edge {
	uint32_t edge, next; /* next: + 1 */
	bool failed;
};
struct near_edges {
	struct fr_map first; /* site -> index into `v` + 1 */
	FR_VEC(struct near_edge) v;
};

static void check_thread(struct facts *f, struct near_edges *near, const struct fr_mthread *t)
{
	struct fr_hooks_cursor c = {.h = &t->hooks};
	uint64_t *hooks = fr_xmalloc((t->n + 1) * sizeof(*hooks));

	fr_assert(t->hooks.n == t->n);
	for (uint32_t i = 0; i < t->n; i++)
		hooks[i] = fr_hooks_next(&c);
	for (uint32_t i = 0; i < t->n; i++) {
		const struct fr_mev *e = &f->m->ev[t->ev[i]];
		const uint64_t *at;

		if (e->op != FR_OP_READ || !(f->seen[e->site] & SEEN_NEAR))
			continue;
		at = fr_map_get(&near->first, e->site);
		for (uint64_t k = at ? *at : 0; k; k = near->v.v[k - 1].next) {
			const struct fr_slice_edge *x = &f->g->edge.v[near->v.v[k - 1].edge];
			uint64_t hook = hooks[i] + (x->how & FR_SLICE_NEAR);

			near->v.v[k - 1].failed |=
			    !writes_at(f, t, hooks, i, hook, f->g->node.v[x->to].of);
		}
	}
	free(hooks);
}

static void check_near(struct facts *f)
{
	struct near_edges near = {0};

	for (uint32_t i = 0; i < f->g->edge.n; i++) {
		const struct fr_slice_edge *e = &f->g->edge.v[i];
		const struct fr_slice_node *to = &f->g->node.v[e->to];
		uint64_t *at;

		if (!(e->how & FR_SLICE_NEAR) || e->how & FR_SLICE_SAME || !is_read(f, e->from) ||
		    to->flags & FR_SLICE_FIXED)
			continue;
		at = fr_map_put(&near.first, f->g->node.v[e->from].of);
		fr_vec_push(&near.v, ((struct near_edge){.edge = i, .next = (uint32_t)*at}));
		*at = near.v.n;
	}
	for (uint32_t t = 0; t < f->m->nthreads && near.v.n; t++)
		check_thread(f, &near, &f->m->thread[t]);
	FR_VEC_FOREACH (x, &near.v)
		if (x->failed) {
			const struct fr_slice_edge e = f->g->edge.v[x->edge];

			sink(f, e.from, f->g->node.v[e.to].of);
		}
	fr_vec_free(&near.v);
	fr_map_free(&near.first);
}

/* ---- reads that the recorder dropped ---- */

/* Ties a read site to the others of its location. A site without a node matters always. */
static void tie(struct facts *f, uint32_t join, uint32_t site)
{
	uint32_t node = fr_slice_graph_find(f->g, FR_SLICE_VALUE, site, 0);

	if (node == UINT32_MAX) {
		node = fr_slice_graph_node(f->g, FR_SLICE_VALUE, site, 0);
		fr_slice_graph_edge(f->g, node, fr_slice_graph_node(f->g, FR_SLICE_USED, site, 0),
				    0);
	}
	fr_slice_graph_edge(f->g, node, join, 0);
	fr_slice_graph_edge(f->g, join, node, 0);
}

/* Joins the read sites of each location: a read that is in the model stands for reads at other
   sites that repeat it. */
static void join_repeats(struct facts *f)
{
	const struct fr_mclass *k = &f->m->cls[FR_C_LOC];
	struct fr_map tied = {0};

	for (uint32_t i = 0; i < k->n; i++) {
		uint32_t join = fr_slice_graph_node(f->g, FR_SLICE_JOIN, 0, 0);

		for (uint32_t j = k->first[i]; j < k->first[i + 1]; j++) {
			const struct fr_mev *e = &f->m->ev[k->list[j]];

			if (e->op != FR_OP_READ || fr_map_get(&tied, (uint64_t)i << 32 | e->site))
				continue;
			*fr_map_put(&tied, (uint64_t)i << 32 | e->site) = 1;
			tie(f, join, e->site);
		}
	}
	fr_map_free(&tied);
}

void fr_slice_facts(const struct fr_model *m, uint32_t nsites, struct fr_slice_graph *g)
{
	struct facts f = {.m = m, .g = g, .nsites = nsites};

	f.seen = fr_xcalloc(nsites + 1, 1);
	find_partial(&f);
	see_events(&f);
	if (m->trace && m->trace->run.counters[FR_RTC_dropped_repeat])
		join_repeats(&f);
	sink_writes(&f);
	sink_edges(&f);
	check_near(&f);
	free(f.partial);
	free(f.seen);
}
