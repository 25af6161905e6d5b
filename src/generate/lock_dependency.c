/*
 * Finds the lock dependencies of the recorded run, and indexes them by the resources held. It drops
 * dependencies that can be in no cycle, because the wanted resource never leads back to a held one.
 * For that it computes the strongly connected components (Tarjan, without recursion) of the graph
 * with an edge from a to b if a thread that holds a wants b.
 *
 * A join counts as a wait for the thread, and each thread holds itself.
 */
#include "generate/lock_dependency.h"
#include <string.h>

struct holding {
	FR_VEC(fr_ev) held;
};

struct find {
	const struct fr_model *m;
	struct fr_depends *d;
	struct holding *thread;
	struct fr_map index; /* hash of what makes them alike -> dependency + 1 */
	FR_VEC(fr_ev) join;
	/* Threads that are joined by a thread which holds a lock, or which is itself such a thread.
	   Their waits matter even if they hold no lock. */
	bool *joined;
	bool again; /* such a join was found */
};

static void add_instance(struct fr_lock_dependency *p, fr_ev e)
{
	if (p->seen++ % p->every)
		return;
	if (p->n == FR_DEPEND_INSTANCES) { /* drop every second one */
		for (p->n = 0; p->n < FR_DEPEND_INSTANCES / 2; p->n++)
			p->ev[p->n] = p->ev[2 * p->n];
		p->every *= 2;
		if ((p->seen - 1) % p->every)
			return;
	}
	fr_assert(p->n < FR_DEPEND_INSTANCES && (!p->n || p->ev[p->n - 1] < e));
	p->ev[p->n++] = e;
}

static void depend(struct find *f, fr_ev e, fr_resource wants)
{
	const struct fr_mev *v = &f->m->ev[e];
	const struct holding *h = &f->thread[v->thread];
	bool shared = v->op == FR_OP_ACQUIRE_SHARED || v->op == FR_OP_ACQUIRE_SHARED_FAILED;
	uint64_t sites = fr_mix(v->site, h->held.n), locks = fr_mix(wants, shared);
	uint64_t *at;

	fr_assert(wants < f->d->nlocks + f->d->nthreads && v->flags & FR_F_BLOCKING);
	if (!h->held.n && !f->joined[v->thread])
		return;
	FR_VEC_FOREACH (a, &h->held) {
		const struct fr_mev *x = &f->m->ev[*a];

		sites = fr_mix(sites, x->site);
		locks = fr_mix(locks, (uint64_t)x->obj << 1 | (x->op == FR_OP_ACQUIRE_SHARED));
	}
	at = fr_map_put(&f->index, fr_mix(fr_mix(v->thread, sites), locks) >> 1);
	if (!*at) {
		struct fr_lock_dependency p = {.thread = v->thread,
					       .wants = wants,
					       .shared = shared,
					       .held = (uint32_t)f->d->held.n,
					       .nheld = (uint32_t)h->held.n,
					       .sites = sites,
					       .every = 1};

		FR_VEC_FOREACH (a, &h->held)
			fr_vec_push(&f->d->held,
				    (struct fr_depend_held){
					f->m->ev[*a].obj, f->m->ev[*a].op == FR_OP_ACQUIRE_SHARED});
		fr_vec_push(&f->d->dep, p);
		*at = f->d->dep.n;
	}
	add_instance(&f->d->dep.v[*at - 1], e);
}

static void give_back(struct find *f, const struct fr_mev *v)
{
	struct holding *h = &f->thread[v->thread];
	unsigned op = v->op == FR_OP_RELEASE ? FR_OP_ACQUIRE : FR_OP_ACQUIRE_SHARED;

	for (size_t i = h->held.n; i--;) {
		if (f->m->ev[h->held.v[i]].obj != v->obj || f->m->ev[h->held.v[i]].op != op)
			continue;
		h->held.n--;
		memmove(h->held.v + i, h->held.v + i + 1, (h->held.n - i) * sizeof(*h->held.v));
		return;
	}
}

static void find_dependencies(struct find *f)
{
	const struct fr_model *m = f->m;

	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		switch (v->op) {
		case FR_OP_ACQUIRE:
		case FR_OP_ACQUIRE_SHARED:
			if (v->flags & FR_F_BLOCKING)
				depend(f, e, v->obj);
			fr_vec_push(&f->thread[v->thread].held, e);
			break;
		case FR_OP_ACQUIRE_FAILED:
		case FR_OP_ACQUIRE_SHARED_FAILED:
			if (v->flags & FR_F_BLOCKING) /* it waited until the run ended */
				depend(f, e, v->obj);
			break;
		case FR_OP_RELEASE:
		case FR_OP_RELEASE_SHARED:
			give_back(f, v);
			break;
		case FR_OP_JOIN:
			if (!(v->flags & FR_F_BLOCKING)) /* a timed join ends by itself */
				break;
			if (f->thread[v->thread].held.n)
				f->again = f->joined[v->obj] = true;
			fr_vec_push(&f->join, e);
			depend(f, e, f->d->nlocks + v->obj);
			break;
		default:
			break;
		}
	}
	for (uint32_t t = 0; t < m->nthreads; t++)
		f->thread[t].held.n = 0;
}

fr_resource fr_depend_holds(const struct fr_depends *d, const struct fr_lock_dependency *p,
			    uint32_t i)
{
	fr_assert_slow(i <= p->nheld && p->held + p->nheld <= d->held.n);
	return i < p->nheld ? d->held.v[p->held + i].lock : d->nlocks + p->thread;
}

static int by_wants(const void *a, const void *b, void *arg)
{
	const struct fr_depends *d = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	fr_resource wx = d->dep.v[x].wants, wy = d->dep.v[y].wants;

	if (wx != wy)
		return wx < wy ? -1 : 1;
	return (x > y) - (x < y);
}

uint32_t fr_depends_from(const struct fr_depends *d, fr_resource holds, fr_resource wants)
{
	uint32_t lo = d->first[holds], n = d->first[holds + 1] - lo;

	fr_assert(holds < d->nlocks + d->nthreads);
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

static void make_index(struct fr_depends *d)
{
	uint32_t n = d->nlocks + d->nthreads, *at;

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
static void mark_against(struct fr_depends *d)
{
	uint32_t n = d->nlocks + d->nthreads;
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
				      (score[h] == score[p->wants] && h > p->wants);
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

static void visit(struct components *c, const struct fr_depends *d, uint32_t root)
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

				c->component[w] = c->count;
				if (w == v)
					break;
			}
		}
	}
	fr_assert(!c->stack.n); /* each resource that was reached has a component */
}

/* Keeps only the dependencies that can be in a cycle. */
static void drop_hopeless(struct fr_depends *d)
{
	uint32_t n = d->nlocks + d->nthreads;
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
	d->dep.n = kept;
	free(c.order);
	free(c.low);
	free(c.component);
	free(c.next);
	fr_vec_free(&c.stack);
	fr_vec_free(&c.path);
}

void fr_depends_init(struct fr_depends *d, const struct fr_model *m)
{
	struct find f = {.m = m, .d = d};

	*d = (struct fr_depends){.nlocks = m->cls[FR_C_LOCK].n, .nthreads = m->nthreads};
	f.thread = fr_xcalloc(m->nthreads, sizeof(*f.thread));
	f.joined = fr_xcalloc(m->nthreads, sizeof(*f.joined));
	find_dependencies(&f);
	if (f.again) { /* start again, now that the joined threads are known */
		/* A joined thread made its own joins before it was joined. */
		for (size_t i = f.join.n; i--;)
			if (f.joined[m->ev[f.join.v[i]].thread])
				f.joined[m->ev[f.join.v[i]].obj] = true;
		fr_map_free(&f.index);
		d->dep.n = d->held.n = 0;
		find_dependencies(&f);
	}
	for (uint32_t t = 0; t < m->nthreads; t++)
		fr_vec_free(&f.thread[t].held);
	free(f.thread);
	free(f.joined);
	fr_vec_free(&f.join);
	fr_map_free(&f.index);
	make_index(d);
	drop_hopeless(d);
	free(d->first);
	free(d->list);
	make_index(d);
	for (uint32_t i = 0; i < d->nlocks + d->nthreads; i++)
		if (d->first[i + 1] - d->first[i] > 1)
			qsort_r(d->list + d->first[i], d->first[i + 1] - d->first[i],
				sizeof(*d->list), by_wants, d);
	mark_against(d);
}

void fr_depends_free(struct fr_depends *d)
{
	fr_vec_free(&d->dep);
	fr_vec_free(&d->held);
	free(d->first);
	free(d->list);
}

bool fr_depend_waits_for(const struct fr_depends *d, const struct fr_lock_dependency *a,
			 const struct fr_lock_dependency *b)
{
	if (a->wants >= d->nlocks)
		return a->wants - d->nlocks == b->thread;
	for (uint32_t i = 0; i < b->nheld; i++)
		if (d->held.v[b->held + i].lock == a->wants)
			return !(a->shared && d->held.v[b->held + i].shared);
	return false;
}

bool fr_depend_exclude(const struct fr_depends *d, const struct fr_lock_dependency *a,
		       const struct fr_lock_dependency *b)
{
	const struct fr_depend_held *x = d->held.v + a->held, *y = d->held.v + b->held;

	for (uint32_t i = 0; i < a->nheld; i++)
		for (uint32_t k = 0; k < b->nheld; k++)
			if (x[i].lock == y[k].lock && !(x[i].shared && y[k].shared))
				return true;
	return false;
}
