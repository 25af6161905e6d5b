/*
 * A cut as words of the model machine.
 *
 * Words:   those that an event of the scope can change. All others stay as they are at the cut of
 *          the question, so a copy of these words is a copy of the state.
 * Equal:   two orders of the same steps can leave different words, although no later step can tell.
 *          fr_words_save changes such words to one form: memory that nothing reads any more, writes
 *          of the same value, writes whose values are unknown under the mask, and the clock values
 *          of waits and signals, of which only the order counts. The machine continues with the
 *          form, so a wrong one shows as a schedule that the checker rejects.
 */
#include "base/assert.h"
#include "lattice/lattice_internal.h"
#include <string.h>

struct collecting {
	struct fr_words *w;
	struct fr_map index; /* word -> index into w->v + 1 */
};

static struct fr_word *add_word(struct collecting *c, uint32_t at)
{
	uint64_t *i = fr_map_put(&c->index, at);

	fr_assert_slow(at < c->w->x->nw);
	if (!*i) {
		fr_vec_push(&c->w->v, ((struct fr_word){.at = at}));
		*i = c->w->v.n;
	}
	return &c->w->v.v[*i - 1];
}

static void add_words(struct collecting *c, uint32_t at, uint32_t n)
{
	while (n--)
		add_word(c, at++);
}

/* The word after those of a condition. */
static uint32_t end_of_cond(const struct fr_machine *x, uint32_t cond)
{
	return cond + 1 < x->m->cls[FR_C_COND].n ? x->cond[cond + 1] : x->loc;
}

static void add_cond(struct collecting *c, uint32_t cond)
{
	const struct fr_machine *x = c->w->x;
	uint32_t from = x->cond[cond], end = end_of_cond(x, cond);

	for (size_t i = 0; i < c->w->cond.n; i += 2)
		if (c->w->cond.v[i] == from)
			return;
	fr_vec_push(&c->w->cond, from);
	fr_vec_push(&c->w->cond, end);
	add_words(c, from, end - from);
	add_word(c, FR_W_NOW);
}

static void add_access(struct collecting *c, const struct fr_mev *v, uint32_t object)
{
	const struct fr_machine *x = c->w->x;
	uint32_t bytes = fr_machine_bytes(x, v->obj);

	for (unsigned i = 0; i < (bytes ? 8 : 1); i++) {
		struct fr_word *w = add_word(c, bytes ? bytes + i : x->loc + v->obj);

		w->is_cell = true;
		w->object = object;
		w->bytes = bytes ? UINT64_C(0xff) << (8 * i) : fr_mask_bytes(v->mask);
		w->by_event |= !!(v->flags & FR_F_NOVALUE);
	}
}

static void add_event(struct collecting *c, fr_ev e, uint32_t object)
{
	const struct fr_machine *x = c->w->x;
	const struct fr_mev *v = &x->m->ev[e];

	switch (fr_op_class[v->op]) {
	case FR_C_LOC:
		add_access(c, v, object);
		return;
	case FR_C_LOCK:
		add_words(c, x->lock + v->obj * FR_LW_WORDS, FR_LW_WORDS);
		return;
	case FR_C_COND:
		add_cond(c, v->obj);
		return;
	case FR_C_SEM:
		add_word(c, x->sem + v->obj);
		return;
	case FR_C_BARRIER:
		add_word(c, x->barrier + v->obj);
		return;
	case FR_C_ONCE:
		add_word(c, x->once + v->obj);
		return;
	case FR_C_THREAD:
		if (v->op == FR_OP_CREATE)
			add_words(c, fr_machine_thread(x, v->obj), FR_TW_WORDS);
		return;
	default:
		return;
	}
}

static int by_at(const void *a, const void *b)
{
	const struct fr_word *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

void fr_words_init(struct fr_words *w, const struct fr_scope *s, struct fr_machine *x)
{
	struct collecting c = {.w = w};

	*w = (struct fr_words){.s = s, .x = x};
	FR_VEC_FOREACH (l, &s->lane) {
		add_words(&c, fr_machine_thread(x, l->thread), FR_TW_WORDS);
		for (uint32_t k = l->from; k < l->end; k++)
			add_event(&c, s->m->thread[l->thread].ev[k], l->use[k - l->from]);
	}
	fr_map_free(&c.index);
	if (w->v.n)
		qsort(w->v.v, w->v.n, sizeof(*w->v.v), by_at);
	for (size_t i = 1; i < w->v.n; i++)
		fr_assert(w->v.v[i - 1].at < w->v.v[i].at);
	w->start = fr_xmalloc((w->v.n + 1) * sizeof(*w->start));
	for (size_t i = 0; i < w->v.n; i++)
		w->start[i] = x->w[w->v.v[i].at];
}

void fr_words_free(struct fr_words *w)
{
	FR_VEC_FOREACH (k, &w->v)
		fr_vec_free(&k->alike);
	fr_vec_free(&w->v);
	fr_vec_free(&w->cond);
	fr_vec_free(&w->clock);
	free(w->start);
}

void fr_words_load(struct fr_words *w, const uint32_t *from)
{
	for (size_t i = 0; i < w->v.n; i++)
		w->x->w[w->v.v[i].at] = from[i];
}

/* ---- the common form ---- */

static bool is_unknown(const struct fr_words *w, uint32_t cell)
{
	return w->s->q->mask && cell >= w->s->q->cut && !fr_mask_write(w->s->q->mask, cell);
}

/* Do two cells of a word explain the same reads? */
static bool are_alike(const struct fr_words *w, const struct fr_word *k, uint32_t a, uint32_t b)
{
	const struct fr_mev *x, *y;

	if (a == b)
		return true;
	if (k->by_event || a & FR_CELL_INITIAL || b & FR_CELL_INITIAL)
		return false;
	if (is_unknown(w, a) || is_unknown(w, b))
		return is_unknown(w, a) && is_unknown(w, b);
	x = &w->s->m->ev[a];
	y = &w->s->m->ev[b];
	return !((x->flags | y->flags) & FR_F_NOVALUE) && !((x->value ^ y->value) & k->bytes);
}

static uint32_t common_cell(struct fr_words *w, struct fr_word *k, uint32_t start)
{
	uint32_t cell = w->x->w[k->at];

	fr_assert_slow(k->object);
	if (!fr_scope_read_later(w->s, w->x, k->object))
		return start;
	FR_VEC_FOREACH (a, &k->alike)
		if (are_alike(w, k, *a, cell))
			return *a;
	fr_vec_push(&k->alike, cell);
	return cell;
}

static void note_clock(struct fr_words *w, uint32_t value)
{
	size_t i;

	if (!value)
		return;
	i = fr_bisect(w->clock.n, k, w->clock.v[k] < value);
	if (i < w->clock.n && w->clock.v[i] == value)
		return;
	fr_vec_push(&w->clock, value);
	memmove(w->clock.v + i + 1, w->clock.v + i, (w->clock.n - 1 - i) * sizeof(*w->clock.v));
	w->clock.v[i] = value;
}

/* The clock values of all threads that wait and of all signals, in `call`. */
static void each_clock(struct fr_words *w, void (*call)(struct fr_words *w, uint32_t at))
{
	uint32_t *v = w->x->w;

	FR_VEC_FOREACH (l, &w->s->lane) {
		uint32_t th = fr_machine_thread(w->x, l->thread);

		if (v[th + FR_TW_SINCE])
			call(w, th + FR_TW_SINCE);
		else
			v[th + FR_TW_COND] = 0;
	}
	for (size_t i = 0; i < w->cond.n; i += 2) {
		uint32_t at = w->cond.v[i], n = v[at + FR_CW_FREE];

		if (!v[at + FR_CW_WAITING])
			v[at + FR_CW_BROADCAST] = 0;
		call(w, at + FR_CW_BROADCAST);
		for (uint32_t k = at + FR_CW_WORDS; k < w->cond.v[i + 1]; k++)
			if (k < at + FR_CW_WORDS + n)
				call(w, k);
			else
				v[k] = 0;
	}
}

static void collect_clock(struct fr_words *w, uint32_t at)
{
	note_clock(w, w->x->w[at]);
}

static void rank_clock(struct fr_words *w, uint32_t at)
{
	uint32_t value = w->x->w[at];

	fr_assert_slow(!value || w->clock.n);
	if (value)
		w->x->w[at] = (uint32_t)fr_bisect(w->clock.n, k, w->clock.v[k] < value) + 1;
}

void fr_words_save(struct fr_words *w, uint32_t *ret)
{
	for (size_t i = 0; i < w->v.n; i++)
		if (w->v.v[i].is_cell)
			w->x->w[w->v.v[i].at] = common_cell(w, &w->v.v[i], w->start[i]);
	if (w->cond.n) {
		w->clock.n = 0;
		each_clock(w, collect_clock);
		each_clock(w, rank_clock);
		w->x->w[FR_W_NOW] = (uint32_t)w->clock.n;
	}
	for (size_t i = 0; i < w->v.n; i++)
		ret[i] = w->x->w[w->v.v[i].at];
}
