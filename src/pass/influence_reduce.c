/*
 * Puts the graph of a function into that of the unit: keeps only nodes that mean something outside
 * the function, and joins where many influences meet.
 *
 * A node from which inner nodes lead to a BRANCH or USED keeps one influence, on the nearest of
 * them: everything that the value can do after that is included. Of the other inner nodes, those
 * with several influences in and out become a JOIN; the rest is bypassed.
 */
#include "base/assert.h"
#include "influence.h"

struct reduce {
	struct fr_inf *g;
	uint32_t n;
	uint32_t *out_at, *out; /* edges by their source: out[out_at[x]] ... are edge numbers */
	uint32_t *in_at, *in;
	uint32_t *sink; /* by node: the sink that it reaches, or FR_INF_INNER */
	bool *live;	/* inner nodes between a source and a target */
	uint32_t *stamp, now;
	FR_VEC(uint32_t) todo;
};

static bool is_sink(const struct reduce *r, uint32_t x, unsigned *kind)
{
	uint32_t out = r->g->node.v[x].out;

	*kind = out == FR_INF_INNER ? FR_NODE_JOIN : fr_inf_kind(r->g->u, out);
	return *kind == FR_NODE_BRANCH || *kind == FR_NODE_USED;
}

static bool is_inner(const struct reduce *r, uint32_t x)
{
	return r->g->node.v[x].out == FR_INF_INNER;
}

static void sort_edges(struct reduce *r)
{
	struct fr_inf *g = r->g;

	r->out_at = fr_xcalloc(r->n + 2, sizeof(uint32_t));
	r->in_at = fr_xcalloc(r->n + 2, sizeof(uint32_t));
	r->out = fr_xcalloc(g->edge.n + 1, sizeof(uint32_t));
	r->in = fr_xcalloc(g->edge.n + 1, sizeof(uint32_t));
	FR_VEC_FOREACH (e, &g->edge) {
		fr_assert(e->from < r->n && e->to < r->n);
		r->out_at[e->from + 2]++;
		r->in_at[e->to + 2]++;
	}
	for (uint32_t x = 2; x < r->n + 2; x++) {
		r->out_at[x] += r->out_at[x - 1];
		r->in_at[x] += r->in_at[x - 1];
	}
	for (uint32_t i = 0; i < g->edge.n; i++) {
		r->out[r->out_at[g->edge.v[i].from + 1]++] = i;
		r->in[r->in_at[g->edge.v[i].to + 1]++] = i;
	}
}

/* Finds for each node the nearest sink, backwards from the sinks through inner nodes. */
static void find_sinks(struct reduce *r)
{
	unsigned kind;

	for (unsigned want = FR_NODE_BRANCH; want <= FR_NODE_USED; want++)
		for (uint32_t x = 0; x < r->n; x++)
			if (is_sink(r, x, &kind) && kind == want) {
				r->sink[x] = x;
				fr_vec_push(&r->todo, x);
			}
	for (size_t k = 0; k < r->todo.n; k++) {
		uint32_t x = r->todo.v[k];

		for (uint32_t i = r->in_at[x]; i < r->in_at[x + 1]; i++) {
			const struct fr_inf_edge *e = &r->g->edge.v[r->in[i]];

			if (r->sink[e->from] != FR_INF_INNER)
				continue;
			r->sink[e->from] = r->sink[x];
			if (is_inner(r, e->from))
				fr_vec_push(&r->todo, e->from);
		}
	}
	r->todo.n = 0;
}

/* Inner nodes that a source reaches, and that reach a target; without those that reach a sink. */
static void find_live(struct reduce *r)
{
	bool *back = fr_xcalloc(r->n + 1, sizeof(bool));

	for (unsigned forward = 0; forward < 2; forward++) {
		const uint32_t *at = forward ? r->out_at : r->in_at,
			       *list = forward ? r->out : r->in;
		bool *mark = forward ? r->live : back;

		r->todo.n = 0;
		for (uint32_t x = 0; x < r->n; x++)
			if (!is_inner(r, x) && r->sink[x] == FR_INF_INNER)
				fr_vec_push(&r->todo, x);
		for (size_t k = 0; k < r->todo.n; k++)
			for (uint32_t i = at[r->todo.v[k]]; i < at[r->todo.v[k] + 1]; i++) {
				const struct fr_inf_edge *e = &r->g->edge.v[list[i]];
				uint32_t y = forward ? e->to : e->from;

				if (!is_inner(r, y) || mark[y] || r->sink[y] != FR_INF_INNER ||
				    (forward && !back[y]))
					continue;
				mark[y] = true;
				fr_vec_push(&r->todo, y);
			}
	}
	r->todo.n = 0;
	free(back);
}

/* The number of live nodes next to this one. */
static unsigned degree(const struct reduce *r, uint32_t x, bool out)
{
	const uint32_t *at = out ? r->out_at : r->in_at, *list = out ? r->out : r->in;
	uint32_t last = FR_INF_INNER;
	unsigned n = 0;

	for (uint32_t i = at[x]; i < at[x + 1] && n < 2; i++) {
		const struct fr_inf_edge *e = &r->g->edge.v[list[i]];
		uint32_t y = out ? e->to : e->from;

		if (y == x || y == last || (is_inner(r, y) && !r->live[y]) ||
		    (!out && r->sink[y] != FR_INF_INNER))
			continue;
		last = y;
		n++;
	}
	return n;
}

static void make_joins(struct reduce *r)
{
	FR_VEC(uint32_t) joins = {0};

	for (uint32_t x = 0; x < r->n; x++)
		if (is_inner(r, x) && r->live[x] && degree(r, x, false) > 1 &&
		    degree(r, x, true) > 1)
			fr_vec_push(&joins, x);
	FR_VEC_FOREACH (x, &joins)
		r->g->node.v[*x].out = fr_inf_join(r->g->u);
	fr_vec_free(&joins);
}

static void emit(struct reduce *r, uint32_t from, const struct fr_inf_edge *e)
{
	struct fr_inf *g = r->g;
	uint32_t to = g->node.v[e->to].out;
	size_t n = fr_inf_edge(g->u, g->node.v[from].out, to, e->where);

	if (e->write)
		fr_inf_near(g->u, g->f->fn, n, e->read, e->write);
}

/* All nodes of the unit that this one influences, through inner nodes. */
static void influences(struct reduce *r, uint32_t from)
{
	struct fr_inf *g = r->g;

	if (r->sink[from] != FR_INF_INNER) {
		if (r->sink[from] != from)
			fr_inf_edge(g->u, g->node.v[from].out, g->node.v[r->sink[from]].out, 0);
		return;
	}
	r->now++;
	r->todo.n = 0;
	fr_vec_push(&r->todo, from);
	for (size_t k = 0; k < r->todo.n; k++)
		for (uint32_t i = r->out_at[r->todo.v[k]]; i < r->out_at[r->todo.v[k] + 1]; i++) {
			const struct fr_inf_edge *e = &g->edge.v[r->out[i]];

			if (!is_inner(r, e->to)) {
				if (e->to != from)
					emit(r, from, e);
			} else if (r->live[e->to] && r->stamp[e->to] != r->now) {
				r->stamp[e->to] = r->now;
				fr_vec_push(&r->todo, e->to);
			}
		}
}

void fr_inf_reduce(struct fr_inf *g)
{
	struct reduce r = {.g = g, .n = (uint32_t)g->node.n};

	sort_edges(&r);
	r.sink = fr_xcalloc(r.n + 1, sizeof(*r.sink));
	r.live = fr_xcalloc(r.n + 1, sizeof(*r.live));
	r.stamp = fr_xcalloc(r.n + 1, sizeof(*r.stamp));
	for (uint32_t x = 0; x < r.n; x++)
		r.sink[x] = FR_INF_INNER;
	find_sinks(&r);
	find_live(&r);
	make_joins(&r);
	for (uint32_t x = 0; x < r.n; x++)
		if (!is_inner(&r, x))
			influences(&r, x);
	fr_vec_free(&r.todo);
	free(r.out_at);
	free(r.in_at);
	free(r.out);
	free(r.in);
	free(r.sink);
	free(r.live);
	free(r.stamp);
}
