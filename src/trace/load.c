/*
 * Loading a run folder. The first pass goes over each thread's events by themselves: which granules
 * do several threads touch, which accesses of a thread stand in other threads' streams, which
 * condition is each wait for, how far do events stand behind their place. Then the recorded order
 * is found (order.c), and locations that turn out to matter to nobody are taken out.
 *
 * A trace that is incomplete is loaded as far as it goes. One that makes no sense is -EBADMSG.
 */
#include "trace/load.h"
#include "trace/load_phase.h"
#include "trace/model.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define RECENT 4096		      /* records among which one may stand behind its place */
#define MAX_RANGE (UINT64_C(1) << 34) /* bytes */
#define MAX_STRIDES (UINT64_C(1) << 28)
#define LAST_PERIOD (UINT64_C(1) << 37) /* bits of an index in the ownership table */
#define MAX_FREED (UINT64_C(1) << 30)

struct scan {
	struct fr_load *l;
	struct fr_lthread *t;
	uint64_t recent[RECENT]; /* indices of the last records */
	uint64_t records, highest;
	uint64_t last_post;
	bool any_stamp, waits, joins;
};

static int scan_range(struct scan *s, const struct fr_rec *rec)
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
				  "'%s': thread %s, event %" PRIu64 ": a range that makes no sense",
				  s->l->trace->file, s->t->t->path, rec->idx);
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

	return at ? &l->thread[*at - 1] : NULL;
}

static void scan_last(struct scan *s, const struct fr_rec *rec)
{
	struct fr_lthread *owner = rec->n > 1 ? owner_of(s->l, rec->e[1].value) : NULL;
	unsigned aux = fr_event_aux(rec->e);
	uint64_t idx = rec->n > 1 ? fr_event_addr(&rec->e[1]) : 0;

	/* Dated before the beginning: the owner's count was read an instant before its access. */
	if (idx >> (FR_ADDR_BITS - 1))
		idx = (idx + LAST_PERIOD) & FR_ADDR_MASK;
	if (!owner || (aux & 7) > 3)
		return;
	fr_vec_push(&owner->late, ((struct fr_late){.idx = idx,
						    .addr = fr_event_addr(rec->e),
						    .value = rec->e->value,
						    .site = rec->e->site & FR_SITE_MAX,
						    .kind = (uint8_t)fr_event_kind(rec->e),
						    .aux = (uint8_t)aux}));
	fr_shadow_touch(&s->l->shadow, owner->index, fr_event_addr(rec->e), 1);
}

static void scan_sync(struct scan *s, const struct fr_rec *rec, unsigned kind)
{
	unsigned aux = fr_event_aux(rec->e), outcome = FR_SYNC_OUTCOME(aux);
	struct fr_lthread *t = s->t;
	uint64_t addr = fr_event_addr(rec->e);
	uint64_t size = rec->n > 1 ? fr_event_addr(&rec->e[1]) : 0;

	switch (kind) {
	case FR_EV_MUTEX_UNLOCK:
		if (FR_SYNC_VARIANT(aux) == FR_WAIT) {
			fr_vec_push(&t->wait, 0);
			s->waits = true;
		}
		break;
	case FR_EV_COND_WAIT:
		if (s->waits)
			t->wait.v[t->wait.n - 1] = fr_event_addr(rec->e);
		s->waits = false;
		break;
	case FR_EV_MUTEX_LOCK:
		if (outcome == FR_OWNERDEAD)
			*fr_map_put(&s->l->dead_owner, fr_event_addr(rec->e)) = 1;
		break;
	case FR_EV_SEM_POST:
		if (outcome != FR_OK)
			fr_vec_push(&t->taken_back, s->last_post);
		s->last_post = rec->idx;
		break;
	case FR_EV_FREE:
		if (size && size <= MAX_FREED) {
			fr_shadow_touch(&s->l->shadow, t->index, addr, size);
			break;
		}
		/* fall through */
	case FR_EV_ALLOC:
	case FR_EV_STACK_FREE:
	case FR_EV_USER_BENIGN:
		if (size)
			fr_shadow_divide(&s->l->shadow, addr, size);
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
	case FR_EV_THREAD_START: /* its stack, where another may have been: fr_life_stack */
		addr = rec->n > 2 ? fr_event_addr(&rec->e[2]) : 0;
		size = fr_min(addr, FR_STACK);
		if (addr)
			fr_shadow_divide(&s->l->shadow, addr - size, size);
		break;
	default:
		break;
	}
}

/* Something stands behind its place: how far? */
static void scan_late(struct scan *s, const struct fr_rec *rec)
{
	uint32_t k = 0;

	while (k < RECENT && k < s->records && s->recent[(s->records - 1 - k) % RECENT] > rec->idx)
		k++;
	if (k + 1 > s->t->slack)
		s->t->slack = k + 1;
}

static int scan_record(struct scan *s, const struct fr_rec *rec)
{
	unsigned kind = fr_event_kind(rec->e);
	char class;

	if (__builtin_expect(rec->idx < s->highest, 0))
		scan_late(s, rec);
	else
		s->highest = rec->idx;
	s->recent[s->records++ % RECENT] = rec->idx;
	switch (kind) {
	case FR_EV_READ:
	case FR_EV_WRITE:
	case FR_EV_ATOMIC_LOAD:
	case FR_EV_ATOMIC_STORE:
	case FR_EV_ATOMIC_RMW:
	case FR_EV_ATOMIC_CAS:
		fr_shadow_touch(&s->l->shadow, s->t->index, fr_event_addr(rec->e),
				UINT64_C(1) << (fr_event_aux(rec->e) & 7));
		return 0;
	case FR_EV_RANGE_READ:
	case FR_EV_RANGE_WRITE:
		return scan_range(s, rec);
	case FR_EV_LAST_READ:
	case FR_EV_LAST_WRITE:
		scan_last(s, rec);
		return 0;
	case FR_EV_PENDING:
		if (s->waits && fr_event_aux(rec->e) == FR_EV_COND_WAIT)
			s->t->wait.v[s->t->wait.n - 1] = fr_event_addr(rec->e);
		return 0;
	default:
		break;
	}
	class = fr_event_class(kind);
	if (!class || class == 'x' || class == 'a')
		return 0;
	if (!s->any_stamp)
		s->t->first_stamp = fr_min(rec->e->value, (uint64_t)INT64_MAX / 2);
	s->any_stamp = true;
	scan_sync(s, rec, kind);
	return 0;
}

static int scan_thread(struct fr_load *l, struct fr_lthread *t, struct scan *s)
{
	struct fr_iter it;
	struct fr_rec rec;
	int r, bad = 0;

	s->l = l;
	s->t = t;
	s->records = s->highest = s->last_post = 0;
	s->any_stamp = s->waits = s->joins = false;
	fr_iter_open(&it, l->trace, t->t);
	while ((r = fr_iter_next(&it, &rec, l->err)) > 0 && bad == 0) {
		if (l->exact && !s->records)
			t->first_stamp = fr_min(rec.idx, (uint64_t)INT64_MAX / 2);
		bad = scan_record(s, &rec);
	}
	fr_iter_close(&it);
	t->highest = s->highest;
	if (l->exact)
		t->slack = 0;
	return r < 0 ? r : bad;
}

static int by_idx(const void *a, const void *b)
{
	const struct fr_late *x = a, *y = b;

	if (x->idx != y->idx)
		return x->idx < y->idx ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/*
 * The ownership table is read without locks: what it told of another thread may be torn. An access
 * that its thread cannot have made is no access.
 */
static bool plausible(const struct fr_load *l, const struct fr_lthread *t, const struct fr_late *x)
{
	struct fr_site_info s;

	if (!x->idx || x->idx > t->highest || !x->site)
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
		qsort(t->late.v, n, sizeof(*t->late.v), by_idx);
}

static int first_pass(struct fr_load *l)
{
	struct scan *s = fr_xcalloc(1, sizeof(*s));
	int r = 0;

	for (uint32_t i = 0; i < l->nthreads && r == 0; i++)
		r = scan_thread(l, &l->thread[i], s);
	free(s);
	for (uint32_t i = 0; i < l->nthreads; i++)
		sort_late(l, &l->thread[i]);
	return r;
}

struct naming {
	struct fr_gran *gran;
	const uint32_t *from;
};

static void name_granule(void *arg, uint32_t granule, uint64_t addr)
{
	const struct naming *n = arg;

	n->gran[granule] = (struct fr_gran){
	    .addr = addr, .loc = FR_NONE, .node = FR_NONE, .from = n->from ? n->from[granule] : 0};
}

/* Numbers what is shared. */
static int set_granules(struct fr_load *l, bool phases)
{
	uint32_t *from = NULL;
	struct naming n;
	int r;

	fr_shadow_settle(&l->shadow);
	if (phases && l->phases) {
		r = fr_phase_find(l, &from);
		if (r < 0)
			return r;
	}
	l->gran = fr_xmalloc(l->shadow.granules * sizeof(*l->gran));
	n = (struct naming){l->gran, from};
	fr_shadow_walk(&l->shadow, 0, UINT64_MAX, name_granule, &n);
	free(from);
	return 0;
}

static void set_up(struct fr_load *l, struct fr_trace *t)
{
	l->trace = t;
	l->exact = t->run.imported;
	l->free_node = FR_NONE;
	l->b = fr_builder_new();
	fr_builder_reserve(l->b, t->slots + t->slots / 8 + 16);
	l->sync = fr_load_sync_new();
	l->thread = fr_xcalloc(t->thread.n, sizeof(*l->thread));
	FR_VEC_FOREACH (th, &t->thread) {
		const char *name = l->exact ? fr_sites_name(t->sites, th->id) : NULL;
		struct fr_lthread *x = &l->thread[l->nthreads];

		if (!th->slots)
			continue;
		x->t = th;
		x->index = l->nthreads++;
		*fr_map_put(&l->by_id, th->id) = l->nthreads;
		fr_builder_thread(l->b, name ? name : th->path, th->id);
	}
}

static void clear(struct fr_load *l)
{
	for (uint32_t i = 0; i < l->nthreads; i++) {
		struct fr_lthread *t = &l->thread[i];

		if (t->open)
			fr_feed_close(t);
		fr_vec_free(&t->late);
		fr_vec_free(&t->segment);
		fr_vec_free(&t->wait);
		fr_vec_free(&t->taken_back);
	}
	free(l->thread);
	fr_map_free(&l->by_id);
	fr_map_free(&l->dead_owner);
	fr_shadow_free(&l->shadow);
	free(l->gran);
	fr_vec_free(&l->node);
	fr_vec_free(&l->loc);
	fr_vec_free(&l->loc_benign);
	fr_builder_free(l->b);
	fr_load_sync_free(l->sync);
}

static void count_partial(struct fr_load *l)
{
	bool cut = !l->trace->complete || l->trace->run.signal;

	for (uint32_t i = 0; i < l->nthreads && !l->exact; i++)
		if (!l->thread[i].exited && (cut || l->thread[i].t->parent))
			l->count[FR_MC_threads_partial]++;
}

/* A location matters if several threads touch it, and somebody writes or frees it. */
static void prune(struct fr_load *l)
{
	bool *keep = fr_xmalloc(l->loc.n * sizeof(*keep)), all = !l->b->obj[FR_C_HEAP].n;

	for (size_t i = 0; i < l->loc.n; i++) {
		keep[i] = !l->loc.v[i].thread && (l->loc.v[i].written || l->loc.v[i].freed);
		all &= keep[i] && !l->loc_benign.v[i];
	}
	if (!all)
		fr_builder_prune(l->b, keep, l->loc_benign.v);
	free(keep);
}

/* Of what is left: reads that a write was put in for. */
static void count_unexplained(struct fr_load *l)
{
	const struct fr_mev *e = l->b->ev.v;

	if (!l->count[FR_MC_reads_unexplained])
		return;
	l->count[FR_MC_reads_unexplained] = 0;
	for (size_t i = 1; i < l->b->ev.n; i++)
		l->count[FR_MC_reads_unexplained] +=
		    e[i].op == FR_OP_READ && (e[i].flags & FR_F_PART) &&
		    (e[i - 1].flags & FR_F_SYNTH) && e[i - 1].op == FR_OP_WRITE &&
		    e[i - 1].obj == e[i].obj;
}

static int load(struct fr_load *l, bool phases, struct fr_model **ret)
{
	int r = first_pass(l);

	if (r < 0)
		return r;
	r = set_granules(l, phases);
	if (r < 0)
		return r;
	r = fr_order_run(l);
	if (r < 0)
		return r;
	count_partial(l);
	prune(l);
	count_unexplained(l);
	*ret = fr_builder_finish(fr_steal(l->b));
	memcpy((*ret)->count, l->count, sizeof(l->count));
	return 0;
}

int fr_load_run(const char *dir, bool phases, struct fr_model **ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_trace_freep) struct fr_trace *t = NULL;
	FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
	struct fr_load l = {.err = reterr};
	struct fr_err why;
	int r = fr_trace_open(dir, &t, reterr);

	if (r < 0)
		return r;
	set_up(&l, t);
	r = load(&l, phases, &m);
	clear(&l);
	if (r < 0)
		return r;
	r = fr_model_validate(m, NULL, &why);
	if (r < 0)
		return fr_err_say(reterr, r, "'%s' makes no sense: %s", t->file, why.msg);
	m->trace = fr_steal(t);
	*ret = fr_steal(m);
	return 0;
}

int fr_model_load(const char *dir, struct fr_model **ret, struct fr_err *reterr)
{
	return fr_load_run(dir, true, ret, reterr);
}
