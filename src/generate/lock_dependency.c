/*
 * Indexes the lock dependencies of the recorded run (lock_dependency_find.c) by the resources held.
 * Drops dependencies that can be in no cycle, because the wanted resource never leads back to a
 * held one. For that it computes the strongly connected components (Tarjan, without recursion) of
 * the graph with an edge from a to b if a thread that holds a wants b.
 */
#include "generate/lock_dependency.h"
#include <string.h>

enum fr_resource_kind fr_resource_kind(const struct fr_lock_dependencies *d, fr_resource r)
{
	unsigned k = 0;

	fr_assert_slow(r < d->nresources);
	while (r >= d->first_of[k + 1])
		k++;
	return k;
}

fr_resource fr_depend_holds(const struct fr_lock_dependencies *d,
			    const struct fr_lock_dependency *p, uint32_t i)
{
	fr_assert_slow(i <= p->nheld && p->held + p->nheld <= d->held.n);
	return i < p->nheld ? d->held.v[p->held + i].what : d->first_of[FR_RES_THREAD] + p->thread;
}

static int by_wants(const void *a, const void *b, void *arg)
{
	const struct fr_lock_dependencies *d = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	fr_resource wx = d->dep.v[x].wants, wy = d->dep.v[y].wants;

	if (wx != wy)
		return wx < wy ? -1 : 1;
	return (x > y) - (x < y);
}

uint32_t fr_lock_dependencies_from(const struct fr_lock_dependencies *d, fr_resource holds,
				   fr_resource wants)
{
	uint32_t lo = d->first[holds], n = d->first[holds + 1] - lo;

	fr_assert(holds < d->nresources);
	while (n) {
		uint32_t half = n / 2;

		if (d->dep.v[d->list[lo + half]].wants < wants) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return lo;
}

static void make_index(struct fr_lock_dependencies *d)
{
	uint32_t n = d->nresources, *at;

	d->first = fr_xcalloc((size_t)n + 1, sizeof(*d->first));
	FR_VEC_FOREACH (p, &d->dep)
		for (uint32_t i = 0; i <= p->nheld; i++)
			d->first[fr_depend_holds(d, p, i) + 1]++;
	for (uint32_t i = 0; i < n; i++)
		d->first[i + 1] += d->first[i];
	d->list = fr_xmalloc(((size_t)d->first[n] + 1) * sizeof(*d->list));
	at = fr_xmalloc(((size_t)n + 1) * sizeof(*at));
	memcpy(at, d->first, ((size_t)n + 1) * sizeof(*at));
	for (uint32_t k = 0; k < d->dep.n; k++)
		for (uint32_t i = 0; i <= d->dep.v[k].nheld; i++)
			d->list[at[fr_depend_holds(d, &d->dep.v[k], i)]++] = k;
	for (uint32_t i = 0; i < n; i++)
		fr_assert(at[i] == d->first[i + 1]);
	free(at);
}

/* Orders the resources by how much more often they are held than wanted; most dependencies follow
   that order. Every cycle contains a dependency against the order. Such dependencies are few if the
   program acquires locks in some order, so the search for cycles starts from them. */
static void mark_against(struct fr_lock_dependencies *d)
{
	uint32_t n = d->nresources;
	int64_t *score = fr_xcalloc(n, sizeof(*score));

	FR_VEC_FOREACH (p, &d->dep) {
		score[p->wants] -= p->nheld + 1;
		for (uint32_t i = 0; i <= p->nheld; i++)
			score[fr_depend_holds(d, p, i)]++;
	}
	FR_VEC_FOREACH (p, &d->dep) {
		for (uint32_t i = 0; i <= p->nheld; i++) {
			fr_resource h = fr_depend_holds(d, p, i);

			p->against |= score[h] < score[p->wants] ||
				      (score[h] == score[p->wants] && h > p->wants) ||
				      (p->many && h == p->wants); /* it has some units */
		}
	}
	free(score);
}

/* The component of each resource. A dependency is an edge from each resource held to the one
   wanted. */
struct components {
	uint32_t *order, *low, *component, *next;
	FR_VEC(uint32_t) stack, path;
	uint32_t n, count;
};

static void visit(struct components *c, const struct fr_lock_dependencies *d, uint32_t root)
{
	fr_vec_push(&c->path, root);
	while (c->path.n) {
		uint32_t v = c->path.v[c->path.n - 1];

		if (!c->order[v]) {
			c->order[v] = c->low[v] = ++c->n;
			c->next[v] = d->first[v];
			fr_vec_push(&c->stack, v);
		}
		if (c->next[v] < d->first[v + 1]) {
			uint32_t w = d->dep.v[d->list[c->next[v]++]].wants;

			if (!c->order[w])
				fr_vec_push(&c->path, w);
			else if (!c->component[w])
				c->low[v] = fr_min(c->low[v], c->order[w]);
			continue;
		}
		c->path.n--;
		if (c->path.n && !c->component[v]) {
			uint32_t parent = c->path.v[c->path.n - 1];

			c->low[parent] = fr_min(c->low[parent], c->low[v]);
		}
		if (c->low[v] == c->order[v] && !c->component[v]) {
			c->count++;
			while (c->stack.n) {
				uint32_t w = c->stack.v[--c->stack.n];

				fr_assert(!c->component[w] && c->order[w] >= c->order[v]);
				c->component[w] = c->count;
				if (w == v)
					break;
			}
		}
	}
	fr_assert(!c->stack.n); /* each resource that was reached has a component */
}

/* Keeps only the dependencies that can be in a cycle. */
static void drop_hopeless(struct fr_lock_dependencies *d)
{
	uint32_t n = d->nresources;
	struct components c = {0};
	size_t kept = 0;

	c.order = fr_xcalloc(n, sizeof(uint32_t));
	c.low = fr_xcalloc(n, sizeof(uint32_t));
	c.component = fr_xcalloc(n, sizeof(uint32_t));
	c.next = fr_xcalloc(n, sizeof(uint32_t));
	for (uint32_t v = 0; v < n; v++)
		if (!c.order[v])
			visit(&c, d, v);
	FR_VEC_FOREACH (p, &d->dep) {
		bool hope = false;

		for (uint32_t i = 0; i <= p->nheld; i++)
			hope |= c.component[fr_depend_holds(d, p, i)] == c.component[p->wants];
		if (hope)
			d->dep.v[kept++] = *p;
	}
	fr_assert(c.count <= n && c.n == n); /* each resource has one component */
	d->dep.n = kept;
	free(c.order);
	free(c.low);
	free(c.component);
	free(c.next);
	fr_vec_free(&c.stack);
	fr_vec_free(&c.path);
}

/* Numbers the resources. */
static void number(struct fr_lock_dependencies *d, const struct fr_model *m)
{
	const uint32_t n[FR_RES_KINDS] = {
	    [FR_RES_LOCK] = m->cls[FR_C_LOCK].n,  [FR_RES_OWN] = (uint32_t)d->own.lock.n,
	    [FR_RES_QUEUE] = m->cls[FR_C_LOCK].n, [FR_RES_SEM] = m->cls[FR_C_SEM].n,
	    [FR_RES_COND] = m->cls[FR_C_COND].n,  [FR_RES_BARRIER] = m->cls[FR_C_BARRIER].n,
	    [FR_RES_ONCE] = m->cls[FR_C_ONCE].n,  [FR_RES_THREAD] = m->nthreads,
	};

	for (unsigned k = 0; k < FR_RES_KINDS; k++)
		d->first_of[k + 1] = d->first_of[k] + n[k];
	d->nresources = d->first_of[FR_RES_KINDS];
	d->nthreads = m->nthreads;
	fr_assert(d->nresources >= m->nthreads); /* it did not overflow */
}

void fr_lock_dependencies_init(struct fr_lock_dependencies *d, const struct fr_model *m)
{
	*d = (struct fr_lock_dependencies){0};
	fr_own_locks_find(&d->own, m);
	number(d, m);
	d->sem_end = fr_xcalloc(m->cls[FR_C_SEM].n, sizeof(*d->sem_end));
	for (uint32_t i = 0; i < m->cls[FR_C_SEM].n; i++)
		d->sem_end[i] = m->cls[FR_C_SEM].obj[i].count;
	fr_lock_dependencies_find(d, m);
	make_index(d);
	drop_hopeless(d);
	free(d->first);
	free(d->list);
	make_index(d);
	for (uint32_t i = 0; i < d->nresources; i++)
		if (d->first[i + 1] - d->first[i] > 1)
			qsort_r(d->list + d->first[i], d->first[i + 1] - d->first[i],
				sizeof(*d->list), by_wants, d);
	mark_against(d);
}

void fr_lock_dependencies_free(struct fr_lock_dependencies *d)
{
	FR_VEC_FOREACH (b, &d->balance)
		fr_vec_free(&b->change);
	fr_vec_free(&d->balance);
	fr_map_free(&d->balances);
	fr_vec_free(&d->dep);
	fr_vec_free(&d->held);
	fr_own_locks_free(&d->own);
	free(d->sem_end);
	free(d->first);
	free(d->list);
}

bool fr_depend_waits_for(const struct fr_lock_dependencies *d, const struct fr_lock_dependency *a,
			 const struct fr_lock_dependency *b)
{
	fr_assert_slow(a->held + a->nheld <= d->held.n && b->held + b->nheld <= d->held.n);
	if (a->wants >= d->first_of[FR_RES_THREAD])
		return a->wants - d->first_of[FR_RES_THREAD] == b->thread;
	for (uint32_t i = 0; i < b->nheld; i++)
		if (d->held.v[b->held + i].what == a->wants)
			return !(a->shared && d->held.v[b->held + i].shared);
	return false;
}

bool fr_depend_exclude(const struct fr_lock_dependencies *d, const struct fr_lock_dependency *a,
		       const struct fr_lock_dependency *b)
{
	const struct fr_depend_held *x = d->held.v + a->held, *y = d->held.v + b->held;

	for (uint32_t i = 0; i < a->nheld; i++)
		for (uint32_t k = 0; k < b->nheld; k++)
			if (x[i].what == y[k].what && !(x[i].shared && y[k].shared))
				return true;
	return false;
}

static const struct fr_depend_balance *balance(const struct fr_lock_dependencies *d,
					       uint32_t thread, fr_resource r)
{
	const uint64_t *at = fr_map_get(&d->balances, (uint64_t)thread << 32 | r);

	fr_assert(!at || (*at && *at <= d->balance.n));
	return at ? &d->balance.v[*at - 1] : NULL;
}

int64_t fr_depend_gives(const struct fr_lock_dependencies *d, uint32_t thread, fr_ev e,
			fr_resource r)
{
	const struct fr_depend_balance *b = balance(d, thread, r);
	size_t i = b ? fr_bisect(b->change.n, x, b->change.v[x].ev < e) : 0;

	return b && i < b->change.n ? b->all - b->change.v[i].before : 0;
}

fr_ev fr_depend_last(const struct fr_lock_dependencies *d, uint32_t thread, fr_ev e, fr_resource r)
{
	const struct fr_depend_balance *b = balance(d, thread, r);
	size_t i = b ? fr_bisect(b->change.n, x, b->change.v[x].ev < e) : 0;

	return i ? b->change.v[i - 1].ev : FR_NO_EV;
}

fr_ev fr_depend_taken(const struct fr_lock_dependencies *d, uint32_t thread, int64_t n,
		      fr_resource r)
{
	const struct fr_depend_balance *b = balance(d, thread, r);

	fr_assert(b && n > 0 && b->change.n);
	for (size_t i = 1; i < b->change.n; i++)
		if (-b->change.v[i].before >= n)
			return b->change.v[i - 1].ev;
	fr_assert(-b->all >= n);
	return b->change.v[b->change.n - 1].ev;
}
