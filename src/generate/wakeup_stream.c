/*
 * Reads of an eventfd or the like that wait for ever, because another thread takes the data. Let X
 * and W be reads by two threads, both of which returned data in the recorded run. If all writes
 * come before X, X may take all data (an eventfd without EFD_SEMAPHORE). X is pending, the last
 * writes of each thread have happened, and W has yet to come. The model does not know how much X
 * takes; the re-execution shows whether W waits for ever. Not found: long reads of pipes and
 * sockets, which take no more bytes in a re-execution than in the recorded run.
 */
#include "generate/wakeup.h"

#define READS_MAX 8  /* last reads of an object that are examined */
#define OTHERS_MAX 4 /* threads whose reads are tried as X */

struct wakeup_stream {
	const fr_ev *list;
	uint32_t n;
};

/* Is it an object for which a thread may wait? The numbers of files have this bit
   (core/kernel.h). */
static bool may_wait(uint64_t addr)
{
	return addr & FR_STREAM && addr != FR_STREAM && !(addr & 2);
}

/* Does this event get data from the stream? An acquire that the loader inserted does not. */
static bool reads(const struct fr_wakeups *s, fr_ev e)
{
	return s->m->ev[e].op == FR_OP_ACQUIRE_ALL && !(s->m->ev[e].flags & FR_F_SYNTH);
}

/* Finds the last write of each thread that can come before X. Returns their number. */
static uint32_t writes(const struct fr_wakeups *s, const struct wakeup_stream *k, fr_ev x,
		       fr_ev ret[FR_EDGES])
{
	uint32_t n = 0;

	for (uint32_t i = k->n; i-- > 0 && n < FR_EDGES;) {
		fr_ev e = k->list[i];
		bool seen = fr_wakeup_thread(s, e) == fr_wakeup_thread(s, x);

		for (uint32_t t = 0; t < n && !seen; t++)
			seen = fr_wakeup_thread(s, ret[t]) == fr_wakeup_thread(s, e);
		if (!seen && s->m->ev[e].op == FR_OP_RELEASE_ALL && !fr_mhb(s->c, x, e))
			ret[n++] = e;
	}
	return n;
}

static void add(struct fr_wakeups *s, const struct wakeup_stream *k, fr_ev w, fr_ev x)
{
	uint64_t key = fr_mix(fr_mix(fr_wakeup_site(s, w), fr_wakeup_site(s, x)), 224);
	fr_ev write[FR_EDGES];
	uint32_t n = writes(s, k, x, write);
	struct fr_instance *in = n ? fr_wakeup_add(s, key, n + 1) : NULL;

	fr_assert(fr_wakeup_thread(s, w) != fr_wakeup_thread(s, x) && n <= FR_EDGES);
	if (!in)
		return;
	in->what.npending = 2;
	in->what.pending[0] = fr_head(s->m, w);
	in->nheld = 1;
	in->what.pending[1] = fr_head(s->m, x);
	in->what.nedges = n;
	for (uint32_t i = 0; i < n; i++) {
		fr_ev e = write[n - 1 - i]; /* in the order of the run */

		in->what.edge[i].before = fr_head(s->m, e);
		in->what.edge[i].after = fr_head(s->m, x);
		in->actor[i] = (struct fr_actor){e, FR_ROLE_SIGNALS, 0};
	}
	in->actor[n] = (struct fr_actor){x, FR_ROLE_TAKES, 0};
}

/* Tries the last read of each other thread. */
static void find(struct fr_wakeups *s, const struct wakeup_stream *k, fr_ev w)
{
	uint32_t thread[OTHERS_MAX], n = 0;

	for (uint32_t i = k->n; i-- > 0 && n < OTHERS_MAX;) {
		fr_ev x = k->list[i];
		bool seen = fr_wakeup_thread(s, x) == fr_wakeup_thread(s, w);

		for (uint32_t t = 0; t < n && !seen; t++)
			seen = thread[t] == fr_wakeup_thread(s, x);
		if (seen || !reads(s, x) || fr_mhb(s->c, w, x) || fr_mhb(s->c, x, w))
			continue;
		thread[n++] = fr_wakeup_thread(s, x);
		add(s, k, w, x);
	}
}

void fr_wakeup_streams(struct fr_wakeups *s)
{
	const struct fr_mclass *c = &s->m->cls[FR_C_FLAG];

	for (uint32_t o = 0; o < c->n; o++) {
		struct wakeup_stream k = {c->list + c->first[o], c->first[o + 1] - c->first[o]};
		uint32_t left = READS_MAX;

		if (!may_wait(c->obj[o].addr))
			continue;
		s->bug = UINT64_MAX;
		for (uint32_t i = 0; i < k.n; i++)
			s->bug = fr_min(s->bug, (uint64_t)fr_wakeup_site(s, k.list[i]) + 1);
		for (uint32_t i = k.n; i-- > 0 && left;) {
			if (!reads(s, k.list[i]))
				continue;
			left--;
			find(s, &k, k.list[i]);
		}
	}
}
