/*
 * Deadlocks on a path that the recorded run did not take: a thread holds a lock and waits for a
 * flag. The thread that sets the flag needs that lock first. Let R be a read under lock L, and W
 * the write that it saw. W's thread held L before. If R comes first, its thread may wait for ever
 * while it holds L: at a future, a latch, its own flag, or a condition variable whose mutex also
 * protects R. R is pending and sees the value before W, and the other thread is about to acquire L.
 * The re-execution shows whether the program then hangs.
 *
 * Reads that are not atomic count only under two locks, soon after the second one was acquired.
 */
#include "generate/wakeup.h"

#define READS_MAX 64   /* reads with such a write that are examined */
#define PLAIN_MAX 4096 /* reads that are not atomic and are examined */
#define SOON 8	       /* events between an acquisition and such a read */
#define LOCKS_MAX 8u   /* locks held at a read */
#define BACK_MAX 256   /* events before a write that are searched for the lock */

/* Returns the last acquisition of the lock before the write, in the same thread, if the thread gave
   the lock back before the write; else FR_NO_EV. */
static fr_ev had_before(const struct fr_wakeups *s, fr_ev write, uint32_t lock)
{
	fr_ev e = fr_model_prev(s->m, write);

	for (uint32_t n = 0; n < BACK_MAX && e != FR_NO_EV; n++) {
		const struct fr_mev *v = &s->m->ev[e];

		if (fr_op_class[v->op] == FR_C_LOCK && v->obj == lock &&
		    (v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_SHARED)) {
			fr_ev end = fr_release_of(s->c, e);

			return end != FR_NO_EV && end < write ? e : FR_NO_EV;
		}
		e = fr_model_prev(s->m, e);
	}
	return FR_NO_EV;
}

static void add(struct fr_wakeups *s, fr_ev read, fr_ev write, fr_ev sees, fr_ev acquire)
{
	uint64_t key = fr_mix(fr_mix(fr_wakeup_site(s, read), fr_wakeup_site(s, write)), 288);
	struct fr_instance *in;

	fr_assert(fr_wakeup_thread(s, acquire) == fr_wakeup_thread(s, write) && acquire < write);
	fr_assert(fr_wakeup_thread(s, acquire) != fr_wakeup_thread(s, read));
	s->bug = (uint64_t)fr_wakeup_site(s, read) + 1;
	in = fr_wakeup_add(s, key, 2);
	if (!in)
		return;
	in->what.npending = 2;
	in->what.pending[0] = fr_head(s->m, acquire);
	in->nheld = 1;
	in->what.pending[1] = fr_head(s->m, read);
	in->what.sees.on = true;
	in->what.sees.read = read;
	in->what.sees.write = sees;
	in->actor[0] = (struct fr_actor){read, FR_ROLE_READER, 1};
	in->actor[1] = (struct fr_actor){write, FR_ROLE_TOO_LATE, 1};
}

/* Looks at a read under locks. Returns whether it made a candidate. */
static bool look_at(struct fr_wakeups *s, fr_ev read)
{
	struct fr_held held[LOCKS_MAX];
	uint32_t n = fr_locks_held(s->c, read, held, LOCKS_MAX);
	fr_ev writer[8], write = FR_NO_EV, sees, acquire = FR_NO_EV;

	if (n < (s->m->ev[read].flags & FR_F_ATOMIC ? 1 : 2))
		return false;
	fr_model_writers(s->m, read, writer);
	for (unsigned i = 0; i < 8 && write == FR_NO_EV; i++)
		write = writer[i];
	if (write == FR_NO_EV || fr_wakeup_thread(s, write) == fr_wakeup_thread(s, read) ||
	    fr_mhb(s->c, write, read) || !fr_wakeup_older(s, read, write, &sees))
		return false;
	for (uint32_t i = 0; i < fr_min(n, LOCKS_MAX) && acquire == FR_NO_EV; i++)
		acquire = had_before(s, write, held[i].lock);
	if (acquire == FR_NO_EV || fr_mhb(s->c, acquire, read))
		return false;
	add(s, read, write, sees, acquire);
	return true;
}

/* Is it a read that may decide about a wait? `since`: events of its thread since the last
   acquisition. */
static bool is_wanted(const struct fr_mev *v, uint32_t since, uint32_t *plain)
{
	if (v->op != FR_OP_READ || v->origin & 3 ||
	    v->flags & (FR_F_LATE | FR_F_BENIGN | FR_F_RANGE))
		return false;
	if (v->flags & FR_F_ATOMIC)
		return true;
	return since <= SOON && *plain < PLAIN_MAX && ++*plain;
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct fr_wakeups s = {.m = m, .c = c, .ret = ret};
	uint32_t *since = fr_xmalloc(m->nthreads * sizeof(*since)), n = 0, plain = 0;

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	for (uint32_t i = 0; i < m->nthreads; i++)
		since[i] = SOON;
	for (fr_ev e = 0; e < m->n && n < READS_MAX; e++) {
		const struct fr_mev *v = &m->ev[e];

		fr_assert_slow(v->thread < m->nthreads);
		since[v->thread] += since[v->thread] <= SOON;
		if (v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_SHARED)
			since[v->thread] = 0;
		if (is_wanted(v, since[v->thread], &plain))
			n += look_at(&s, e);
	}
	free(since);
	fr_map_free(&s.index);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_wakeup_held = {
    .name = "deadlock",
    .meeting = FR_MEETING_HANG,
    .needs = FR_NEEDS_HANG,
    .rank = 30,
    .generate = generate,
};
