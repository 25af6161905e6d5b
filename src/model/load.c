/*
 * Loads a run folder. A first pass reads each thread by itself (load_scan.c). Phases with only one
 * possible order are found (load_phase.c). recorded_order.c then finds the recorded order, and
 * prune() removes the locations that turned out not to matter.
 *
 * An incomplete trace is loaded as far as it goes. A trace that contradicts itself gives -EBADMSG.
 */
#include "model/load.h"
#include "base/debug.h"
#include "base/io.h"
#include "model/atomic_lock.h"
#include "model/spin_reads.h"
#include "model/load_sync.h"
#include "model/load_phase.h"
#include "model/model.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define KEEP_MAX (UINT64_C(1) << 25)  /* slots */
#define TRIES UINT64_C(1000)	      /* limit for attempts at another order, */
#define TRY_SLOTS (UINT64_C(1) << 18) /* and for the slots read by all of them together */

struct naming {
	struct fr_gran *gran;
	const uint32_t *from;
};

static void name_granule(void *arg, uint32_t granule, uint64_t addr)
{
	const struct naming *n = arg;

	fr_assert_slow(!(addr & 7));
	n->gran[granule] = (struct fr_gran){.addr = addr,
					    .loc = FR_NONE,
					    .node = FR_NONE,
					    .writer = FR_NONE,
					    .from = n->from ? n->from[granule] : 0};
}

struct giving {
	struct fr_gran *gran;
	const struct fr_initial_range *range;
	const char *bytes; /* its bytes; NULL: zeros */
};

static void give_value(void *arg, uint32_t granule, uint64_t addr)
{
	const struct giving *x = arg;
	struct fr_gran *g = &x->gran[granule];

	fr_assert_slow(g->addr == addr && g->loc == FR_NONE);
	for (unsigned k = 0; k < 8; k++) {
		if (addr + k < x->range->lo || addr + k >= x->range->hi)
			continue;
		if (x->bytes)
			g->value |= (uint64_t)(uint8_t)x->bytes[addr + k - x->range->lo] << 8 * k;
		g->known |= (uint8_t)(1u << k);
	}
	g->given = g->known;
}

/* Sets the initial contents of static memory, from the program's file. */
static void give_values(struct fr_load *l)
{
	const struct fr_initial *x = l->trace->initial;
	struct giving give = {.gran = l->gran};

	if (!x)
		return;
	FR_VEC_FOREACH (range, &x->range) {
		give.range = range;
		give.bytes = range->zeroed ? NULL : x->bytes.s + range->at;
		fr_shadow_walk(&l->shadow, range->lo, range->hi, give_value, &give);
	}
}

/* Numbers the shared granules. */
static int set_granules(struct fr_load *l, bool phases)
{
	uint32_t *from = NULL;
	struct naming n;
	int r;

	fr_shadow_settle(&l->shadow);
	if (phases && l->phases) {
		/* phases: half of the trace's progress is left for two more passes */
		l->trace->read_shift = 2;
		r = fr_phase_find(l, &from);
		if (r < 0)
			return r;
	}
	l->gran = fr_xmalloc(l->shadow.granules * sizeof(*l->gran));
	n = (struct naming){l->gran, from};
	fr_shadow_walk(&l->shadow, 0, UINT64_MAX, name_granule, &n);
	give_values(l);
	free(from);
	return 0;
}

/*
 * Reserves memory for the model: events and lists, for somewhat more events than slots. The system
 * provides memory only for the used part. The slots that the first pass decodes are smaller, and go
 * to the end of that memory. Very long traces do not keep slots, because little of them may get
 * into the model.
 */
static void set_memory(struct fr_load *l)
{
	uint64_t slots = l->trace->slots, bytes = slots * FR_MODEL_BYTES;

	_Static_assert(FR_MODEL_BYTES > sizeof(struct fr_event), "there is room for them");
	fr_builder_reserve(l->b, (bytes + bytes / 8) / sizeof(struct fr_mev) + 16);
	if (slots > KEEP_MAX)
		return;
	l->kept.before = (bytes - slots * sizeof(struct fr_event)) & ~UINT64_C(7);
	l->kept.slot = (struct fr_event *)((char *)l->b->ev.v + l->kept.before);
	l->kept.taken = &l->b->ev.n;
	l->kept.unit = sizeof(struct fr_mev);
	fr_assert(l->kept.before + slots * sizeof(struct fr_event) <=
		  l->b->ev.cap * sizeof(struct fr_mev));
}

static void set_up(struct fr_load *l, struct fr_trace *t)
{
	l->trace = t;
	l->exact = t->run.imported;
	l->waits.sites = l->exact ? NULL : t->sites;
	l->free_node = FR_NONE;
	l->b = fr_builder_new();
	set_memory(l);
	l->sync = fr_load_sync_new();
	l->thread = fr_xcalloc(t->thread.n, sizeof(*l->thread));
	FR_VEC_FOREACH (th, &t->thread) {
		const char *name = l->exact ? fr_sites_name(t->sites, th->id) : NULL;
		struct fr_lthread *x = &l->thread[l->nthreads];

		/* imported threads are forked and joined all the same */
		if (!th->slots && !l->exact)
			continue;
		x->t = th;
		x->index = l->nthreads++;
		*fr_map_put(&l->by_id, th->id) = l->nthreads;
		fr_builder_thread(l->b, name ? name : th->path, th->id);
	}
	fr_assert(l->b->thread.n == l->nthreads);
}

static void clear(struct fr_load *l)
{
	for (uint32_t i = 0; i < l->nthreads; i++) {
		struct fr_lthread *t = &l->thread[i];

		if (t->open)
			fr_feed_close(t);
		fr_vec_free(&t->late);
		fr_vec_free(&t->stretch);
		fr_vec_free(&t->wait);
		fr_vec_free(&t->taken_back);
	}
	free(l->thread);
	fr_map_free(&l->by_id);
	fr_map_free(&l->dead_owner);
	fr_shadow_free(&l->shadow);
	fr_wait_sites_free(&l->waits);
	free(l->gran);
	fr_vec_free(&l->node);
	fr_vec_free(&l->loc);
	fr_vec_free(&l->ended);
	fr_vec_free(&l->loc_benign);
	fr_vec_free(&l->start);
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

/* Keeps the words that a waiting loop reads, even if no other thread happened to touch them: the
   nodes of a queue lock (queue_lock.c). */
static void keep_waited(struct fr_load *l, bool *keep)
{
	const struct fr_mev *e = l->b->ev.v;

	for (size_t i = 0; l->any_wait && i < l->b->ev.n; i++)
		if (e[i].op == FR_OP_READ && e[i].flags & FR_F_ATOMIC && !keep[e[i].obj] &&
		    l->loc.v[e[i].obj].written && fr_wait_site(&l->waits, e[i].site))
			keep[e[i].obj] = true;
}

/* Keeps a location only if several threads touch it and some thread writes or frees it. */
static void prune(struct fr_load *l)
{
	bool *keep = fr_xcalloc(l->loc.n + 1, sizeof(*keep)), all = !l->b->obj[FR_C_HEAP].n;

	fr_assert(l->loc.n == l->b->obj[FR_C_LOC].n && l->loc.n == l->loc_benign.n);
	for (size_t i = 0; i < l->loc.n; i++)
		keep[i] = !l->loc.v[i].thread && (l->loc.v[i].written || l->loc.v[i].freed);
	keep_waited(l, keep);
	for (size_t i = 0; i < l->loc.n; i++) {
		all &= keep[i] && !l->loc_benign.v[i];
		l->count[FR_MC_starts_differ] += keep[i] && l->loc.v[i].differs;
	}
	if (!all)
		fr_builder_prune(l->b, keep, l->loc_benign.v);
	FR_VEC_FOREACH (s, &l->start) {
		fr_assert(s->loc < l->loc.n);
		s->needed &= keep[s->loc];
	}
	free(keep);
}

/* Counts the remaining reads for which the loader inserted a write. */
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

/* Adds as last events the locks for which threads waited at the end of the run, as failed
   attempts. */
static void put_pending(struct fr_load *l)
{
	for (uint32_t i = 0; i < l->nthreads; i++) {
		struct fr_lthread *t = &l->thread[i];

		fr_assert(t->done && !t->open && !t->busy);
		if (t->pending.kind && t->started && !t->exited && !t->joined)
			fr_lock_event(l, t, &t->pending);
	}
}

static int load(struct fr_load *l, bool phases, struct fr_model **ret)
{
	int r = fr_load_scan(l);

	if (r < 0)
		return r;
	if (l->kept.slot)
		fr_io_rest(l->trace->map);
	r = set_granules(l, phases);
	if (r < 0)
		return r;
	r = fr_order_run(l);
	if (r == 0)
		r = fr_order_bound(l);
	if (r < 0)
		return r;
	if (l->doubts >= l->limit) /* another order was better */
		return 0;
	fr_io_rest(l->trace->map);
	put_pending(l);
	count_partial(l);
	prune(l);
	count_unexplained(l);
	*ret = fr_builder_finish(fr_steal(l->b));
	memcpy((*ret)->count, l->count, sizeof(l->count));
	return 0;
}

static void watch(struct fr_trace *t, struct fr_load_progress *p)
{
	p->total = t->slots;
	t->read = &p->done;
	t->read_shift = 1; /* two passes */
}

/* Initial values that only a read in another order could show: see struct fr_load_start. */
struct need {
	struct fr_load_start *start;
	size_t n;
};

static void free_need(struct need *need)
{
	free(need->start);
}

static void keep_needed(struct fr_load *l, struct need *need)
{
	size_t n = 0;

	FR_VEC_FOREACH (s, &l->start)
		if (s->needed)
			l->start.v[n++] = *s;
	free(need->start);
	*need = (struct need){fr_steal(l->start.v), n};
	l->start.n = 0;
}

/*
 * The usual search takes no step back, so it may leave a read unexplained although another order
 * explains it. For short traces it is cheap to try other orders: they are random but the same in
 * every load, and the best one wins. The more doubts an order has, the sooner the attempts end,
 * because most of the missing writes were then not recorded.
 */
static int load_best(struct fr_trace *t, bool phases, uint64_t max, struct fr_model **ret,
		     struct fr_err *reterr)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *best = NULL;
	uint64_t tries = t->run.imported ? 0 : fr_min(TRIES, TRY_SLOTS / (t->slots + 1));
	uint64_t doubts = UINT64_MAX, in_vain = 0, seed = 0;
	FR_CLEANUP(free_need) struct need need = {0};

	for (uint64_t i = 0; i <= tries && doubts && in_vain / TRIES < FR_UNEXPLAINED; i++) {
		struct fr_load l = {.err = reterr, .max = max, .seed = i, .limit = doubts};
		struct fr_model *m = NULL;
		int r;

		set_up(&l, t);
		r = load(&l, phases, &m);
		if (r == 0 && l.doubts < doubts)
			keep_needed(&l, &need);
		clear(&l);
		t->read = NULL;
		if (r < 0)
			return r;
		if (l.doubts < doubts) {
			fr_model_free(best);
			best = fr_steal(m);
			doubts = l.doubts;
			seed = i;
			in_vain = 0;
		}
		in_vain += doubts;
		fr_model_free(m);
	}
	if (need.n) {
		struct fr_load l = {.err = reterr,
				    .max = max,
				    .seed = seed,
				    .limit = UINT64_MAX,
				    .put_start = need.start,
				    .put_starts = need.n};
		int r;

		set_up(&l, t);
		fr_model_free(fr_steal(best));
		r = load(&l, phases, &best);
		clear(&l);
		if (r < 0)
			return r;
	}
	fr_assert(best); /* the first attempt has no limit */
	*ret = fr_steal(best);
	return 0;
}

static bool is_waiting(void *waits, uint32_t site)
{
	return fr_wait_site(waits, site);
}

/* Makes locks of the words that the program uses as locks. */
static void add_atomic_locks(const struct fr_trace *t, struct fr_model **m,
			     struct fr_spin_loops *spins)
{
	struct fr_wait_sites w = {t->sites, NULL};

	if (t->run.imported || !t->sites)
		return;
	*m = fr_atomic_locks(*m, is_waiting, &w, spins);
	fr_wait_sites_free(&w);
}

static bool has_spins(const struct fr_trace *t)
{
	FR_VEC_FOREACH (th, &t->thread)
		if (th->spins.n)
			return true;
	return false;
}

/* Loads the trace, and once more if spin reads must be left out. */
static int load_locks(struct fr_trace *t, bool phases, uint64_t max, struct fr_model **ret,
		      struct fr_err *reterr)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
	struct fr_spin_loops spins = {0};
	int r = load_best(t, phases, max, &m, reterr);

	if (r < 0)
		return r;
	add_atomic_locks(t, &m, has_spins(t) ? NULL : &spins);
	r = spins.loop.n ? fr_spin_loops_leave_out(&spins, m, t, reterr) : 0;
	fr_vec_free(&spins.loop);
	if (r > 0) {
		fr_model_free(fr_steal(m));
		r = load_best(t, phases, max, &m, reterr);
		if (r == 0)
			add_atomic_locks(t, &m, NULL);
	}
	if (r == 0)
		*ret = fr_steal(m);
	return r;
}

static int load_trace(struct fr_trace *t, bool phases, uint64_t max, struct fr_model **ret,
		      struct fr_err *reterr)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
	struct fr_err why;
	int r = fr_load_fault(t, reterr);

	if (r == 0)
		r = load_locks(t, phases, max, &m, reterr);
	if (r < 0)
		return r;
	r = fr_model_validate(m, NULL, &why);
	if (r < 0)
		return fr_err_say(reterr, r, "'%s' is inconsistent: %s", t->file, why.msg);
	fr_debug(FR_DEBUG_MODEL, "'%s': %u events of %u threads, %u locations, %u locks", t->dir,
		 m->n, m->nthreads, m->cls[FR_C_LOC].n, m->cls[FR_C_LOCK].n);
	m->trace = t;
	*ret = fr_steal(m);
	return 0;
}

int fr_load_run(const char *dir, bool phases, uint64_t max, struct fr_load_progress *progress,
		struct fr_model **ret, struct fr_err *reterr)
{
	struct fr_trace *t = NULL;
	int r = fr_trace_open(dir, &t, reterr);

	if (r < 0)
		return r;
	if (progress)
		watch(t, progress);
	r = load_trace(t, phases, max, ret, reterr);
	if (r < 0)
		fr_trace_free(t);
	return r;
}

int fr_model_load_trace(struct fr_trace *t, struct fr_model **ret, struct fr_err *reterr)
{
	return load_trace(t, true, FR_MODEL_MAX, ret, reterr);
}

int fr_model_load(const char *dir, struct fr_model **ret, struct fr_err *reterr)
{
	return fr_load_run(dir, true, FR_MODEL_MAX, NULL, ret, reterr);
}

int fr_model_load_watched(const char *dir, struct fr_load_progress *progress, struct fr_model **ret,
			  struct fr_err *reterr)
{
	return fr_load_run(dir, true, FR_MODEL_MAX, progress, ret, reterr);
}
