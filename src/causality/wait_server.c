/*
 * The event that served each condition wait and each semaphore wait in the recorded order. If
 * several assignments are possible, one is fixed in which no two waits share a signal or a post. A
 * set of events that contains the server of each of its waits is then feasible in recorded order.
 *
 * Conditions: waits are intervals and signals are points. In the order in which waits return, each
 *             takes the earliest unused signal since it began. This serves all waits whenever that
 *             is possible. A broadcast in the interval is taken first, because it is never used up.
 * Semaphores: the k-th wait takes the k-th unit: first the initial units, then the posts in order.
 */
#include "causality/causality_internal.h"

struct serving {
	FR_VEC(fr_ev) signal, broadcast;
	/* for signal i: a step towards the first unused one at or after it (path halving) */
	FR_VEC(uint32_t) next;
};

static uint32_t free_from(struct serving *s, uint32_t i)
{
	while (i < s->signal.n && s->next.v[i] != i) {
		if (s->next.v[i] < s->signal.n)
			s->next.v[i] = s->next.v[s->next.v[i]];
		fr_assert_slow(s->next.v[i] > i);
		i = s->next.v[i];
	}
	return i;
}

static fr_ev serve(struct serving *s, fr_ev begin)
{
	uint32_t i = fr_list_lower(s->broadcast.v, (uint32_t)s->broadcast.n, begin);

	if (i < s->broadcast.n)
		return s->broadcast.v[i];
	i = fr_list_lower(s->signal.v, (uint32_t)s->signal.n, begin);
	i = free_from(s, i);
	if (i >= s->signal.n)
		return FR_NO_EV;
	s->next.v[i] = i + 1;
	return s->signal.v[i];
}

void fr_causality_signals(struct fr_causality *c)
{
	const struct fr_model *m = c->m;
	const struct fr_mclass *k = &m->cls[FR_C_COND];
	fr_ev *begin = fr_xcalloc(m->nthreads, sizeof(*begin));
	struct serving s = {0};

	for (uint32_t o = 0; o < k->n; o++) {
		s.signal.n = s.broadcast.n = s.next.n = 0;
		for (uint32_t i = k->first[o]; i < k->first[o + 1]; i++) {
			fr_ev e = k->list[i];

			switch (m->ev[e].op) {
			case FR_OP_WAIT_BEGIN:
				begin[m->ev[e].thread] = e;
				break;
			case FR_OP_SIGNAL:
				/* A chain ends at the number of signals, which grows. */
				fr_vec_push(&s.next, (uint32_t)s.signal.n);
				fr_vec_push(&s.signal, e);
				break;
			case FR_OP_BROADCAST:
				fr_vec_push(&s.broadcast, e);
				break;
			default:
				fr_assert(m->ev[e].op == FR_OP_WAIT);
				if (!(m->ev[e].flags & FR_F_TIMEOUT))
					*fr_map_put(&c->signal, e) =
					    serve(&s, begin[m->ev[e].thread]);
				break;
			}
		}
	}
	free(begin);
	fr_vec_free(&s.signal);
	fr_vec_free(&s.broadcast);
	fr_vec_free(&s.next);
}

fr_ev fr_signal_of(const struct fr_causality *c, fr_ev wait)
{
	const uint64_t *r = fr_map_get(&c->signal, wait);

	fr_assert(c->m->ev[wait].op == FR_OP_WAIT);
	return r ? (fr_ev)*r : FR_NO_EV;
}

static void count(struct fr_sem_snapshot *s, unsigned op)
{
	s->posts += op == FR_OP_SEM_POST;
	s->waits += op == FR_OP_SEM_WAIT;
}

void fr_causality_semaphores(struct fr_causality *c)
{
	const struct fr_mclass *k = &c->m->cls[FR_C_SEM];
	uint32_t n = 0;

	c->sem_first = fr_xmalloc(((size_t)k->n + 1) * sizeof(*c->sem_first));
	for (uint32_t o = 0; o < k->n; o++) {
		c->sem_first[o] = n;
		n += (k->first[o + 1] - k->first[o] + FR_SEM_STEP - 1) / FR_SEM_STEP;
	}
	c->sem_first[k->n] = n;
	c->sem_snapshot = fr_xmalloc(((size_t)n + 1) * sizeof(*c->sem_snapshot));
	for (uint32_t o = 0; o < k->n; o++) {
		struct fr_sem_snapshot so_far = {0};

		for (uint32_t i = 0; i < k->first[o + 1] - k->first[o]; i++) {
			if (i % FR_SEM_STEP == 0)
				c->sem_snapshot[c->sem_first[o] + i / FR_SEM_STEP] = so_far;
			count(&so_far, c->m->ev[k->list[k->first[o] + i]].op);
		}
	}
}

/* The post of the semaphore with this number, from 0. */
static fr_ev nth_post(const struct fr_causality *c, uint32_t sem, uint32_t nth)
{
	const struct fr_mclass *k = &c->m->cls[FR_C_SEM];
	uint32_t lo = c->sem_first[sem], hi = c->sem_first[sem + 1], posts;

	fr_assert(lo < hi && c->sem_snapshot[lo].posts <= nth);
	while (hi - lo > 1) { /* find the last snapshot with at most nth posts before it */
		uint32_t mid = lo + (hi - lo) / 2;

		if (c->sem_snapshot[mid].posts <= nth)
			lo = mid;
		else
			hi = mid;
	}
	posts = c->sem_snapshot[lo].posts;
	for (uint32_t i = k->first[sem] + (lo - c->sem_first[sem]) * FR_SEM_STEP;
	     i < k->first[sem + 1]; i++)
		if (c->m->ev[k->list[i]].op == FR_OP_SEM_POST && posts++ == nth)
			return k->list[i];
	return FR_NO_EV;
}

fr_ev fr_post_of(const struct fr_causality *c, fr_ev wait)
{
	const struct fr_mclass *k = &c->m->cls[FR_C_SEM];
	uint32_t sem = c->m->ev[wait].obj, first = k->first[sem];
	uint32_t at = fr_list_lower(k->list + first, k->first[sem + 1] - first, wait);
	struct fr_sem_snapshot so_far = c->sem_snapshot[c->sem_first[sem] + at / FR_SEM_STEP];
	fr_ev post;

	for (uint32_t i = at / FR_SEM_STEP * FR_SEM_STEP; i < at; i++)
		count(&so_far, c->m->ev[k->list[first + i]].op);
	fr_assert(c->m->ev[wait].op == FR_OP_SEM_WAIT);
	if (so_far.waits < k->obj[sem].count)
		return FR_NO_EV;
	post = nth_post(c, sem, so_far.waits - k->obj[sem].count);
	fr_assert(post < wait); /* the count is never below zero */
	return post;
}
