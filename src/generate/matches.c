/*
 * The finds of a generator: see matches.h. The finds of one combination of sites are limited, and
 * so is the number of combinations, because random runs have as many as accesses.
 */
#include "generate/matches.h"
#include "generate/guard.h"
#include <string.h>

/* Nearer is better, then earlier in the run, because less has to be replayed. */
static bool worse(const struct fr_find *x, const struct fr_find *y)
{
	return x->apart != y->apart ? x->apart > y->apart : x->end > y->end;
}

/* Finds the worst find, and whether all contexts differ. */
static void look_over(struct fr_found *p)
{
	p->worst = 0;
	p->distinct = true;
	for (uint8_t i = 1; i < p->n; i++) {
		if (worse(&p->find[i], &p->find[p->worst]))
			p->worst = i;
		for (uint8_t k = 0; k < i; k++)
			p->distinct &= p->find[i].context != p->find[k].context;
	}
	fr_assert(p->worst < p->n && p->n <= FR_INSTANCES);
}

/* Keeps a find if it is nearer, or if its threads and locks are new. */
static void keep(struct fr_found *p, const struct fr_find *w)
{
	struct fr_find *same = NULL, *twice = NULL, *far = NULL;

	p->seen++;
	for (uint32_t i = 0; i < p->n; i++) {
		struct fr_find *x = &p->find[i];

		if (!memcmp(x->ev, w->ev, sizeof(x->ev)))
			return;
		if (x->context == w->context && (!same || worse(x, same)))
			same = x;
		if (!far || worse(x, far))
			far = x;
		for (uint32_t k = 0; k < p->n; k++)
			if (k != i && p->find[k].context == x->context &&
			    (!twice || worse(x, twice)))
				twice = x;
	}
	if (p->n < FR_INSTANCES)
		p->find[p->n++] = *w;
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

static struct fr_found *found_of(struct fr_finds *x, uint64_t key)
{
	uint64_t *at = fr_map_get(&x->index, key);

	fr_assert(!at || (*at <= x->found.n && x->found.v[*at - 1].key == key));
	return at ? &x->found.v[*at - 1] : NULL;
}

bool fr_finds_wants(struct fr_finds *x, uint64_t key, const struct fr_find *f)
{
	struct fr_found *p = found_of(x, key);
	bool same;

	if (!p || p->n < FR_INSTANCES || worse(&p->find[p->worst], f))
		return true;
	same = p->distinct; /* then its context cannot matter */
	for (uint32_t i = 0; i < p->n && !same; i++)
		same = p->find[i].context == f->context;
	p->seen += same;
	return !same;
}

bool fr_finds_add(struct fr_finds *x, const struct fr_found *what, const struct fr_find *f)
{
	struct fr_found *p = found_of(x, what->key);

	if (!p) {
		bool near = fr_region_is_near(what->region);

		if (x->found.n >= x->max || (near && x->near >= x->max_near))
			return false;
		fr_assert(!what->n && !what->seen && x->near <= x->found.n);
		x->near += near;
		fr_vec_push(&x->found, *what);
		p = &x->found.v[x->found.n - 1];
		*fr_map_put(&x->index, what->key) = x->found.n;
	}
	keep(p, f);
	return true;
}

static int by_worse(const void *a, const void *b)
{
	return worse(a, b) - worse(b, a);
}

void fr_finds_write(struct fr_finds *x,
		    void (*write)(void *arg, struct fr_group *g, const struct fr_find *f,
				  uint32_t n),
		    void *arg, struct fr_groups *ret)
{
	uint32_t most = x->found.n > x->many ? FR_INSTANCES / 4 : FR_INSTANCES;

	fr_vec_reserve(&ret->group, x->found.n + 1);
	FR_VEC_FOREACH (p, &x->found) {
		struct fr_group g = {.key = p->key,
				     .bug = p->bug,
				     .region = p->region,
				     .shape = p->shape,
				     .instances_seen = p->seen};

		fr_assert(p->n && p->seen >= p->n);
		qsort(p->find, p->n, sizeof(*p->find), by_worse);
		write(arg, &g, p->find, fr_min(p->n, most));
		fr_assert(g.instance.n);
		fr_vec_push(&ret->group, g);
	}
}

void fr_finds_free(struct fr_finds *x)
{
	fr_map_free(&x->index);
	fr_vec_free(&x->found);
}

fr_ev fr_instance_part(const struct fr_model *m, fr_ev e, char what)
{
	unsigned op = what == 'W' ? FR_OP_WRITE : FR_OP_READ;
	fr_ev x = e;

	fr_assert((what == 'R' || what == 'W') && fr_is_access(&m->ev[e]));
	do {
		if (m->ev[x].op == op && m->ev[x].obj == m->ev[e].obj &&
		    !(m->ev[x].flags & FR_NO_TARGET))
			return x;
	} while (++x < m->n && m->ev[x].flags & FR_F_PART);
	return e;
}
