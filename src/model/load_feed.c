/*
 * Turns a thread's slots into items in program order. Accesses are cut into granules, and only
 * shared granules pass. Ranges are expanded. Accesses that other threads recorded are inserted at
 * their hook.
 *
 * Relies on the first pass for the distance by which an item can be out of order (`slack`).
 */
#include "model/load.h"
#include <string.h>

#define BATCH 16 /* items at a time: a call for each item would cost more than its work */

void fr_feed_open(struct fr_load *l, struct fr_lthread *t)
{
	fr_assert(!t->open && !t->tail && !t->records);
	fr_iter_open(&t->it, l->trace, t->t);
	t->it.kept = &l->kept;
	t->open = true;
	t->mask = 255;
	t->item = fr_xmalloc((t->mask + 1) * sizeof(*t->item));
	if (t->slack)
		t->border = fr_xcalloc(t->slack, sizeof(*t->border));
}

void fr_feed_close(struct fr_lthread *t)
{
	fr_assert(t->open);
	fr_iter_close(&t->it);
	free(t->item);
	free(t->border);
	free(t->bucket);
	t->item = NULL;
	t->bucket = NULL;
	t->border = NULL;
	t->open = false;
}

void fr_feed_rewind(struct fr_lthread *t)
{
	if (t->open)
		fr_feed_close(t);
	t->ended = false;
	t->next_late = 0;
	t->records = t->head = t->known = t->stop = t->tail = 0;
}

static void grow(struct fr_lthread *t)
{
	uint64_t mask = t->mask * 2 + 1;
	struct fr_item *item = fr_xmalloc((mask + 1) * sizeof(*item));

	fr_assert(t->tail - t->head == t->mask + 1); /* it is full */
	for (uint64_t i = t->head; i < t->tail; i++)
		item[i & mask] = t->item[i & t->mask];
	free(t->item);
	t->item = item;
	t->mask = mask;
}

static inline struct fr_item *append(struct fr_lthread *t)
{
	if (__builtin_expect(t->tail - t->head > t->mask, 0))
		grow(t);
	return &t->item[t->tail++ & t->mask];
}

/* Sorts the last n items, which belong to a late access, by hook among the items before them. */
static void sort_by_hook(struct fr_lthread *t, uint64_t n)
{
	uint64_t first = t->tail - n, to = first;

	fr_assert(n && first >= t->known);
	while (to > t->known && fr_item_at(t, to - 1)->hook > fr_item_at(t, first)->hook)
		to--;
	for (uint64_t k = 0; k < n; k++) {
		struct fr_item x = *fr_item_at(t, first + k);

		for (uint64_t i = first + k; i > to + k; i--)
			*fr_item_at(t, i) = *fr_item_at(t, i - 1);
		*fr_item_at(t, to + k) = x;
	}
	fr_assert(to == t->known || fr_item_at(t, to - 1)->hook <= fr_item_at(t, to)->hook);
	for (uint32_t i = 0; i < t->slack; i++)
		if (t->border[i] > to)
			t->border[i] += n;
}

/* Is this access left out because its granule is in a quiet phase? If so, a write still updates the
   granule's value, since every access that is kept must happen after it. */
static bool of_quiet_phase(struct fr_load *l, struct fr_lthread *t, uint64_t hook, uint32_t granule,
			   bool writes, unsigned mask, const uint64_t *value)
{
	struct fr_gran *g;

	if (!l->gran || !l->gran[granule].from)
		return false;
	fr_assert_slow(granule < l->shadow.granules);
	g = &l->gran[granule];
	while (t->next_stretch && t->stretch.v[t->next_stretch - 1].hook > hook)
		t->next_stretch--;
	while (t->next_stretch < t->stretch.n && t->stretch.v[t->next_stretch].hook <= hook)
		t->next_stretch++;
	if (!t->next_stretch || t->stretch.v[t->next_stretch - 1].number >= g->from)
		return false;
	if (!writes)
		return true;
	g->written |= (uint8_t)mask;
	g->known &= (uint8_t)~mask;
	g->given &= (uint8_t)~mask;
	if (value) {
		g->value = (g->value & ~fr_mask_bytes((uint8_t)mask)) | *value;
		g->known |= (uint8_t)mask;
	}
	return true;
}

static inline bool left_out(struct fr_load *l, struct fr_lthread *t, uint64_t hook,
			    uint32_t granule, bool writes, unsigned mask, const uint64_t *value)
{
	return __builtin_expect(t->stretch.n != 0, 0) &&
	       of_quiet_phase(l, t, hook, granule, writes, mask, value);
}

struct cut {
	struct fr_load *l;
	struct fr_lthread *t;
	uint64_t hook, lo, hi;
	uint32_t site;
	uint16_t flags;
	uint8_t kind;
	bool any;
};

/* Emits one granule of a range, or of a large access: zeros, or without a value. */
static void cut_granule(void *arg, uint32_t granule, uint64_t addr)
{
	struct cut *c = arg;
	unsigned from = c->lo > addr ? (unsigned)(c->lo - addr) : 0;
	unsigned to = c->hi < addr + 8 ? (unsigned)(c->hi - addr) : 8;
	unsigned mask = (0xffu << from) & (0xffu >> (8 - to));
	static const uint64_t zero = 0;
	struct fr_item *i;

	fr_assert_slow(from < to && to <= 8);
	if (left_out(c->l, c->t, c->hook, granule, c->kind == FR_EV_WRITE, mask,
		     c->flags & FR_F_NOVALUE ? NULL : &zero))
		return;
	i = append(c->t);
	*i = (struct fr_item){.hook = c->hook,
			      .granule = granule,
			      .site = c->site,
			      .flags = c->flags | (c->any ? FR_F_PART : 0),
			      .kind = c->kind,
			      .aux = (uint8_t)mask};
	c->any = true;
}

static inline uint64_t low_bytes(unsigned n)
{
	return n >= 8 ? ~UINT64_C(0) : (UINT64_C(1) << (8 * n)) - 1;
}

/* Emits the bytes of an access that lie in one granule; they are the low bytes of `value`. */
static inline bool put_granule(struct fr_load *l, struct fr_lthread *t, uint64_t hook,
			       uint64_t addr, unsigned size, uint64_t value, uint32_t site,
			       unsigned kind, unsigned flags)
{
	uint32_t granule = fr_shadow_granule(&l->shadow, addr);
	uint64_t bytes = (value & low_bytes(size)) << (8 * (addr & 7));
	unsigned mask = (0xffu >> (8 - size)) << (addr & 7);
	struct fr_item *i;

	fr_assert_slow(size && size + (addr & 7) <= 8);
	if (granule == FR_NO_GRANULE || left_out(l, t, hook, granule, kind == FR_EV_WRITE, mask,
						 flags & FR_F_NOVALUE ? NULL : &bytes))
		return false;
	i = append(t);
	i->value = bytes;
	i->hook = hook;
	i->granule = granule;
	i->site = site;
	i->flags = (uint16_t)flags;
	i->kind = (uint8_t)kind;
	i->aux = (uint8_t)mask;
	return true;
}

/* Emits an access of 1 to 8 bytes with a value. Returns whether any of it passed. */
static bool put_value(struct fr_load *l, struct fr_lthread *t, uint64_t hook, uint64_t addr,
		      unsigned size, uint64_t value, uint32_t site, unsigned kind, unsigned flags)
{
	unsigned n = fr_min(size, 8 - (unsigned)(addr & 7));
	bool any;

	if (n < size)
		flags |= FR_ITEM_ORIGIN(FR_ORIGIN_SPLIT);
	any = put_granule(l, t, hook, addr, n, value, site, kind, flags);
	if (n < size)
		any |= put_granule(l, t, hook, addr + n, size - n, value >> (8 * n), site, kind,
				   flags | (any ? FR_F_PART : 0));
	return any;
}

/* Does the site write zeros? The events of ranges and of large accesses contain no values. A range
   may also stand for all stores of a loop, of which the site is one. */
static bool is_zeroed(struct fr_load *l, uint32_t site, bool range)
{
	unsigned want = FR_SITE_ZEROES | (range ? FR_SITE_RANGE : 0);

	if (l->fill.site != site) {
		l->fill.site = site;
		l->fill.access = fr_sites_get(l->trace->sites, site).access;
	}
	return (l->fill.access & want) == want;
}

static bool put_range(struct fr_load *l, struct fr_lthread *t, uint64_t hook, uint64_t addr,
		      uint64_t size, uint32_t site, unsigned kind, unsigned flags)
{
	bool zeroed = kind == FR_EV_WRITE && is_zeroed(l, site, flags & FR_F_RANGE);
	struct cut c = {.l = l,
			.t = t,
			.hook = hook,
			.lo = addr,
			.hi = addr + size,
			.site = site,
			.flags = (uint16_t)(flags | (zeroed ? 0 : FR_F_NOVALUE)),
			.kind = (uint8_t)kind,
			.any = flags & FR_F_PART};

	c.flags &= (uint16_t)~FR_F_PART;
	fr_shadow_walk(&l->shadow, c.lo, c.hi, cut_granule, &c);
	return c.any;
}

static void put_strides(struct fr_load *l, struct fr_lthread *t, const struct fr_rec *rec)
{
	uint64_t addr = fr_event_addr(rec->e), count = fr_event_addr(&rec->e[1]);
	int64_t stride = (int64_t)rec->e[1].value;
	uint64_t elem = rec->e[1].site;
	uint32_t site = rec->e->site;
	unsigned kind = fr_event_kind(rec->e) == FR_EV_RANGE_READ ? FR_EV_READ : FR_EV_WRITE;
	unsigned part = 0;

	if (stride == (int64_t)elem && count) { /* no gaps */
		elem *= count;
		count = 1;
	}
	for (uint64_t i = 0; i < count; i++, addr += (uint64_t)stride)
		if (put_range(l, t, rec->hook, addr & FR_ADDR_MASK, elem, site, kind,
			      FR_F_RANGE | part))
			part = FR_F_PART;
}

static void put_atomic(struct fr_load *l, struct fr_lthread *t, const struct fr_rec *rec)
{
	unsigned kind = fr_event_kind(rec->e), aux = fr_event_aux(rec->e), size = 1u << (aux & 7);
	uint64_t addr = fr_event_addr(rec->e), value = rec->e->value;
	bool writes =
	    fr_event_is(kind) & FR_IS_WRITE && (kind != FR_EV_ATOMIC_CAS || aux & FR_ATOMIC_OK);
	unsigned flags = FR_F_ATOMIC, part = 0;

	if (kind == FR_EV_ATOMIC_RMW || kind == FR_EV_ATOMIC_CAS)
		flags |= FR_ITEM_ORIGIN(kind == FR_EV_ATOMIC_RMW ? FR_ORIGIN_RMW : FR_ORIGIN_CAS);

	if (kind != FR_EV_ATOMIC_STORE) {
		bool any = size <= 8 ? put_value(l, t, rec->hook, addr, size, value, rec->e->site,
						 FR_EV_READ, flags)
				     : put_range(l, t, rec->hook, addr, size, rec->e->site,
						 FR_EV_READ, flags);

		part = any ? FR_F_PART : 0;
		value = rec->n > 1 ? rec->e[1].value : 0;
	}
	if (!writes)
		return;
	if (size <= 8)
		put_value(l, t, rec->hook, addr, size, value, rec->e->site, FR_EV_WRITE,
			  flags | part);
	else
		put_range(l, t, rec->hook, addr, size, rec->e->site, FR_EV_WRITE, flags | part);
}

static void put_late(struct fr_load *l, struct fr_lthread *t, const struct fr_late *x)
{
	unsigned size = FR_ACC_SIZE(x->aux), from = x->addr & 7;
	uint64_t before = t->tail;

	fr_assert(x->kind == FR_EV_LAST_READ || x->kind == FR_EV_LAST_WRITE);
	if (from + size > 8)
		size = 8 - from;
	if (x->kind == FR_EV_LAST_READ) {
		put_range(l, t, x->hook, x->addr, size, x->site, FR_EV_READ, FR_F_LATE);
	} else if (put_value(l, t, x->hook, x->addr, size, x->value >> (8 * from), x->site,
			     FR_EV_WRITE, FR_F_LATE)) {
		fr_item_at(t, t->tail - 1)->flags |= FR_ITEM_REST;
		fr_item_at(t, t->tail - 1)->ext = x->value;
	} else if (l->gran && fr_shadow_granule(&l->shadow, x->addr) != FR_NO_GRANULE) {
		struct fr_gran *g = &l->gran[fr_shadow_granule(&l->shadow, x->addr)];

		g->value = x->value; /* left out, but its bytes are known */
		g->known = 0xff;
		g->given = 0;
	}
	if (t->tail != before && before > t->known && fr_item_at(t, before - 1)->hook > x->hook)
		sort_by_hook(t, t->tail - before);
}

/* The end of a once-initialisation also writes the guard byte that compiled code reads before it
   uses a static variable in a function. The trace does not record that write; the byte and its
   value are those of the C++ ABI. Programs do not look into other once objects. */
static void put_guard(struct fr_load *l, struct fr_lthread *t, const struct fr_rec *rec)
{
	if (FR_SYNC_OUTCOME(fr_event_aux(rec->e)) == FR_OK)
		put_granule(l, t, rec->hook, fr_event_addr(rec->e), 1, 1, rec->e->site, FR_EV_WRITE,
			    FR_F_ATOMIC | FR_F_BENIGN | FR_ITEM_ORIGIN(FR_ORIGIN_ONCE_END));
}

static void put_stamped(struct fr_lthread *t, const struct fr_rec *rec)
{
	struct fr_item *i = append(t);

	*i = (struct fr_item){.value = rec->e->value,
			      .hook = rec->hook,
			      .addr = fr_event_addr(rec->e),
			      .ext = rec->n > 1 ? fr_event_addr(&rec->e[1]) : 0,
			      .site = rec->e->site,
			      .kind = (uint8_t)fr_event_kind(rec->e),
			      .aux = (uint8_t)fr_event_aux(rec->e)};
	fr_assert_slow(!fr_item_is_access(i));
	if (i->kind == FR_EV_STAMP) {
		i->addr = i->value;
		i->value = fr_event_addr(rec->e);
	}
	if (i->kind == FR_EV_THREAD_START) /* its stack */
		i->addr = rec->n > 2 ? fr_event_addr(&rec->e[2]) : 0;
}

static void put_record(struct fr_load *l, struct fr_lthread *t, const struct fr_rec *rec)
{
	unsigned kind = fr_event_kind(rec->e), aux = fr_event_aux(rec->e), size;

	switch (kind) {
	case FR_EV_READ:
	case FR_EV_WRITE:
		size = FR_ACC_SIZE(aux);
		if (__builtin_expect(size + (rec->e->w0 & 7) <= 8 && !(aux & FR_ACC_NOVALUE), 1))
			put_granule(l, t, rec->hook, fr_event_addr(rec->e), size, rec->e->value,
				    rec->e->site, kind, 0);
		else if (size <= 8 && !(aux & FR_ACC_NOVALUE))
			put_value(l, t, rec->hook, fr_event_addr(rec->e), size, rec->e->value,
				  rec->e->site, kind, 0);
		else if (size <= 8 && size + (rec->e->w0 & 7) <= 8)
			put_value(l, t, rec->hook, fr_event_addr(rec->e), size, 0, rec->e->site,
				  kind, FR_F_NOVALUE);
		else
			put_range(l, t, rec->hook, fr_event_addr(rec->e), size, rec->e->site, kind,
				  0);
		return;
	case FR_EV_RANGE_READ:
	case FR_EV_RANGE_WRITE:
		if (rec->n > 1)
			put_strides(l, t, rec);
		return;
	case FR_EV_STAMP:
		/* One without a position would make the thread due at its last stamp. */
		if (fr_event_addr(rec->e))
			put_stamped(t, rec);
		return;
	case FR_EV_ONCE_END:
		put_guard(l, t, rec);
		put_stamped(t, rec);
		return;
	default:
		if (fr_event_is(kind) & FR_IS_ATOMIC)
			put_atomic(l, t, rec);
		else if (fr_event_is(kind) & FR_IS_STAMPED)
			put_stamped(t, rec);
	}
}

static void put_lates(struct fr_load *l, struct fr_lthread *t, uint64_t below)
{
	while (t->next_late < t->late.n && t->late.v[t->next_late].hook < below)
		put_late(l, t, &t->late.v[t->next_late++]);
}

/* The fast path, for a thread without late or out-of-order records. */
static int feed_plain(struct fr_load *l, struct fr_lthread *t)
{
	uint64_t before = t->tail;
	struct fr_rec rec;

	while (t->tail < before + BATCH) {
		int r = fr_iter_next(&t->it, &rec, l->err);

		if (r < 0)
			return r;
		if (!r) {
			t->ended = true;
			break;
		}
		put_record(l, t, &rec);
	}
	return t->tail > before;
}

int fr_feed_more(struct fr_load *l, struct fr_lthread *t)
{
	uint64_t ready = fr_feed_ready(t), before;
	struct fr_rec rec;
	int r = 1;

	fr_assert(t->open && t->known <= t->tail);
	if (!t->ended && !t->slack && t->next_late == t->late.n)
		return feed_plain(l, t);
	while (!t->ended && fr_feed_ready(t) < ready + BATCH) {
		r = fr_iter_next(&t->it, &rec, l->err);
		if (r < 0)
			return r;
		if (!r) {
			put_lates(l, t, UINT64_MAX);
			t->ended = true;
			break;
		}
		if (__builtin_expect(t->next_late < t->late.n, 0))
			put_lates(l, t, rec.hook);
		before = t->tail;
		if (__builtin_expect(t->slack != 0, 0))
			t->border[t->records++ % t->slack] = before;
		put_record(l, t, &rec);
		if (__builtin_expect(t->slack && t->tail != before && before > t->known &&
					 fr_item_at(t, before - 1)->hook > rec.hook,
				     0))
			sort_by_hook(t, t->tail - before);
	}
	return fr_feed_ready(t) > ready;
}
