/*
 * Two events that could meet, by places: meeting.h. What is kept of a pair of places is bounded,
 * and so is the number of pairs: random runs have as many as accesses.
 */
#include "anomaly/meeting.h"

#define GROUPS_MAX 200000 /* that are looked for */
#define MANY_GROUPS 20000 /* beyond it, fewer instances of each */
#define NEAR 256	  /* events apart, or fewer */

/* How far apart, roughly: all that are near are as near as each other. */
static uint32_t apart(const struct fr_meeting *x)
{
	fr_ev d = x->b - x->a;

	return d < NEAR ? 0 : 32 - (uint32_t)__builtin_clz(d);
}

/* Nearer is better, then earlier in the run: what has to be replayed is shorter. */
static bool worse(const struct fr_meeting *x, const struct fr_meeting *y)
{
	uint32_t dx = apart(x), dy = apart(y);

	return dx != dy ? dx > dy : x->b > y->b;
}

/* Which is the worst, and is every context there once? */
static void look_over(struct fr_meeting_pair *p)
{
	p->worst = 0;
	p->distinct = true;
	for (uint8_t i = 1; i < p->n; i++) {
		if (worse(&p->inst[i], &p->inst[p->worst]))
			p->worst = i;
		for (uint8_t k = 0; k < i; k++)
			p->distinct &= p->inst[i].context != p->inst[k].context;
	}
}

/* Nearest first matters, and different threads and locks do. */
static void keep(const struct fr_model *m, struct fr_meeting_pair *p, const struct fr_meeting *w)
{
	struct fr_meeting *same = NULL, *twice = NULL, *far = NULL;

	p->seen++;
	for (uint32_t i = 0; i < p->n; i++) {
		struct fr_meeting *x = &p->inst[i];

		if (fr_head(m, x->a) == fr_head(m, w->a) && fr_head(m, x->b) == fr_head(m, w->b))
			return;
		if (x->context == w->context && (!same || worse(x, same)))
			same = x;
		if (!far || worse(x, far))
			far = x;
		for (uint32_t k = 0; k < p->n; k++)
			if (k != i && p->inst[k].context == x->context &&
			    (!twice || worse(x, twice)))
				twice = x;
	}
	if (p->n < FR_INSTANCES)
		p->inst[p->n++] = *w;
	else if (!same && twice)
		*twice = *w;
	else if (same && worse(same, w))
		*same = *w;
	else if (!same && worse(far, w))
		*far = *w;
	else
		return;
	look_over(p);
}

static struct fr_meeting_pair *pair_of(struct fr_meetings *x, const struct fr_meeting *w, bool make)
{
	uint32_t p = x->m->ev[w->a].site, q = x->m->ev[w->b].site;
	uint64_t key = p < q ? (uint64_t)p << 32 | q : (uint64_t)q << 32 | p;
	uint64_t *at = fr_map_get(&x->index, key);

	if (at)
		return &x->pair.v[*at - 1];
	if (!make || x->pair.n >= GROUPS_MAX)
		return NULL;
	fr_vec_push(&x->pair, (struct fr_meeting_pair){.site = {p < q ? p : q, p < q ? q : p}});
	*fr_map_put(&x->index, key) = x->pair.n;
	return &x->pair.v[x->pair.n - 1];
}

/* Would it be of no use to keep this one? */
static bool no_better(const struct fr_meeting_pair *p, const struct fr_meeting *w)
{
	bool same = p->distinct; /* then one is as good as the other */

	if (p->n < FR_INSTANCES || worse(&p->inst[p->worst], w))
		return false;
	for (uint32_t i = 0; i < p->n && !same; i++)
		same = p->inst[i].context == w->context;
	return same;
}

bool fr_meetings_wants(struct fr_meetings *x, const struct fr_meeting *w)
{
	struct fr_meeting_pair *p = pair_of(x, w, false);

	if (!p || !no_better(p, w))
		return true;
	p->seen++;
	return false;
}

bool fr_meetings_add(struct fr_meetings *x, const struct fr_meeting *w)
{
	struct fr_meeting_pair *p = pair_of(x, w, true);

	if (p)
		keep(x->m, p, w);
	return p;
}

static int by_distance(const void *a, const void *b)
{
	return worse(a, b) - worse(b, a);
}

static void write_group(const struct fr_model *m, struct fr_meeting_pair *p, uint32_t most,
			struct fr_groups *ret)
{
	struct fr_group g = {.key = fr_mix(p->site[0], p->site[1]), .instances_seen = p->seen};

	qsort(p->inst, p->n, sizeof(*p->inst), by_distance);
	for (uint32_t i = 0; i < fr_min(p->n, most); i++) {
		struct fr_instance *in = fr_instance_new(2);

		in->what.npending = 2;
		in->what.pending[0] = fr_head(m, p->inst[i].a);
		in->what.pending[1] = fr_head(m, p->inst[i].b);
		in->actor[0] = (struct fr_actor){p->inst[i].a, "first", 1};
		in->actor[1] = (struct fr_actor){p->inst[i].b, "second", 1};
		fr_vec_push(&g.instance, in);
	}
	fr_vec_push(&ret->group, g);
}

void fr_meetings_write(struct fr_meetings *x, struct fr_groups *ret)
{
	uint32_t most = x->pair.n > MANY_GROUPS ? FR_INSTANCES / 4 : FR_INSTANCES;

	fr_vec_reserve(&ret->group, x->pair.n + 1);
	FR_VEC_FOREACH (p, &x->pair)
		write_group(x->m, p, most, ret);
}

void fr_meetings_free(struct fr_meetings *x)
{
	fr_map_free(&x->index);
	fr_vec_free(&x->pair);
}
