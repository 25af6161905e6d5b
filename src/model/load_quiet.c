/*
 * The state of each granule during the search for phases. load_phase.c defines quiet and lists the
 * cases that are not handled.
 *
 * Cost: a few comparisons per access; for a write after many readers, one comparison per reader.
 */
#include "model/load_quiet.h"
#include "base/assert.h"

#define MANY UINT16_MAX

void fr_quiet_init(struct fr_quiet *q, uint32_t granules)
{
	q->state = fr_xcalloc(granules, sizeof(*q->state));
	for (uint32_t i = 0; i < granules; i++)
		q->state[i].from = FR_QUIET;
}

void fr_quiet_free(struct fr_quiet *q)
{
	FR_VEC_FOREACH (r, &q->readers)
		fr_vec_free(&r->v);
	fr_vec_free(&q->readers);
	fr_vec_free(&q->spare);
	free(q->state);
}

static inline bool precedes(const struct fr_quiet *q, struct fr_epoch e)
{
	fr_assert_slow(e.thread != MANY);
	return !e.thread || e.thread == q->t + 1 || q->now[e.thread - 1] > e.n;
}

static bool reads_precede(const struct fr_quiet *q, struct fr_epoch read)
{
	if (read.thread != MANY)
		return precedes(q, read);
	FR_VEC_FOREACH (e, &q->readers.v[read.n].v)
		if (!precedes(q, *e))
			return false;
	return true;
}

static void forget_readers(struct fr_quiet *q, struct fr_quiet_state *s)
{
	if (s->read.thread == MANY) {
		fr_assert(s->read.n < q->readers.n);
		q->readers.v[s->read.n].v.n = 0;
		fr_vec_push(&q->spare, s->read.n);
	}
	s->read = (struct fr_epoch){0};
}

static void disquiet(struct fr_quiet *q, struct fr_quiet_state *s)
{
	fr_assert(s->from == FR_QUIET);
	forget_readers(q, s);
	if (s->write.thread && precedes(q, s->write)) {
		s->from = s->write_stretch;
	} else if (s->before.thread && precedes(q, s->before)) {
		s->from = s->before_stretch;
		s->write = s->before;
	} else {
		s->from = 0;
	}
}

static void add_reader(struct fr_quiet *q, struct fr_quiet_state *s, struct fr_epoch e)
{
	struct fr_readers *r;
	uint32_t n;

	if (s->read.thread != MANY) {
		struct fr_epoch other = s->read;

		if (q->spare.n) {
			n = q->spare.v[--q->spare.n];
		} else {
			fr_vec_push(&q->readers, (struct fr_readers){0});
			n = (uint32_t)q->readers.n - 1;
		}
		fr_assert(!q->readers.v[n].v.n);
		s->read = (struct fr_epoch){n, MANY};
		fr_vec_push(&q->readers.v[n].v, other);
	}
	r = &q->readers.v[s->read.n];
	fr_assert(r->v.n); /* several threads read it */
	for (size_t i = 0; i < r->v.n; i++)
		if (r->v.v[i].thread == e.thread) {
			r->v.v[i] = r->v.v[0];
			r->v.v[0] = e;
			return;
		}
	fr_vec_push(&r->v, r->v.v[0]);
	r->v.v[0] = e;
}

void fr_quiet_access(struct fr_quiet *q, uint32_t granule, bool writes)
{
	struct fr_quiet_state *s = &q->state[granule];
	struct fr_epoch now = {q->now[q->t], (uint16_t)(q->t + 1)};
	bool same = s->write.thread == now.thread && s->write.n == now.n;

	fr_assert_slow(s->before_stretch <= s->write_stretch && s->write_stretch <= q->stretch);
	if (s->from != FR_QUIET) {
		if (s->from && !precedes(q, s->write))
			s->from = 0;
		return;
	}
	if (!same && !precedes(q, s->write)) {
		disquiet(q, s);
		return;
	}
	if (!writes) {
		if (s->read.thread == MANY)
			add_reader(q, s, now);
		else if (!same || s->read.thread)
			precedes(q, s->read) ? (void)(s->read = now) : add_reader(q, s, now);
		return;
	}
	if (s->read.thread) {
		if (!reads_precede(q, s->read)) {
			disquiet(q, s);
			return;
		}
		forget_readers(q, s);
	}
	if (!same) {
		s->before = s->write;
		s->before_stretch = s->write_stretch;
		s->write = now;
		s->write_stretch = q->stretch;
	}
}
