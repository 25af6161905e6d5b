/* Merges the events of all threads with a heap of iterators, ordered by (stamp, thread). */
#include "trace/merge.h"
#include "base/assert.h"

static bool before(const struct fr_merge *m, uint32_t a, uint32_t b)
{
	const struct fr_merge_source *x = &m->source[a], *y = &m->source[b];

	if (x->stamp != y->stamp)
		return x->stamp < y->stamp;
	if (x->exact != y->exact)
		return x->exact;
	return a < b;
}

static void sift_down(struct fr_merge *m, uint32_t at)
{
	fr_assert_slow(at < m->n);
	for (;;) {
		uint32_t least = at, t;

		for (uint32_t child = 2 * at + 1; child <= 2 * at + 2 && child < m->n; child++)
			if (before(m, m->heap[child], m->heap[least]))
				least = child;
		if (least == at)
			return;
		t = m->heap[at];
		m->heap[at] = m->heap[least];
		m->heap[least] = t;
		at = least;
	}
}

/* Reads the next event of a source. Returns like fr_iter_next. */
static int advance(struct fr_merge_source *s, struct fr_err *reterr)
{
	int r = fr_iter_next(&s->it, &s->rec, reterr);
	uint64_t stamp = s->stamp;
	unsigned kind;

	if (r <= 0)
		return r;
	kind = fr_event_kind(s->rec.e);
	s->exact = fr_event_is(kind) & FR_IS_STAMPED;
	if (s->exact)
		stamp = s->rec.e->value;
	else if (kind == FR_EV_STAMP)
		stamp = fr_event_addr(s->rec.e);
	if (stamp > s->stamp)
		s->stamp = stamp;
	return 1;
}

int fr_merge_open(struct fr_merge *m, const struct fr_trace *t, struct fr_err *reterr)
{
	int r = 0;

	*m = (struct fr_merge){.trace = t, .sources = (uint32_t)t->thread.n};
	m->source = fr_xcalloc(t->thread.n, sizeof(*m->source));
	m->heap = fr_xcalloc(t->thread.n, sizeof(*m->heap));
	for (uint32_t i = 0; i < m->sources && r >= 0; i++) {
		fr_iter_open(&m->source[i].it, t, &t->thread.v[i]);
		r = advance(&m->source[i], reterr);
		if (r > 0)
			m->heap[m->n++] = i;
	}
	if (r < 0) {
		fr_merge_close(m);
		return r;
	}
	fr_assert(m->n <= m->sources);
	for (uint32_t i = m->n / 2; i-- > 0;)
		sift_down(m, i);
	return 0;
}

int fr_merge_next(struct fr_merge *m, struct fr_rec *ret, const struct fr_trace_thread **ret_thread,
		  uint64_t *ret_stamp, bool *ret_exact, struct fr_err *reterr)
{
	struct fr_merge_source *s;
	int r;

	/* Advance only now: the last event returned must stay valid until this call. */
	if (m->started && m->n) {
		s = &m->source[m->heap[0]];
		r = advance(s, reterr);
		if (r < 0)
			return r;
		if (!r)
			m->heap[0] = m->heap[--m->n];
		if (m->n)
			sift_down(m, 0);
	}
	m->started = true;
	if (!m->n)
		return 0;
	s = &m->source[m->heap[0]];
	fr_assert_slow(m->n < 2 || !before(m, m->heap[1], m->heap[0]));
	*ret = s->rec;
	*ret_thread = s->it.thread;
	*ret_stamp = s->stamp;
	*ret_exact = s->exact;
	return 1;
}

void fr_merge_close(struct fr_merge *m)
{
	for (uint32_t i = 0; i < m->sources; i++)
		fr_iter_close(&m->source[i].it);
	free(m->source);
	free(m->heap);
	*m = (struct fr_merge){0};
}
