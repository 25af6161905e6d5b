/*
 * Wake-ups of futexes that come before the wait. The model knows a wait only by its end, an
 * ACQUIRE_ALL, and a wake-up as a RELEASE_ALL. So the end of the wait W is pending, and the last
 * wake-up of each other thread has happened. Whether W blocks then depends on the value of the futex;
 * the re-execution shows it. In correct programs, it has changed.
 */
#include "generate/wakeup.h"

#define WAITS_MAX 16 /* last waits for a futex that are examined */

struct futex {
	const fr_ev *list;
	uint32_t n;
};

/* Finds the last wake-up of each other thread that can come before W. Returns their number. */
static uint32_t wakes(const struct fr_wakeups *s, const struct futex *k, fr_ev w,
		      fr_ev ret[FR_EDGES])
{
	uint32_t n = 0;

	for (uint32_t i = k->n; i-- > 0 && n < FR_EDGES;) {
		fr_ev e = k->list[i];
		bool seen = fr_wakeup_thread(s, e) == fr_wakeup_thread(s, w);

		for (uint32_t x = 0; x < n && !seen; x++)
			seen = fr_wakeup_thread(s, ret[x]) == fr_wakeup_thread(s, e);
		if (!seen && s->m->ev[e].op == FR_OP_RELEASE_ALL && !fr_mhb(s->c, w, e))
			ret[n++] = e;
	}
	return n;
}

static void add(struct fr_wakeups *s, fr_ev w, const fr_ev *wake, uint32_t n)
{
	uint64_t key = fr_mix(fr_wakeup_site(s, w), n + 128);
	struct fr_instance *in;

	for (uint32_t i = 0; i < n; i++)
		key += fr_mix(fr_wakeup_site(s, wake[i]), 3);
	in = fr_wakeup_add(s, key, n + 1);
	if (!in)
		return;
	in->what.npending = 1;
	in->what.pending[0] = fr_head(s->m, w);
	in->actor[n] = (struct fr_actor){w, FR_ROLE_WAITS, 0};
	for (uint32_t i = 0; i < n; i++) {
		fr_ev e = wake[n - 1 - i]; /* in the order of the run */

		in->what.edge[i].before = fr_head(s->m, e);
		in->what.edge[i].after = fr_head(s->m, w);
		in->actor[i] = (struct fr_actor){e, FR_ROLE_SIGNALS, 0};
	}
	in->what.nedges = n;
}

/* Is it memory, and not a signal of the process or a stream? */
static bool is_memory(uint64_t addr)
{
	return addr && !fr_signal_number(addr) && !(addr & FR_STREAM);
}

static int by_begin(const void *pa, const void *pb)
{
	const struct fr_wakeup_wait *a = pa, *b = pb;

	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Collects the wake-ups and waits. A wait begins after the event before it in its thread. */
static void look_at(struct fr_wakeups *s, const struct futex *k)
{
	s->wait.n = s->signal.n = 0;
	for (uint32_t i = 0; i < k->n; i++) {
		fr_ev e = k->list[i], before = fr_model_prev(s->m, e);

		if (s->m->ev[e].op == FR_OP_RELEASE_ALL)
			fr_vec_push(&s->signal, e);
		else if (before != FR_NO_EV)
			fr_vec_push(&s->wait, ((struct fr_wakeup_wait){before, e}));
	}
	if (s->wait.n)
		qsort(s->wait.v, s->wait.n, sizeof(*s->wait.v), by_begin);
}

void fr_wakeup_futexes(struct fr_wakeups *s)
{
	const struct fr_mclass *c = &s->m->cls[FR_C_FLAG];

	for (uint32_t o = 0; o < c->n; o++) {
		struct futex k = {c->list + c->first[o], c->first[o + 1] - c->first[o]};
		uint32_t left = WAITS_MAX;

		if (!is_memory(c->obj[o].addr))
			continue;
		s->bug = UINT64_MAX;
		for (uint32_t i = 0; i < k.n; i++)
			s->bug = fr_min(s->bug, (uint64_t)fr_wakeup_site(s, k.list[i]) + 1);
		look_at(s, &k);
		for (uint32_t i = k.n; i-- > 0 && left;) {
			fr_ev wake[FR_EDGES];
			uint32_t n;

			if (s->m->ev[k.list[i]].op != FR_OP_ACQUIRE_ALL)
				continue;
			left--;
			n = wakes(s, &k, k.list[i], wake);
			if (n)
				add(s, k.list[i], wake, n);
		}
		fr_wakeup_paths(s);
	}
}
