/*
 * The loader's first pass, over the events of each thread by itself. It finds out:
 * - which granules several threads touch, and where their borders are (load_shadow.h);
 * - which accesses of a thread other threads recorded;
 * - which condition each wait waits for;
 * - by how many records an event can be out of order;
 * - whether a search for phases may pay.
 *
 * Relies on nothing: a senseless range gives -EBADMSG, and impossible accesses are left out.
 */
#include "model/load.h"
#include <errno.h>
#include <inttypes.h>

#define NOBODY (UINT16_MAX - 1)	      /* a thread that does not exist */
#define RECENT 4096		      /* records by which one may be out of order */
#define MAX_RANGE (UINT64_C(1) << 34) /* bytes */
#define MAX_STRIDES (UINT64_C(1) << 28)
#define LAST_PERIOD (UINT64_C(1) << 37) /* period of a hook in the ownership table */
#define MAX_FREED (UINT64_C(1) << 30)

struct load_scan {
	struct fr_load *l;
	struct fr_lthread *t;
	uint64_t recent[RECENT]; /* hooks of the last records */
	uint64_t records, highest;
	uint64_t last_post;
	bool any_stamp, waits, joins;
};

static int scan_range(struct load_scan *s, const struct fr_rec *rec)
{
	uint64_t addr = fr_event_addr(rec->e), count, elem, span;
	int64_t stride;

	if (rec->n < 2)
		return 0;
	count = fr_event_addr(&rec->e[1]);
	stride = (int64_t)rec->e[1].value;
	elem = rec->e[1].site;
	span = (uint64_t)(stride < 0 ? -stride : stride);
	if (count > MAX_STRIDES || elem > MAX_RANGE ||
	    (count > 1 && (span > MAX_RANGE || span * count > (UINT64_C(1) << 46))))
		return fr_err_say(s->l->err, -EBADMSG,
				  "'%s': thread %s, event %" PRIu64 ": an invalid range",
				  s->l->trace->file, s->t->t->path, rec->hook);
	if (stride == (int64_t)elem && count) { /* no gaps */
		elem *= count;
		count = 1;
	}
	for (uint64_t i = 0; i < count && elem; i++, addr += (uint64_t)stride)
		fr_shadow_touch(&s->l->shadow, s->t->index, addr & FR_ADDR_MASK, elem);
	return 0;
}

static struct fr_lthread *owner_of(struct fr_load *l, uint64_t id)
{
	uint64_t *at = fr_map_get(&l->by_id, id & INT64_MAX);

	fr_assert(!at || (*at && *at <= l->nthreads));
	return at ? &l->thread[*at - 1] : NULL;
}

static void scan_last(struct load_scan *s, const struct fr_rec *rec)
{
	struct fr_lthread *owner = rec->n > 1 ? owner_of(s->l, rec->e[1].value) : NULL;
	unsigned aux = fr_event_aux(rec->e);
	uint64_t hook = rec->n > 1 ? fr_event_addr(&rec->e[1]) : 0;
	bool left_out;

	/* The hook is before the start: the owner's count was read just before its access. */
	if (hook >> (FR_ADDR_BITS - 1))
		hook = (hook + LAST_PERIOD) & FR_ADDR_MASK;
	if (!owner || (aux & 7) > 3)
		return;
	hook = fr_trace_hook(owner->t, hook, &left_out);
	if (left_out)
		return;
	fr_vec_push(&owner->late, ((struct fr_late){.hook = hook,
						    .addr = fr_event_addr(rec->e),
						    .value = rec->e->value,
						    .site = rec->e->site & FR_SITE_MAX,
						    .kind = (uint8_t)fr_event_kind(rec->e),
						    .aux = (uint8_t)aux}));
	fr_shadow_touch(&s->l->shadow, owner->index, fr_event_addr(rec->e), 1);
}

/* Memory that begins or ends its life, or of which a part is benign. */
static void scan_memory(struct load_scan *s, unsigned kind, uint64_t addr, uint64_t size)
{
	bool frees = kind == FR_EV_FREE || kind == FR_EV_STACK_FREE;

	if (!size)
		return;
	if (frees && size <= MAX_FREED) {
		fr_shadow_touch(&s->l->shadow, s->t->index, addr, size);
		return;
	}
	if (frees || kind == FR_EV_ALLOC) /* if another thread frees the block, the model has it */
		fr_shadow_touch(&s->l->shadow, s->t->index, addr, 1);
	fr_shadow_divide(&s->l->shadow, addr, size);
}

static void scan_sync(struct load_scan *s, const struct fr_rec *rec, unsigned kind)
{
	unsigned aux = fr_event_aux(rec->e), outcome = FR_SYNC_OUTCOME(aux);
	struct fr_lthread *t = s->t;
	uint64_t addr = fr_event_addr(rec->e);
	uint64_t size = rec->n > 1 ? fr_event_addr(&rec->e[1]) : 0;

	/* A block in which threads only lock and the like is in the model, too. */
	if (fr_is_call_on_object(kind) && !fr_shadow_knows(&s->l->shadow, t->index, addr, 1))
		fr_shadow_touch(&s->l->shadow, t->index, addr, 1);
	switch (kind) {
	case FR_EV_MUTEX_UNLOCK:
		if (FR_SYNC_VARIANT(aux) == FR_WAIT) {
			fr_vec_push(&t->wait, 0);
			s->waits = true;
		}
		break;
	case FR_EV_COND_WAIT:
		fr_assert(!s->waits || t->wait.n);
		if (s->waits)
			t->wait.v[t->wait.n - 1] = fr_event_addr(rec->e);
		s->waits = false;
		break;
	case FR_EV_MUTEX_LOCK:
		if (outcome == FR_OWNERDEAD)
			*fr_map_put(&s->l->dead_owner, fr_event_addr(rec->e)) = 1;
		break;
	case FR_EV_ONCE_END: /* the guard that put_guard in load_feed.c writes */
		if (outcome == FR_OK)
			fr_shadow_touch(&s->l->shadow, t->index, addr, 1);
		break;
	case FR_EV_SEM_POST:
		if (outcome != FR_OK)
			fr_vec_push(&t->taken_back, s->last_post);
		s->last_post = rec->hook;
		break;
	case FR_EV_ALLOC:
	case FR_EV_FREE:
	case FR_EV_STACK_FREE:
	case FR_EV_USER_BENIGN:
		scan_memory(s, kind, addr, size);
		break;
	case FR_EV_THREAD_JOIN:
		s->joins = true;
		break;
	case FR_EV_THREAD_CREATE:
		s->l->phases |= s->joins;
		break;
	case FR_EV_BARRIER_LEAVE:
		s->l->phases = true;
		break;
	case FR_EV_THREAD_START: /* its stack, which may be reused: see fr_life_stack */
		addr = rec->n > 2 ? fr_event_addr(&rec->e[2]) : 0;
		size = fr_min(addr, FR_STACK);
		if (addr)
			fr_shadow_divide(&s->l->shadow, addr - size, size + FR_STACK_HEAD);
		break;
	default:
		break;
	}
}

/* Measures by how many records this one is out of order. */
static void scan_late(struct load_scan *s, const struct fr_rec *rec)
{
	uint32_t k = 0;

	while (k < RECENT && k < s->records && s->recent[(s->records - 1 - k) % RECENT] > rec->hook)
		k++;
	if (k + 1 > s->t->slack)
		s->t->slack = k + 1;
	fr_assert(s->t->slack <= RECENT + 1);
}

/* The thread was waiting for a lock when the run ended: one attempt more than its events show. */
static void scan_pending(struct load_scan *s, const struct fr_rec *rec)
{
	unsigned kind = fr_event_aux(rec->e);

	if (fr_event_is(kind) & FR_IS_ACQUIRE && kind != FR_EV_USER_LOCK)
		s->t->pending = (struct fr_item){.hook = rec->hook + 1,
						 .addr = fr_event_addr(rec->e),
						 .site = rec->e->site,
						 .kind = (uint8_t)kind,
						 .aux = FR_SYNC(FR_BUSY, FR_PLAIN, 0)};
}

/* A word that a waiting loop reads counts as shared, because the recogniser of queue locks must see
   it (queue_lock.c) even if no other thread happened to touch it. */
static void scan_wait(struct load_scan *s, const struct fr_rec *rec, unsigned size)
{
	if (!fr_wait_site(&s->l->waits, rec->e->site) || s->l->nthreads >= NOBODY)
		return;
	s->l->any_wait = true;
	fr_shadow_touch(&s->l->shadow, NOBODY, fr_event_addr(rec->e), size);
}

static int scan_record(struct load_scan *s, const struct fr_rec *rec)
{
	unsigned kind = fr_event_kind(rec->e), aux = fr_event_aux(rec->e);
	unsigned size = fr_access_size(kind, aux);

	if (__builtin_expect(rec->hook < s->highest, 0))
		scan_late(s, rec);
	else
		s->highest = rec->hook;
	s->recent[s->records++ % RECENT] = rec->hook;
	if (size) {
		s->l->opaque |= size > 8 || (kind == FR_EV_READ && aux & FR_ACC_NOVALUE);
		if (!fr_shadow_knows(&s->l->shadow, s->t->index, fr_event_addr(rec->e), size))
			fr_shadow_touch(&s->l->shadow, s->t->index, fr_event_addr(rec->e), size);
		if (kind == FR_EV_ATOMIC_LOAD)
			scan_wait(s, rec, size);
		return 0;
	}
	switch (kind) {
	case FR_EV_RANGE_READ:
	case FR_EV_RANGE_WRITE:
		s->l->opaque = true;
		return scan_range(s, rec);
	case FR_EV_LAST_READ:
	case FR_EV_LAST_WRITE:
		s->l->opaque = true;
		scan_last(s, rec);
		return 0;
	case FR_EV_PENDING:
		fr_assert(!s->waits || s->t->wait.n);
		if (s->waits && aux == FR_EV_COND_WAIT)
			s->t->wait.v[s->t->wait.n - 1] = fr_event_addr(rec->e);
		scan_pending(s, rec);
		return 0;
	default:
		break;
	}
	if (!(fr_event_is(kind) & FR_IS_STAMPED))
		return 0;
	if (!s->any_stamp && !s->l->exact)
		s->t->first_stamp = fr_min(rec->e->value, (uint64_t)INT64_MAX / 2);
	s->any_stamp = true;
	scan_sync(s, rec, kind);
	return 0;
}

static int scan_thread(struct fr_load *l, struct fr_lthread *t, struct load_scan *s)
{
	struct fr_iter it;
	struct fr_rec rec;
	int r, bad = 0;

	fr_assert(t == &l->thread[t->index]);
	s->l = l;
	s->t = t;
	s->records = s->highest = s->last_post = 0;
	s->any_stamp = s->waits = s->joins = false;
	fr_iter_open(&it, l->trace, t->t);
	it.kept = &l->kept;
	while ((r = fr_iter_next(&it, &rec, l->err)) > 0 && bad == 0) {
		if (l->exact && !s->records)
			t->first_stamp = fr_min(rec.hook, (uint64_t)INT64_MAX / 2);
		bad = scan_record(s, &rec);
	}
	fr_iter_close(&it);
	t->highest = s->highest;
	if (l->exact)
		t->slack = 0;
	return r < 0 ? r : bad;
}

static int by_hook(const void *a, const void *b)
{
	const struct fr_late *x = a, *y = b;

	if (x->hook != y->hook)
		return x->hook < y->hook ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* The runtime reads the ownership table without locks, so an entry about another thread may be
   torn. This rejects accesses that the thread cannot have made. */
static bool plausible(const struct fr_load *l, const struct fr_lthread *t, const struct fr_late *x)
{
	struct fr_site_info s;

	if (!x->hook || x->hook > t->highest || !x->site)
		return false;
	s = fr_sites_get(l->trace->sites, x->site);
	return !s.known || s.kind == FR_SITE_CALL ||
	       (s.kind == FR_SITE_ACCESS &&
		(!s.access ||
		 s.access & (x->kind == FR_EV_LAST_READ ? FR_SITE_READ : FR_SITE_WRITE)));
}

static void sort_late(struct fr_load *l, struct fr_lthread *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->late.n; i++)
		if (plausible(l, t, &t->late.v[i]))
			t->late.v[n++] = t->late.v[i];
	l->count[FR_MC_lates_torn] += t->late.n - n;
	t->late.n = n;
	if (n)
		qsort(t->late.v, n, sizeof(*t->late.v), by_hook);
}

int fr_load_scan(struct fr_load *l)
{
	struct load_scan *s = fr_xcalloc(1, sizeof(*s));
	int r = 0;

	for (uint32_t i = 0; i < l->nthreads && r == 0; i++)
		r = scan_thread(l, &l->thread[i], s);
	free(s);
	l->kept.full = r == 0;
	for (uint32_t i = 0; i < l->nthreads; i++)
		sort_late(l, &l->thread[i]);
	return r;
}
