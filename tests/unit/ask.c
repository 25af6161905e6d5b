/* Candidates of random runs, found without anything clever. */
#include "ask.h"
#include "fixture.h"
#include <stdio.h>

void ask_free(struct asked *a)
{
	fr_vec_free(&a->v);
}

struct ask_tools ask_tools_new(const struct fr_model *m)
{
	struct ask_tools t = {.m = m, .c = fr_causality_new(m)};

	t.refuter = fr_refuter_new(m, t.c);
	t.sync = fr_sync_new(m, t.c);
	t.hybrid = fr_hybrid_new(m, t.c);
	t.checker = fr_checker_new(m);
	return t;
}

void ask_tools_free(struct ask_tools *t)
{
	fr_refuter_free(t->refuter);
	fr_sync_free(t->sync);
	fr_hybrid_free(t->hybrid);
	fr_checker_free(t->checker);
	fr_causality_free(t->c);
}

void ask_print(const struct fr_candidate *c)
{
	fprintf(stderr, "pending:");
	for (uint32_t i = 0; i < c->npending; i++)
		fprintf(stderr, " %u", c->pending[i]);
	for (uint32_t i = 0; i < c->nedges; i++)
		fprintf(stderr, ", %u before %u", c->edge[i].before, c->edge[i].after);
	if (c->sees.on && c->sees.write == FR_NO_EV)
		fprintf(stderr, ", %u sees the start", c->sees.read);
	else if (c->sees.on)
		fprintf(stderr, ", %u sees %u", c->sees.read, c->sees.write);
	fprintf(stderr, "\n");
}

static bool conflict(const struct fr_mev *a, const struct fr_mev *b)
{
	return fr_is_access(a) && fr_is_access(b) && a->thread != b->thread && a->obj == b->obj &&
	       a->mask & b->mask && (a->op == FR_OP_WRITE || b->op == FR_OP_WRITE);
}

void ask_races(const struct fr_model *m, struct asked *ret)
{
	for (fr_ev b = 0; b < m->n; b++)
		for (fr_ev a = 0; a < b; a++)
			if (conflict(&m->ev[a], &m->ev[b]))
				fr_vec_push(
				    &ret->v,
				    (struct fr_candidate){
					.npending = 2, .pending = {fr_head(m, a), fr_head(m, b)}});
}

void ask_near_races(const struct fr_model *m, unsigned n, uint64_t *random, struct asked *ret)
{
	for (; n; n--) {
		fr_ev a = (fr_ev)(fx_random(random) % m->n), b = a + 1;

		b += (fr_ev)(fx_random(random) % 64);
		while (b < m->n && !conflict(&m->ev[a], &m->ev[b]))
			b++;
		if (b < m->n)
			fr_vec_push(&ret->v,
				    (struct fr_candidate){
					.npending = 2, .pending = {fr_head(m, a), fr_head(m, b)}});
	}
}

void ask_frees(const struct fr_model *m, struct asked *ret)
{
	for (fr_ev f = 0; f < m->n; f++)
		for (fr_ev e = 0; e < f && m->ev[f].op == FR_OP_FREE; e++)
			if (fr_is_access(&m->ev[e]) &&
			    m->cls[FR_C_LOC].obj[m->ev[e].obj].aux == m->ev[f].obj + 1)
				fr_vec_push(&ret->v,
					    (struct fr_candidate){.npending = 1,
								  .pending = {fr_head(m, e)},
								  .nedges = 1,
								  .edge = {{f, e}}});
}

/* Something that may have to wait for another thread for ever. */
static bool waits(const struct fr_mev *e)
{
	return e->op == FR_OP_ACQUIRE || e->op == FR_OP_ACQUIRE_SHARED || e->op == FR_OP_JOIN;
}

/* Does `wants` have to wait for the thread of e as long as that stands before e? */
static bool blocks(const struct fr_model *m, fr_ev e, const struct fr_mev *wants)
{
	int alone = 0, shared = 0;

	if (wants->op == FR_OP_JOIN)
		return wants->obj == m->ev[e].thread;
	for (fr_ev i = 0; i < e; i++) {
		const struct fr_mev *v = &m->ev[i];

		if (v->thread != m->ev[e].thread || fr_op_class[v->op] != FR_C_LOCK ||
		    v->obj != wants->obj)
			continue;
		alone += (v->op == FR_OP_ACQUIRE) - (v->op == FR_OP_RELEASE);
		shared += (v->op == FR_OP_ACQUIRE_SHARED) - (v->op == FR_OP_RELEASE_SHARED);
	}
	return alone || (shared && wants->op == FR_OP_ACQUIRE);
}

/* Goes on with a chain in which each blocks the one before, until it is closed. */
static void extend(const struct fr_model *m, struct fr_candidate *c, struct asked *ret)
{
	fr_ev last = c->pending[c->npending - 1];

	if (c->npending > 1 && blocks(m, c->pending[0], &m->ev[last]))
		fr_vec_push(&ret->v, *c);
	if (c->npending == 4)
		return;
	/* the first is the earliest, so that each cycle is found once */
	for (fr_ev e = c->pending[0] + 1; e < m->n; e++) {
		bool other = waits(&m->ev[e]);

		for (uint32_t i = 0; i < c->npending; i++)
			other &= m->ev[c->pending[i]].thread != m->ev[e].thread;
		if (!other || !blocks(m, e, &m->ev[last]))
			continue;
		c->pending[c->npending++] = e;
		extend(m, c, ret);
		c->npending--;
	}
}

void ask_deadlocks(const struct fr_model *m, struct asked *ret)
{
	for (fr_ev e = 0; e < m->n; e++)
		if (waits(&m->ev[e]))
			extend(m, &(struct fr_candidate){.npending = 1, .pending = {e}}, ret);
}

static fr_ev any(const struct fr_model *m, fr_ev cut, fr_ev end, uint64_t *random)
{
	(void)m;
	return cut + (fr_ev)(fx_random(random) % (end - cut));
}

static bool is_of(const struct fr_candidate *c, fr_ev head)
{
	for (uint32_t i = 0; i < c->npending; i++)
		if (c->pending[i] == head)
			return true;
	return false;
}

/* Adds events that must stay apart, sometimes: from the first event of an edge, or altogether. */
static void add_apart(const struct fr_model *m, fr_ev cut, fr_ev end, uint64_t *random,
		      struct fr_candidate *c)
{
	fr_ev first = c->nedges ? fr_head(m, c->edge[0].before) : FR_NO_EV;

	if (fx_random(random) % 3)
		return;
	c->first =
	    first != FR_NO_EV && !is_of(c, first) && fx_random(random) % 4 ? first : FR_NO_EV;
	for (fr_ev e = cut; e < end; e++)
		if (fx_random(random) % (end - cut) < 3 && c->napart < FR_APART &&
		    !(m->ev[e].flags & FR_F_PART) && !is_of(c, e) && e != c->first)
			c->apart[c->napart++] = e;
}

void ask_others(const struct fr_model *m, fr_ev cut, fr_ev end, unsigned n, uint64_t *random,
		struct asked *ret)
{
	for (; n && cut < end; n--) {
		struct fr_candidate c = {.nedges = fx_random(random) % 3};
		unsigned npending = 1 + fx_random(random) % 3;

		for (; npending; npending--) {
			fr_ev e = fr_head(m, any(m, cut, end, random));
			bool other = true;

			for (uint32_t i = 0; i < c.npending; i++)
				other &= m->ev[c.pending[i]].thread != m->ev[e].thread;
			if (other)
				c.pending[c.npending++] = e;
		}
		for (uint32_t i = 0; i < c.nedges; i++) {
			c.edge[i].before = any(m, cut, end, random);
			c.edge[i].after = any(m, cut, end, random);
			if (c.edge[i].before == c.edge[i].after)
				c.edge[i].before = cut;
		}
		add_apart(m, cut, end, random, &c);
		fr_vec_push(&ret->v, c);
	}
}

/* Adds a target or an edge, sometimes. */
static void add_more(const struct fr_model *m, uint64_t *random, struct fr_candidate *c)
{
	fr_ev e = fr_head(m, any(m, 0, m->n, random));

	if (fx_random(random) % 4 == 0 && m->ev[e].thread != m->ev[c->pending[0]].thread)
		c->pending[c->npending++] = e;
	if (fx_random(random) % 4)
		return;
	c->edge[0].before = any(m, 0, m->n, random);
	c->edge[0].after = fx_random(random) % 2 ? c->sees.read : any(m, 0, m->n, random);
	c->nedges = c->edge[0].before != c->edge[0].after;
}

void ask_sees(const struct fr_model *m, unsigned n, uint64_t *random, struct asked *ret)
{
	size_t first = ret->v.n;

	for (fr_ev r = 0; r < m->n; r++) {
		for (fr_ev w = 0; w <= m->n && m->ev[r].op == FR_OP_READ; w++) {
			struct fr_candidate c = {.npending = 1, .pending = {fr_head(m, r)}};

			if (w < m->n &&
			    (m->ev[w].op != FR_OP_WRITE || m->ev[w].obj != m->ev[r].obj ||
			     !(m->ev[w].mask & m->ev[r].mask)))
				continue;
			c.sees.on = true;
			c.sees.read = r;
			c.sees.write = w < m->n ? w : FR_NO_EV;
			add_more(m, random, &c);
			fr_vec_push(&ret->v, c);
		}
	}
	for (; ret->v.n > first + n; ret->v.n--) /* leaves any n of them */
		ret->v.v[first + fx_random(random) % (ret->v.n - first)] = ret->v.v[ret->v.n - 1];
}

static uint32_t nth(const struct fr_model *m, fr_ev e)
{
	uint32_t n = 0;

	for (fr_ev i = 0; i < e; i++)
		n += m->ev[i].site == m->ev[e].site;
	return n;
}

static fr_ev find(const struct fr_model *m, uint32_t site, uint32_t n)
{
	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].site == site && !n--)
			return e;
	return FR_NO_EV;
}

void ask_name(const struct fr_model *m, const struct fr_candidate *c, struct ask_name *ret)
{
	ret->npending = c->npending;
	ret->nedges = c->nedges;
	for (uint32_t i = 0; i < c->npending; i++) {
		ret->pending[i].site = m->ev[c->pending[i]].site;
		ret->pending[i].nth = nth(m, c->pending[i]);
	}
	for (uint32_t i = 0; i < c->nedges; i++) {
		ret->edge[i][0].site = m->ev[c->edge[i].before].site;
		ret->edge[i][0].nth = nth(m, c->edge[i].before);
		ret->edge[i][1].site = m->ev[c->edge[i].after].site;
		ret->edge[i][1].nth = nth(m, c->edge[i].after);
	}
	ret->sees = c->sees.on;
	ret->initial = c->sees.write == FR_NO_EV;
	if (ret->sees) {
		ret->read.site = m->ev[c->sees.read].site;
		ret->read.nth = nth(m, c->sees.read);
	}
	if (ret->sees && !ret->initial) {
		ret->write.site = m->ev[c->sees.write].site;
		ret->write.nth = nth(m, c->sees.write);
	}
}

bool ask_find(const struct fr_model *m, const struct ask_name *n, struct fr_candidate *ret)
{
	*ret = (struct fr_candidate){.npending = n->npending, .nedges = n->nedges};
	for (uint32_t i = 0; i < n->npending; i++) {
		ret->pending[i] = find(m, n->pending[i].site, n->pending[i].nth);
		if (ret->pending[i] == FR_NO_EV || m->ev[ret->pending[i]].flags & FR_F_PART)
			return false;
	}
	for (uint32_t i = 0; i < n->nedges; i++) {
		ret->edge[i].before = find(m, n->edge[i][0].site, n->edge[i][0].nth);
		ret->edge[i].after = find(m, n->edge[i][1].site, n->edge[i][1].nth);
		if (ret->edge[i].before == FR_NO_EV || ret->edge[i].after == FR_NO_EV)
			return false;
	}
	if (!n->sees)
		return true;
	ret->sees.on = true;
	ret->sees.read = find(m, n->read.site, n->read.nth);
	ret->sees.write = n->initial ? FR_NO_EV : find(m, n->write.site, n->write.nth);
	return ret->sees.read != FR_NO_EV && (n->initial || ret->sees.write != FR_NO_EV);
}

const struct fr_oracle_opt ask_precise = {
    .tier = FR_TIER_PRECISE, .per_candidate = 10, .check = true};

enum fr_answer ask_group(struct fr_oracle *o, const struct fr_group *g)
{
	enum fr_answer best = FR_INFEASIBLE;

	FR_VEC_FOREACH (in, &g->instance) {
		struct fr_decision v;

		fr_oracle_ask(o, &(*in)->what, &v);
		best = v.answer == FR_FEASIBLE	? FR_FEASIBLE
		       : best == FR_FEASIBLE	? best
		       : v.answer == FR_UNKNOWN ? FR_UNKNOWN
						: best;
		fr_decision_free(&v);
	}
	return best;
}
