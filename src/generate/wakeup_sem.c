/*
 * Semaphores on which a thread waits for ever, because others take all units. Let W be a wait
 * without a time limit. Count the posts and the other waits that may come before W. If the posts
 * are not more than the waits, none is left for W. W is pending, and the last of those waits of
 * each thread have happened.
 *
 * Or a sem_trywait F that failed takes a unit, if a post P of another thread comes before it. F is
 * pending, P has happened, and as many waits of other threads as possible have yet to come. The
 * re-execution shows whether the program then hangs.
 *
 * Or a thread does not post, or waits, because a read sees another write (wakeup_path.c).
 * Semaphores that one thread both posts and waits for are left out: they are used as locks.
 */
#include "generate/wakeup.h"
#include <stdlib.h>

#define WAITS_MAX 16  /* last waits of a semaphore that are examined */
#define FAILED_MAX 16 /* last attempts that failed */
_Static_assert(FR_EDGES < FR_TARGETS, "the waits that are held, and the attempt, are pending");

struct sem {
	const fr_ev *list;
	uint32_t n, count;
};

/* Finds the last wait of each other thread that can come before W. Returns their number; 0: W
   always gets a unit. */
static uint32_t takers(const struct fr_wakeups *s, const struct sem *k, fr_ev w,
		       fr_ev ret[FR_EDGES])
{
	uint64_t units = k->count, taken = 0;
	uint32_t n = 0;

	for (uint32_t i = k->n; i-- > 0;) {
		fr_ev e = k->list[i];
		bool seen = fr_wakeup_thread(s, e) == fr_wakeup_thread(s, w);

		if (e == w || fr_mhb(s->c, w, e))
			continue;
		units += s->m->ev[e].op == FR_OP_SEM_POST;
		if (s->m->ev[e].op != FR_OP_SEM_WAIT)
			continue;
		taken++;
		for (uint32_t x = 0; x < n && !seen; x++)
			seen = fr_wakeup_thread(s, ret[x]) == fr_wakeup_thread(s, e);
		if (!seen && n == FR_EDGES)
			return 0;
		if (!seen)
			ret[n++] = e;
	}
	return units <= taken ? n : 0;
}

static void add(struct fr_wakeups *s, fr_ev w, const fr_ev *taker, uint32_t n)
{
	uint64_t key = fr_mix(fr_wakeup_site(s, w), n + 64);
	struct fr_instance *in;

	for (uint32_t i = 0; i < n; i++)
		key += fr_mix(fr_wakeup_site(s, taker[i]), 2);
	in = fr_wakeup_add(s, key, n + 1);
	if (!in)
		return;
	in->what.npending = 1;
	in->what.pending[0] = fr_head(s->m, w);
	in->actor[n] = (struct fr_actor){w, FR_ROLE_WAITS, 0};
	for (uint32_t i = 0; i < n; i++) {
		fr_ev e = taker[n - 1 - i]; /* in the order of the run */

		in->what.edge[i].before = fr_head(s->m, e);
		in->what.edge[i].after = fr_head(s->m, w);
		in->actor[i] = (struct fr_actor){e, FR_ROLE_TAKES, 0};
	}
	fr_assert(n <= FR_EDGES);
	in->what.nedges = n;
}

/* ---- attempts that failed ---- */

/* Finds the last wait of each thread that can come after F and is not in the way of P. Returns
   their number. */
static uint32_t waiters(const struct fr_wakeups *s, const struct sem *k, fr_ev failed, fr_ev post,
			fr_ev ret[FR_EDGES])
{
	uint32_t n = 0;

	for (uint32_t i = k->n; i-- > 0 && n < FR_EDGES;) {
		fr_ev e = k->list[i];
		bool seen = fr_wakeup_thread(s, e) == fr_wakeup_thread(s, failed) ||
			    fr_wakeup_thread(s, e) == fr_wakeup_thread(s, post);

		for (uint32_t x = 0; x < n && !seen; x++)
			seen = fr_wakeup_thread(s, ret[x]) == fr_wakeup_thread(s, e);
		if (!seen && s->m->ev[e].op == FR_OP_SEM_WAIT && !fr_mhb(s->c, e, failed) &&
		    !fr_mhb(s->c, e, post))
			ret[n++] = e;
	}
	return n;
}

static void add_taken(struct fr_wakeups *s, fr_ev failed, fr_ev post, const fr_ev *held, uint32_t n)
{
	uint64_t key = fr_mix(fr_mix(fr_wakeup_site(s, failed), fr_wakeup_site(s, post)), 96);
	struct fr_instance *in = fr_wakeup_add(s, key, 2);

	fr_assert(s->m->ev[failed].op == FR_OP_SEM_FAILED && s->m->ev[post].op == FR_OP_SEM_POST);
	if (!in)
		return;
	for (uint32_t i = 0; i < n; i++)
		in->what.pending[i] = fr_head(s->m, held[i]);
	in->nheld = n;
	in->what.npending = n + 1;
	in->what.pending[n] = fr_head(s->m, failed);
	in->what.nedges = 1;
	in->what.edge[0].before = fr_head(s->m, post);
	in->what.edge[0].after = fr_head(s->m, failed);
	in->actor[0] = (struct fr_actor){post, FR_ROLE_SIGNALS, 0};
	in->actor[1] = (struct fr_actor){failed, FR_ROLE_TAKES, 0};
}

/* Looks for posts that can come before an attempt that failed: the last of each other thread. */
static void find_taken(struct fr_wakeups *s, const struct sem *k, fr_ev failed)
{
	fr_ev post[FR_EDGES], held[FR_EDGES];
	uint32_t n = 0;

	for (uint32_t i = k->n; i-- > 0 && n < FR_EDGES;) {
		fr_ev e = k->list[i];
		bool seen = fr_wakeup_thread(s, e) == fr_wakeup_thread(s, failed);

		for (uint32_t x = 0; x < n && !seen; x++)
			seen = fr_wakeup_thread(s, post[x]) == fr_wakeup_thread(s, e);
		if (seen || s->m->ev[e].op != FR_OP_SEM_POST || fr_mhb(s->c, failed, e))
			continue;
		post[n++] = e;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t waits = waiters(s, k, failed, post[i], held);

		if (waits)
			add_taken(s, failed, post[i], held, waits);
		add_taken(s, failed, post[i], NULL, 0);
	}
}

/* ---- posts that are not made ---- */

static int by_begin(const void *a, const void *b)
{
	const struct fr_wakeup_wait *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Finds the posts and the waits. A wait begins after the event before it. Returns whether no thread
   does both. */
static bool find_ends(struct fr_wakeups *s, const struct sem *k)
{
	enum { POSTS = 1, WAITS = 2 };
	uint8_t *does = fr_xcalloc(s->m->nthreads, 1);
	bool both = false;

	s->wait.n = s->signal.n = 0;
	for (uint32_t i = 0; i < k->n && !both; i++) {
		const struct fr_mev *v = &s->m->ev[k->list[i]];
		fr_ev before = fr_model_prev(s->m, k->list[i]);

		if (v->op == FR_OP_SEM_POST) {
			fr_vec_push(&s->signal, k->list[i]);
			does[v->thread] |= POSTS;
		} else if (v->op == FR_OP_SEM_WAIT || v->op == FR_OP_SEM_FAILED) {
			does[v->thread] |= WAITS;
		}
		if (v->op == FR_OP_SEM_WAIT && v->flags & FR_F_BLOCKING && before != FR_NO_EV)
			fr_vec_push(&s->wait, ((struct fr_wakeup_wait){before, k->list[i]}));
		both = does[v->thread] == (POSTS | WAITS);
	}
	free(does);
	if (s->wait.n)
		qsort(s->wait.v, s->wait.n, sizeof(*s->wait.v), by_begin);
	return !both && s->wait.n;
}

void fr_wakeup_sems(struct fr_wakeups *s)
{
	const struct fr_mclass *c = &s->m->cls[FR_C_SEM];

	for (uint32_t o = 0; o < c->n; o++) {
		struct sem k = {c->list + c->first[o], c->first[o + 1] - c->first[o],
				c->obj[o].count};
		uint32_t left = WAITS_MAX, failed = FAILED_MAX;

		s->bug = UINT64_MAX;
		for (uint32_t i = 0; i < k.n; i++)
			s->bug = fr_min(s->bug, (uint64_t)fr_wakeup_site(s, k.list[i]) + 1);
		for (uint32_t i = k.n; i-- > 0 && left;) {
			const struct fr_mev *v = &s->m->ev[k.list[i]];
			fr_ev taker[FR_EDGES];
			uint32_t n;

			if (v->op == FR_OP_SEM_FAILED && failed) {
				failed--;
				find_taken(s, &k, k.list[i]);
			}
			if (v->op != FR_OP_SEM_WAIT || !(v->flags & FR_F_BLOCKING))
				continue;
			left--;
			n = takers(s, &k, k.list[i], taker);
			if (n)
				add(s, k.list[i], taker, n);
		}
		if (find_ends(s, &k))
			fr_wakeup_paths(s);
	}
}
