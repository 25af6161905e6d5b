/*
 * Lost wakeups: a thread waits for a signal that does not come any more. The candidates, of which W
 * is a wait without a time limit and S a signal of its condition variable, or wake-up of its futex:
 *
 *   early	S comes before W begins. Either one S, or the last S of each thread that signals.
 *   old	W is for a futex, and S comes before the read of its word that tells W which value
 *		to expect: W sleeps although the value is new.
 *   stolen	S comes while W and another thread's wait X are in progress, and wakes X instead.
 *   taken	others take all units of a semaphore (wakeup_sem.c), or all that was written to
 *		an eventfd (wakeup_stream.c).
 *   path	another thread than in the recorded run waits, or a signal is not sent
 *		(wakeup_path.c).
 *
 * Where the recorded run has neither W nor S, order violations (order.c) lead to such waits.
 *
 * In `early` and `stolen`, W is pending; in `old`, the read. The re-execution shows whether W then
 * blocks for ever. It does not if a loop tests a predicate, or if a thread repeats the signal. The
 * oracle keeps correct predicate loops apart: the reads before W must return their recorded values.
 *
 * The last waits of a thread come first, because after them nobody may repeat the signal. There is
 * one group for each set of sites, and all groups of one condition variable are one bug.
 *
 * Cost: bounded for each condition variable and thread.
 */
#include "generate/wakeup.h"

#define LAST_MAX 16u /* last waits of a thread for a condition variable that are examined */
#define FIRST_MAX 4  /* first waits */
#define OTHERS_MAX 8 /* threads whose waits are tried as X */
#define BACK_MAX 16  /* events before a wait that are searched for the read of its word */
#define GROUPS_MAX 2000

/* Returns the end of a wait without a time limit; FR_NO_EV: it has one, or it did not end. */
static fr_ev end_of(const struct fr_wakeups *s, fr_ev begin)
{
	fr_ev e = fr_wait_end(s->m, begin);

	return e != FR_NO_EV && s->m->ev[e].flags & FR_F_BLOCKING &&
		       !(s->m->ev[e].flags & FR_F_TIMEOUT)
		   ? e
		   : FR_NO_EV;
}

static void look_at(struct fr_wakeups *s, uint32_t cond)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_COND];

	fr_assert(cond < k->n);
	s->wait.n = s->signal.n = 0;
	s->bug = UINT64_MAX;
	for (uint32_t i = k->first[cond]; i < k->first[cond + 1]; i++) {
		fr_ev e = k->list[i], end;

		if (s->m->ev[e].op == FR_OP_SIGNAL || s->m->ev[e].op == FR_OP_BROADCAST)
			fr_vec_push(&s->signal, e);
		else if (s->m->ev[e].op == FR_OP_WAIT_BEGIN && (end = end_of(s, e)) != FR_NO_EV)
			fr_vec_push(&s->wait, ((struct fr_wakeup_wait){e, end}));
		s->bug = fr_min(s->bug, (uint64_t)fr_wakeup_site(s, e) + 1);
	}
	for (size_t i = 1; i < s->wait.n; i++)
		fr_assert(s->wait.v[i - 1].begin < s->wait.v[i].begin);
}

struct fr_instance *fr_wakeup_add(struct fr_wakeups *s, uint64_t key, uint32_t nactors)
{
	uint64_t *at = fr_map_put(&s->index, key >> 1);
	struct fr_group *g;

	if (!*at && s->ret->group.n == GROUPS_MAX) {
		s->ret->cut_off++;
		return NULL;
	}
	if (!*at) {
		fr_vec_push(&s->ret->group, ((struct fr_group){.key = key >> 1, .bug = s->bug}));
		*at = s->ret->group.n;
	}
	g = &s->ret->group.v[*at - 1];
	fr_assert(g->key == key >> 1 && g->instance.n <= FR_INSTANCES);
	g->instances_seen++;
	if (g->instance.n == FR_INSTANCES)
		return NULL;
	fr_vec_push(&g->instance, fr_instance_new(nactors));
	return g->instance.v[g->instance.n - 1];
}

/* The same for a wait that blocks for ever. */
static struct fr_instance *add(struct fr_wakeups *s, uint64_t key, fr_ev wait, uint32_t nactors)
{
	struct fr_instance *in = fr_wakeup_add(s, key, nactors);

	fr_assert(s->m->ev[wait].op == FR_OP_WAIT && fr_head(s->m, wait) == wait);
	if (!in)
		return NULL;
	in->what.npending = 1;
	in->what.pending[0] = wait;
	in->actor[nactors - 1] = (struct fr_actor){wait, FR_ROLE_WAITS, 0};
	return in;
}

static void edge(const struct fr_wakeups *s, struct fr_instance *in, fr_ev before, fr_ev after)
{
	fr_assert(in->what.nedges < FR_EDGES && before != after);
	in->what.edge[in->what.nedges].before = fr_head(s->m, before);
	in->what.edge[in->what.nedges++].after = fr_head(s->m, after);
}

/* ---- early signals ---- */

/* Finds the last signal of each other thread that can come before the wait. Returns their
   number. */
static uint32_t last_signals(const struct fr_wakeups *s, const struct fr_wakeup_wait *w,
			     fr_ev ret[FR_EDGES])
{
	uint32_t n = 0;

	for (size_t i = s->signal.n; i-- > 0 && n < FR_EDGES;) {
		fr_ev e = s->signal.v[i];
		bool seen = fr_wakeup_thread(s, e) == fr_wakeup_thread(s, w->begin);

		for (uint32_t k = 0; k < n && !seen; k++)
			seen = fr_wakeup_thread(s, ret[k]) == fr_wakeup_thread(s, e);
		if (!seen && !fr_mhb(s->c, w->begin, e))
			ret[n++] = e;
	}
	return n;
}

static void add_early(struct fr_wakeups *s, const struct fr_wakeup_wait *w, const fr_ev *signal,
		      uint32_t n)
{
	uint64_t key = fr_mix(fr_wakeup_site(s, w->wait), n);
	struct fr_instance *in;

	for (uint32_t i = 0; i < n; i++)
		key += fr_mix(fr_wakeup_site(s, signal[i]), 1);
	fr_assert(n && n <= FR_EDGES);
	in = add(s, key, w->wait, n + 1);
	for (uint32_t i = 0; in && i < n; i++) {
		edge(s, in, signal[i], w->begin);
		in->actor[i] = (struct fr_actor){signal[i], FR_ROLE_SIGNALS, 0};
	}
}

static void find_early(struct fr_wakeups *s, const struct fr_wakeup_wait *w)
{
	fr_ev last[FR_EDGES], own = fr_signal_of(s->c, w->wait);
	uint32_t n = last_signals(s, w, last);

	if (n > 1)
		add_early(s, w, last, n);
	for (uint32_t i = 0; i < n; i++)
		add_early(s, w, &last[i], 1);
	for (uint32_t i = 0; i < n; i++)
		if (last[i] == own)
			own = FR_NO_EV;
	if (own != FR_NO_EV && fr_wakeup_thread(s, own) != fr_wakeup_thread(s, w->begin))
		add_early(s, w, &own, 1);
}

/* ---- old tests ---- */

/* Returns the last read of the futex's word before the wait; FR_NO_EV: not found. */
static fr_ev word_read(const struct fr_wakeups *s, const struct fr_wakeup_wait *w)
{
	uint64_t word = s->m->cls[FR_C_COND].obj[s->m->ev[w->begin].obj].addr;
	fr_ev e = fr_model_prev(s->m, w->begin);

	for (uint32_t n = 0; n < BACK_MAX && e != FR_NO_EV; n++) {
		const struct fr_mev *v = &s->m->ev[e];

		if (v->op == FR_OP_READ &&
		    s->m->cls[FR_C_LOC].obj[v->obj].addr == (word & ~UINT64_C(7)) &&
		    v->mask >> (word & 7) & 1)
			return e;
		e = fr_model_prev(s->m, e);
	}
	return FR_NO_EV;
}

static void find_old(struct fr_wakeups *s, const struct fr_wakeup_wait *w)
{
	fr_ev last[FR_EDGES], read = FR_NO_EV;
	uint32_t n = last_signals(s, w, last);

	if (s->m->ev[w->begin].kind == FR_EV_FUTEX_BEGIN)
		read = word_read(s, w);
	for (uint32_t i = 0; read != FR_NO_EV && i < n; i++) {
		struct fr_instance *in;

		if (fr_mhb(s->c, read, last[i]))
			continue;
		in = fr_wakeup_add(
		    s, fr_mix(fr_mix(fr_wakeup_site(s, read), 160), fr_wakeup_site(s, last[i])), 2);
		if (!in)
			continue;
		in->what.npending = 1;
		in->what.pending[0] = fr_head(s->m, read);
		edge(s, in, last[i], read);
		in->actor[0] = (struct fr_actor){last[i], FR_ROLE_SIGNALS, 0};
		in->actor[1] = (struct fr_actor){read, FR_ROLE_EVENT, 0};
	}
}

/* ---- stolen signals ---- */

/* Can the wait X be in progress at the signal that was for W? */
static bool can_take(const struct fr_wakeups *s, const struct fr_wakeup_wait *w,
		     const struct fr_wakeup_wait *x, fr_ev signal)
{
	return fr_wakeup_thread(s, x->begin) != fr_wakeup_thread(s, w->begin) &&
	       fr_wakeup_thread(s, x->begin) != fr_wakeup_thread(s, signal) &&
	       !fr_mhb(s->c, signal, x->begin) && !fr_mhb(s->c, x->wait, signal) &&
	       !fr_mhb(s->c, w->wait, x->wait);
}

static void add_stolen(struct fr_wakeups *s, const struct fr_wakeup_wait *w,
		       const struct fr_wakeup_wait *x, fr_ev signal)
{
	uint64_t key = fr_mix(fr_mix(fr_wakeup_site(s, w->wait), fr_wakeup_site(s, x->wait)),
			      fr_wakeup_site(s, signal));
	struct fr_instance *in = add(s, key, w->wait, 3);

	if (!in)
		return;
	edge(s, in, w->begin, signal);
	edge(s, in, x->begin, signal);
	edge(s, in, signal, x->wait);
	in->actor[0] = (struct fr_actor){signal, FR_ROLE_SIGNALS, 0};
	in->actor[1] = (struct fr_actor){x->wait, FR_ROLE_TAKES, 0};
}

/* Tries the wait of each other thread that is nearest to the signal. */
static void find_stolen(struct fr_wakeups *s, const struct fr_wakeup_wait *w)
{
	fr_ev signal = fr_signal_of(s->c, w->wait);
	uint32_t thread[OTHERS_MAX], n = 0;

	if (signal == FR_NO_EV || s->m->ev[signal].op != FR_OP_SIGNAL ||
	    fr_wakeup_thread(s, signal) == fr_wakeup_thread(s, w->begin))
		return;
	for (unsigned back = 0; back < 2; back++) {
		size_t from = fr_bisect(s->wait.n, i, s->wait.v[i].begin < signal);

		for (size_t i = from; back ? i < s->wait.n : i-- > 0; i += back) {
			const struct fr_wakeup_wait *x = &s->wait.v[i];
			bool seen = false;

			for (uint32_t k = 0; k < n && !seen; k++)
				seen = thread[k] == fr_wakeup_thread(s, x->begin);
			if (seen || !can_take(s, w, x, signal))
				continue;
			if (n == OTHERS_MAX)
				return;
			thread[n++] = fr_wakeup_thread(s, x->begin);
			add_stolen(s, w, x, signal);
		}
	}
}

/* ---- all waits of a condition variable ---- */

struct examined {
	uint32_t last, first;
};

static void find(struct fr_wakeups *s)
{
	struct examined *t = fr_xcalloc(s->m->nthreads, sizeof(*t));

	for (size_t i = s->wait.n; i-- > 0;) {
		if (t[fr_wakeup_thread(s, s->wait.v[i].begin)].last++ >= LAST_MAX)
			continue;
		find_early(s, &s->wait.v[i]);
		find_old(s, &s->wait.v[i]);
		find_stolen(s, &s->wait.v[i]);
	}
	for (size_t i = 0; i < s->wait.n; i++) {
		struct examined *x = &t[fr_wakeup_thread(s, s->wait.v[i].begin)];

		if (x->first++ >= FIRST_MAX || x->first > x->last - fr_min(x->last, LAST_MAX))
			continue;
		find_early(s, &s->wait.v[i]);
		find_old(s, &s->wait.v[i]);
		find_stolen(s, &s->wait.v[i]);
	}
	free(t);
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct fr_wakeups s = {.m = m, .c = c, .ret = ret};

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	for (uint32_t i = 0; i < m->cls[FR_C_COND].n; i++) {
		look_at(&s, i);
		find(&s);
		fr_wakeup_paths(&s);
	}
	fr_wakeup_sems(&s);
	fr_wakeup_streams(&s);
	fr_vec_free(&s.wait);
	fr_vec_free(&s.signal);
	fr_map_free(&s.index);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_wakeup = {
    .name = FR_KIND_WAKEUP,
    .summary = "a thread waits for a wake-up that came early, woke another or was not sent",
    .meeting = FR_MEETING_HANG,
    .needs = FR_NEEDS_HANG,
    .rank = 35,
    .hang_bug = FR_HANG_BUG_SIGNAL,
    .generate = generate,
};
