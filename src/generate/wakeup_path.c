/*
 * Lost wakeups on a path that the recorded run did not take. A read decides whether a thread waits
 * or signals. If it sees the write before the one that it saw in the recorded run, the thread waits
 * where it did not, or does not signal where it did. With S a signal, or a post (wakeup_sem.c):
 *
 *   wait	another thread reads what S's thread wrote around S; S comes before that read
 *   signal	a read by the thread of S before S, of what another thread wrote
 *
 * Instead of the write before, the read may see the initial value; instead of an older value, a
 * newer one.
 *
 * The read is pending, and as many other threads as possible wait or are about to signal. What the
 * program does then is not known; the re-execution shows whether it hangs.
 *
 * Cost: bounded for each signal that is examined, of which there are few for each thread.
 */
#include "generate/wakeup.h"

#define SIGNALS_MAX 16 /* last signals that are examined */
#define BACK_MAX 32    /* events before a signal that are examined */
#define ACCESSES_MAX 8 /* of them, accesses that may belong to the signal */
#define AHEAD_MAX 4    /* events after a signal that are examined */
#define READS_MAX 4    /* readers of one write */
#define WAITS_MAX 16   /* waits in progress */
#define LATER_MAX 64   /* waits after a read that are examined */
_Static_assert(2 * WAITS_MAX < FR_TARGETS, "the waits, their signals and the read are pending");

/* Returns the value that a write stored in the bytes of a mask. */
static uint64_t stored(const struct fr_mev *v, unsigned mask)
{
	return v->value & fr_mask_bytes((uint8_t)mask);
}

bool fr_wakeup_older(const struct fr_wakeups *s, fr_ev read, fr_ev than, fr_ev *ret)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	const struct fr_mev *r = &s->m->ev[read];
	const fr_ev *list = k->list + k->first[r->obj];
	uint32_t i = fr_list_lower(list, k->first[r->obj + 1] - k->first[r->obj], than);

	fr_assert(r->op == FR_OP_READ && than < s->m->n && s->m->ev[than].obj == r->obj);
	*ret = FR_NO_EV;
	while (i-- > 0) {
		const struct fr_mev *v = &s->m->ev[list[i]];

		if (v->op != FR_OP_WRITE || !(v->mask & r->mask))
			continue;
		*ret = list[i];
		return v->flags & FR_F_NOVALUE ||
		       stored(v, v->mask & r->mask) != stored(r, v->mask & r->mask);
	}
	return true;
}

static bool has_thread(const struct fr_wakeups *s, const fr_ev *held, uint32_t n, fr_ev e)
{
	for (uint32_t i = 0; i < n; i++)
		if (fr_wakeup_thread(s, held[i]) == fr_wakeup_thread(s, e))
			return true;
	return false;
}

/* Adds a candidate in which these events of other threads are pending. */
static void add(struct fr_wakeups *s, fr_ev signal, fr_ev read, fr_ev write, fr_ev sees,
		const fr_ev *held, uint32_t n)
{
	bool newer = sees == write;
	bool after =
	    newer ? fr_wakeup_thread(s, read) != fr_wakeup_thread(s, signal)
		  : fr_wakeup_thread(s, write) == fr_wakeup_thread(s, signal) && write > signal;
	uint64_t key = fr_mix(fr_mix(fr_wakeup_site(s, read), fr_wakeup_site(s, write)),
			      fr_wakeup_site(s, signal));
	struct fr_instance *in = fr_wakeup_add(s, key, 2);

	if (!in)
		return;
	fr_assert(n < FR_TARGETS);
	for (uint32_t i = 0; i < n; i++)
		fr_assert(!has_thread(s, held, i, held[i]) && !has_thread(s, &read, 1, held[i]));
	for (uint32_t i = 0; i < n; i++)
		in->what.pending[i] = fr_head(s->m, held[i]);
	in->nheld = n;
	in->what.npending = n + 1;
	in->what.pending[n] = fr_head(s->m, read);
	in->what.sees.on = true;
	in->what.sees.read = read;
	in->what.sees.write = sees;
	if (after) {
		in->what.nedges = 1;
		in->what.edge[0].before = fr_head(s->m, signal);
		in->what.edge[0].after = fr_head(s->m, read);
	}
	if (newer) {
		in->actor[0] = (struct fr_actor){write, FR_ROLE_WRITER, 1};
		in->actor[1] = (struct fr_actor){read, FR_ROLE_READER, 1};
		return;
	}
	in->actor[0] = (struct fr_actor){read, FR_ROLE_READER, 1};
	in->actor[1] = (struct fr_actor){write, FR_ROLE_TOO_LATE, 1};
}

/* Finds the last wait of each thread that began before the read. Puts those first that were not
   over by then; *ret_open: their number. Returns the number of all. */
static uint32_t waits_before(const struct fr_wakeups *s, fr_ev read, fr_ev ret[WAITS_MAX],
			     uint32_t *ret_open)
{
	uint32_t n = 0;

	*ret_open = 0;
	for (size_t i = fr_bisect(s->wait.n, k, s->wait.v[k].begin < read);
	     i-- > 0 && n < WAITS_MAX;) {
		const struct fr_wakeup_wait *w = &s->wait.v[i];
		bool seen = fr_wakeup_thread(s, w->begin) == fr_wakeup_thread(s, read);

		for (uint32_t k = 0; k < n && !seen; k++)
			seen = fr_wakeup_thread(s, ret[k]) == fr_wakeup_thread(s, w->begin);
		if (seen)
			continue;
		ret[n++] = w->wait;
		if (w->wait > read) {
			ret[n - 1] = ret[*ret_open];
			ret[(*ret_open)++] = w->wait;
		}
	}
	fr_assert(*ret_open <= n);
	return n;
}

/* Adds the signals that ended the first n waits, or the locks that their threads took before.
   Returns their number. */
static uint32_t add_signals(const struct fr_wakeups *s, fr_ev read, fr_ev *held, uint32_t n)
{
	uint32_t all = n;

	fr_assert(n <= WAITS_MAX); /* there is room for as many signals */
	for (uint32_t i = 0; i < n; i++) {
		bool post = s->m->ev[held[i]].op == FR_OP_SEM_WAIT;
		fr_ev e = post ? fr_post_of(s->c, held[i]) : fr_signal_of(s->c, held[i]);
		struct fr_held lock;

		if (e == FR_NO_EV || has_thread(s, held, all, e) || has_thread(s, &read, 1, e))
			continue;
		held[all++] = fr_locks_held(s->c, fr_head(s->m, e), &lock, 1) ? lock.acquire : e;
	}
	return all;
}

/* Adds the first wait of each other thread after the read that can come before it. Returns the
   number of all. */
static uint32_t add_later(const struct fr_wakeups *s, fr_ev signal, fr_ev read,
			  fr_ev held[2 * WAITS_MAX], uint32_t n)
{
	size_t from = fr_bisect(s->wait.n, k, s->wait.v[k].begin < read);
	size_t end = fr_min(s->wait.n, from + LATER_MAX);

	for (size_t i = from; i < end && n < WAITS_MAX; i++) {
		const struct fr_wakeup_wait *w = &s->wait.v[i];

		if (!has_thread(s, held, n, w->begin) && !has_thread(s, &read, 1, w->begin) &&
		    !has_thread(s, &signal, 1, w->begin) && !fr_mhb(s->c, read, w->begin))
			held[n++] = w->wait;
	}
	return n;
}

static bool is_not_zero(const struct fr_wakeups *s, fr_ev read)
{
	return stored(&s->m->ev[read], s->m->ev[read].mask);
}

/* Adds the candidate in which the read sees the next write of another value. */
static void add_newer(struct fr_wakeups *s, fr_ev signal, fr_ev read, fr_ev write)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	const struct fr_mev *r = &s->m->ev[read];
	uint32_t end = k->first[r->obj + 1], n = 0;
	uint32_t i = k->first[r->obj] +
		     fr_list_lower(k->list + k->first[r->obj], end - k->first[r->obj], write + 1);

	for (; i < end && n < READS_MAX; i++) {
		const struct fr_mev *v = &s->m->ev[k->list[i]];

		if (v->op != FR_OP_WRITE || !(v->mask & r->mask) || v->flags & FR_F_SYNTH)
			continue;
		n++;
		if (v->thread == r->thread || v->flags & FR_F_NOVALUE ||
		    stored(v, v->mask & r->mask) == stored(r, v->mask & r->mask))
			continue;
		add(s, signal, read, k->list[i], k->list[i], NULL, 0);
		return;
	}
}

/* The read saw this write. */
static void add_all(struct fr_wakeups *s, fr_ev signal, fr_ev read, fr_ev write)
{
	fr_ev sees, held[2 * WAITS_MAX];
	uint32_t n, open, all, later;

	if (fr_wakeup_thread(s, read) == fr_wakeup_thread(s, write) ||
	    s->m->ev[read].flags & (FR_F_LATE | FR_F_BENIGN) || fr_mhb(s->c, write, read) ||
	    !fr_wakeup_older(s, read, write, &sees))
		return;
	n = waits_before(s, read, held, &open);
	all = add_signals(s, read, held, n);
	if (all > n)
		add(s, signal, read, write, sees, held, all);
	if (n)
		add(s, signal, read, write, sees, held, n);
	if (open && open < n)
		add(s, signal, read, write, sees, held, open);
	add(s, signal, read, write, sees, NULL, 0);
	if (sees != FR_NO_EV && is_not_zero(s, read))
		add(s, signal, read, write, FR_NO_EV, NULL, 0);
	add_newer(s, signal, read, write);
	later = add_later(s, signal, read, held, n);
	if (later > n)
		add(s, signal, read, write, sees, held, later);
}

/* The thread of the signal wrote this before it: looks for the readers. */
static void find_readers(struct fr_wakeups *s, fr_ev signal, fr_ev write)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	const struct fr_mev *w = &s->m->ev[write];
	uint32_t end = k->first[w->obj + 1], n = 0;
	uint32_t i = k->first[w->obj] +
		     fr_list_lower(k->list + k->first[w->obj], end - k->first[w->obj], write + 1);

	for (; i < end && n < READS_MAX; i++) {
		const struct fr_mev *v = &s->m->ev[k->list[i]];

		if (!(v->mask & w->mask))
			continue;
		if (v->op == FR_OP_WRITE)
			return;
		add_all(s, signal, k->list[i], write);
		n += v->thread != w->thread;
	}
}

static void find_writer(struct fr_wakeups *s, fr_ev signal, fr_ev read)
{
	fr_ev writer[8];

	fr_model_writers(s->m, read, writer);
	for (unsigned i = 0; i < 8; i++)
		if (writer[i] != FR_NO_EV) {
			add_all(s, signal, read, writer[i]);
			return;
		}
}

/* Looks at the accesses before a signal: those of its critical section, or the last ones. */
static void look_back(struct fr_wakeups *s, fr_ev signal)
{
	fr_ev e = fr_model_prev(s->m, signal);
	uint32_t n = 0;

	for (uint32_t i = 0; i < BACK_MAX && n < ACCESSES_MAX && e != FR_NO_EV; i++) {
		const struct fr_mev *v = &s->m->ev[e];

		if (v->op == FR_OP_WAIT || v->op == FR_OP_CREATE || v->op == FR_OP_START)
			return;
		if (v->op == FR_OP_WRITE && !(v->flags & FR_F_SYNTH))
			find_readers(s, signal, e);
		else if (v->op == FR_OP_READ)
			find_writer(s, signal, e);
		n += fr_is_access(v);
		e = fr_model_prev(s->m, e);
	}
}

/* Looks at the writes just after a signal, which its thread should have made before. */
static void look_ahead(struct fr_wakeups *s, fr_ev signal)
{
	fr_ev e = fr_model_next(s->m, signal);

	for (uint32_t n = 0; n < AHEAD_MAX && e != FR_NO_EV; n++) {
		const struct fr_mev *v = &s->m->ev[e];

		if (v->op == FR_OP_WRITE && !(v->flags & FR_F_SYNTH))
			find_readers(s, signal, e);
		else if (v->op != FR_OP_READ && v->op != FR_OP_RELEASE)
			return;
		e = fr_model_next(s->m, e);
	}
}

void fr_wakeup_paths(struct fr_wakeups *s)
{
	uint32_t n = 0;

	for (size_t i = s->signal.n; i-- > 0 && n < SIGNALS_MAX; n++) {
		look_back(s, s->signal.v[i]);
		look_ahead(s, s->signal.v[i]);
	}
}
