/* Walks the states: a list that grows, a hash table that finds the ones seen before. */
#include "brute_rules.h"
#include <string.h>

struct from {
	uint32_t state;
	fr_ev step;
};

struct brute {
	struct brute_rules r;
	FR_VEC(struct brute_state) state;
	FR_VEC(struct from) from; /* how each was reached first */
	uint32_t *table;	  /* index + 1 */
	size_t cap;
	bool complete;
	fr_ev cut, end;
	bool pair[BRUTE_EVENTS][BRUTE_EVENTS];
};

/* All the states in which it can be by now: they differ in the woken thread. */
struct brute_walk {
	struct brute_rules r;
	struct brute_state now[1 << BRUTE_THREADS];
	unsigned n;
};

static uint64_t hash(const struct brute_state *s)
{
	const unsigned char *p = (const unsigned char *)s;
	uint64_t h = 0, word;

	for (size_t i = 0; i < sizeof(*s); i += 8) {
		word = 0;
		memcpy(&word, p + i, sizeof(*s) - i < 8 ? sizeof(*s) - i : 8);
		h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

static uint32_t *slot(struct brute *b, const struct brute_state *s)
{
	size_t i = hash(s) & (b->cap - 1);

	while (b->table[i] && memcmp(&b->state.v[b->table[i] - 1], s, sizeof(*s)) != 0)
		i = (i + 1) & (b->cap - 1);
	return &b->table[i];
}

static void add(struct brute *b, const struct brute_state *s, size_t from, fr_ev step)
{
	uint32_t *at = slot(b, s);
	fr_ev next[BRUTE_THREADS];

	if (*at)
		return;
	fr_vec_push(&b->state, *s);
	fr_vec_push(&b->from, (struct from){(uint32_t)from, step});
	*at = (uint32_t)b->state.n;
	for (unsigned t = 0; t < b->r.m->nthreads; t++) {
		next[t] = brute_next(&b->r, s, t);
		for (unsigned u = 0; u < t; u++)
			if (next[t] != FR_NO_EV && next[u] != FR_NO_EV)
				b->pair[next[t]][next[u]] = b->pair[next[u]][next[t]] = true;
	}
	if (b->state.n * 2 < b->cap)
		return;
	free(b->table);
	b->cap *= 2;
	b->table = fr_xcalloc(b->cap, sizeof(*b->table));
	for (size_t i = 0; i < b->state.n; i++)
		*slot(b, &b->state.v[i]) = (uint32_t)i + 1;
}

/* The states after the recorded order up to the cut: they differ in the woken thread. */
static void start(struct brute *b)
{
	struct brute_walk *w = brute_walk_new(b->r.m);
	bool possible = true;

	w->r.what = b->r.what;
	for (fr_ev e = 0; e < b->cut && possible; e++)
		if (!(b->r.m->ev[e].flags & FR_F_PART))
			possible = brute_walk_step(w, e);
	for (unsigned i = 0; i < w->n && possible; i++)
		add(b, &w->now[i], 0, FR_NO_EV);
	brute_walk_free(w);
}

/* The parts that differ between explorations. */
struct how {
	const struct fr_candidate *what;
	bool blind;
	uint32_t relax;
	fr_ev fixed;
	const struct fr_mask *mask;
	fr_ev cut, end;
};

static struct brute *explore(const struct fr_model *m, const struct how *how, size_t max)
{
	struct brute *b = fr_xcalloc(1, sizeof(*b));
	struct brute_state next[BRUTE_NEXT];

	brute_rules_init(&b->r, m, how->what);
	b->r.blind = how->blind;
	b->r.relax = how->relax;
	b->r.fixed = how->fixed;
	b->r.mask = how->mask;
	b->r.cut = how->cut;
	b->cap = 1024;
	b->table = fr_xcalloc(b->cap, sizeof(*b->table));
	b->cut = how->cut;
	b->end = how->end;
	start(b);
	for (size_t i = 0; i < b->state.n && b->state.n <= max; i++) {
		for (unsigned t = 0; t < m->nthreads; t++) {
			struct brute_state s = b->state.v[i];
			fr_ev e = brute_next(&b->r, &s, t);
			unsigned n = e >= b->end ? 0 : brute_step(&b->r, &s, e, next);

			while (n)
				add(b, &next[--n], i, e);
		}
	}
	b->complete = b->state.n <= max;
	return b;
}

struct brute *brute_segment(const struct fr_model *m, const struct fr_candidate *what, fr_ev cut,
			    fr_ev end, size_t max)
{
	return explore(m, &(struct how){.what = what, .fixed = FR_NO_EV, .cut = cut, .end = end},
		       max);
}

struct brute *brute_blind(const struct fr_model *m, const struct fr_candidate *what, size_t max)
{
	return explore(
	    m, &(struct how){.what = what, .blind = true, .fixed = FR_NO_EV, .end = m->n}, max);
}

struct brute *brute_relaxed(const struct fr_model *m, const struct fr_candidate *what,
			    uint32_t relax, fr_ev fixed, size_t max)
{
	return explore(m, &(struct how){.what = what, .relax = relax, .fixed = fixed, .end = m->n},
		       max);
}

struct brute *brute_masked(const struct fr_model *m, const struct fr_mask *mask,
			   const struct fr_candidate *what, uint32_t relax, fr_ev cut, fr_ev end,
			   size_t max)
{
	return explore(m,
		       &(struct how){.what = what,
				     .relax = relax,
				     .fixed = FR_NO_EV,
				     .mask = mask,
				     .cut = cut,
				     .end = end},
		       max);
}

struct brute *brute_new(const struct fr_model *m, const struct fr_candidate *what, size_t max)
{
	return brute_segment(m, what, 0, m->n, max);
}

void brute_free(struct brute *b)
{
	if (!b)
		return;
	brute_rules_destroy(&b->r);
	fr_vec_free(&b->state);
	fr_vec_free(&b->from);
	free(b->table);
	free(b);
}

void brute_freep(struct brute **b)
{
	brute_free(*b);
}

bool brute_complete(const struct brute *b)
{
	return b->complete;
}

size_t brute_states(const struct brute *b)
{
	return b->state.n;
}

bool brute_pair(const struct brute *b, fr_ev x, fr_ev y)
{
	return b->pair[x][y];
}

static bool fits(const struct brute *b, const struct brute_state *s,
		 const struct fr_candidate *what)
{
	const struct fr_model *m = b->r.m;

	for (uint32_t i = 0; i < what->npending; i++)
		if (brute_next(&b->r, s, m->ev[what->pending[i]].thread) != what->pending[i])
			return false;
	for (uint32_t i = 0; i < what->nedges; i++) {
		fr_ev after = what->edge[i].after;

		if (!brute_done(&b->r, s, what->edge[i].before))
			return false;
		/* pending: the step whose head is the thread's next event */
		for (uint32_t k = 0; k < what->npending; k++)
			if (after != FR_NO_EV && what->pending[k] == fr_head(m, after))
				after = FR_NO_EV;
		if (after != FR_NO_EV && !brute_done(&b->r, s, after))
			return false;
	}
	return brute_sees(&b->r, s, what);
}

static void path(const struct brute *b, size_t i, struct fr_schedule *ret)
{
	ret->cut = b->cut;
	ret->step.n = 0;
	for (; b->from.v[i].step != FR_NO_EV; i = b->from.v[i].state)
		fr_vec_push(&ret->step, b->from.v[i].step);
	for (size_t k = 0; k < ret->step.n / 2; k++) {
		fr_ev e = ret->step.v[k];

		ret->step.v[k] = ret->step.v[ret->step.n - 1 - k];
		ret->step.v[ret->step.n - 1 - k] = e;
	}
}

bool brute_feasible(const struct brute *b, const struct fr_candidate *what, struct fr_schedule *ret)
{
	for (size_t i = 0; i < b->state.n; i++) {
		if (!fits(b, &b->state.v[i], what))
			continue;
		if (ret)
			path(b, i, ret);
		return true;
	}
	return false;
}

uint32_t brute_least(const struct brute *b, const struct fr_candidate *what)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < b->state.n; i++)
		if (b->state.v[i].differ < least && fits(b, &b->state.v[i], what))
			least = b->state.v[i].differ;
	return least;
}

struct brute_walk *brute_walk_new(const struct fr_model *m)
{
	struct brute_walk *w = fr_xcalloc(1, sizeof(*w));

	brute_rules_init(&w->r, m, NULL);
	w->n = 1;
	return w;
}

bool brute_walk_step(struct brute_walk *w, fr_ev head)
{
	struct brute_state next[BRUTE_NEXT], then[1 << BRUTE_THREADS];
	bool seen[1 << BRUTE_THREADS] = {false};
	unsigned nthen = 0;

	for (unsigned k = 0; k < w->n; k++) {
		unsigned n = brute_step(&w->r, &w->now[k], head, next);

		for (; n; n--) {
			if (seen[next[n - 1].woken])
				continue;
			seen[next[n - 1].woken] = true;
			then[nthen++] = next[n - 1];
		}
	}
	if (!nthen)
		return false;
	memcpy(w->now, then, sizeof(*then) * nthen);
	w->n = nthen;
	return true;
}

struct brute_walk *brute_walk_masked(const struct fr_model *m, const struct fr_mask *mask,
				     fr_ev cut)
{
	struct brute_walk *w = brute_walk_new(m);

	for (fr_ev e = 0; e < cut; e++) {
		if (!(m->ev[e].flags & FR_F_PART) && !brute_walk_step(w, e)) {
			brute_walk_free(w);
			return NULL;
		}
	}
	w->r.mask = mask;
	w->r.cut = cut;
	return w;
}

fr_ev brute_walk_next(const struct brute_walk *w, unsigned thread)
{
	return brute_next(&w->r, &w->now[0], thread);
}

bool brute_walk_sees(const struct brute_walk *w, const struct fr_candidate *what)
{
	return brute_sees(&w->r, &w->now[0], what);
}

void brute_walk_free(struct brute_walk *w)
{
	if (!w)
		return;
	brute_rules_destroy(&w->r);
	free(w);
}
