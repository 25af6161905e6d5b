/* Regions of small runs: local.h. */
#include "local.h"
#include "fixture.h"
#include "format/event.h"

unsigned local_access(const struct fr_model *m, fr_ev head, uint32_t loc)
{
	unsigned r = 0;

	for (fr_ev e = head; e < m->n && fr_head(m, e) == head; e++)
		if (fr_is_access(&m->ev[e]) && m->ev[e].obj == loc &&
		    !(m->ev[e].flags & (FR_F_SYNTH | FR_F_BENIGN)))
			r |= m->ev[e].op == FR_OP_WRITE ? m->ev[e].mask * 256u : m->ev[e].mask;
	return r;
}

/* Do the threads use the semaphore as a lock? Each takes its one unit and gives it back. */
static bool is_lock(const struct fr_model *m, uint32_t sem)
{
	const struct fr_mclass *k = &m->cls[FR_C_SEM];
	bool fresh = k->obj[sem].count == 0;
	uint32_t from = k->first[sem], takers = 0;
	fr_ev given = fresh && from < k->first[sem + 1] ? k->list[from] : 0;

	if (k->obj[sem].count > 1 || (fresh && m->ev[given].op != FR_OP_SEM_POST))
		return false;
	for (uint32_t t = 0; t < m->nthreads; t++) {
		int has = 0, took = 0;

		for (uint32_t i = from + fresh; i < k->first[sem + 1]; i++) {
			const struct fr_mev *v = &m->ev[k->list[i]];

			if (v->thread != t || v->op == FR_OP_SEM_FAILED)
				continue;
			has += v->op == FR_OP_SEM_WAIT ? 1 : -1;
			took += v->op == FR_OP_SEM_WAIT;
			if (has < 0 || has > 1)
				return false;
		}
		takers += took > 0;
		if (took && fresh && m->ev[given].thread != t && m->thread[t].ev[0] < given)
			return false;
	}
	return takers > 1;
}

static bool of_lock(const struct fr_model *m, const struct fr_mev *v)
{
	return (v->op == FR_OP_SEM_WAIT || v->op == FR_OP_SEM_POST) && is_lock(m, v->obj);
}

static uint32_t lock_of(const struct fr_model *m, const struct fr_mev *v)
{
	return v->op == FR_OP_SEM_WAIT || v->op == FR_OP_SEM_POST ? m->cls[FR_C_LOCK].n + v->obj
								  : v->obj;
}

static bool separates(const struct fr_model *m, const struct fr_mev *v)
{
	static const enum fr_op ops[] = {
	    FR_OP_WAIT_BEGIN, FR_OP_WAIT,     FR_OP_SIGNAL,	   FR_OP_BROADCAST,
	    FR_OP_SEM_WAIT,   FR_OP_SEM_POST, FR_OP_BARRIER_ENTER, FR_OP_BARRIER_LEAVE,
	    FR_OP_CREATE,     FR_OP_JOIN,     FR_OP_ACQUIRE_ALL,   FR_OP_RELEASE_ALL};

	for (unsigned i = 0; i < fr_array_size(ops); i++)
		if (v->op == ops[i])
			return !of_lock(m, v);
	return false;
}

static bool acquires(const struct fr_model *m, const struct fr_mev *v)
{
	return v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_SHARED ||
	       (v->op == FR_OP_SEM_WAIT && of_lock(m, v));
}

static bool releases(const struct fr_model *m, const struct fr_mev *v)
{
	return v->op == FR_OP_RELEASE || v->op == FR_OP_RELEASE_SHARED ||
	       (v->op == FR_OP_SEM_POST && of_lock(m, v));
}

/*
 * The number of locks that the thread holds, and of annotated regions and calls around it, before
 * e.
 */
static void depths(const struct fr_model *m, fr_ev e, int *locks, int *marks, int *calls)
{
	*locks = *marks = *calls = 0;
	for (fr_ev x = 0; x < e; x++) {
		const struct fr_mev *v = &m->ev[x];

		if (v->thread != m->ev[e].thread)
			continue;
		*locks += acquires(m, v) - releases(m, v);
		if (v->op == FR_OP_MARK && v->obj == FR_EV_USER_ATOMIC_BEGIN)
			++*marks;
		if (v->op == FR_OP_MARK && v->obj == FR_EV_USER_ATOMIC_END && *marks)
			--*marks;
		if (v->op == FR_OP_MARK && v->obj == FR_EV_EXEC_BEGIN)
			++*calls;
		if (v->op == FR_OP_MARK && v->obj == FR_EV_EXEC_END && *calls)
			--*calls;
	}
}

void local_calls(const struct fr_model *m, struct fr_named *ret)
{
	int *depth = fr_xcalloc(m->nthreads, sizeof(*depth));

	*ret = (struct fr_named){.thread = fr_xcalloc(m->nthreads, sizeof(*ret->thread)),
				 .nthreads = m->nthreads};
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		bool begin = v->op == FR_OP_MARK && v->obj == FR_EV_EXEC_BEGIN,
		     end = v->op == FR_OP_MARK && v->obj == FR_EV_EXEC_END && depth[v->thread];

		if ((begin && !depth[v->thread]++) || (end && !--depth[v->thread]))
			fr_vec_push(&ret->thread[v->thread],
				    ((struct fr_named_change){.at = e, .inside = begin}));
	}
	free(depth);
}

/* The acquisition with which e's lock region begins. */
static fr_ev region_of(const struct fr_model *m, fr_ev e)
{
	int locks = 0;
	fr_ev r = FR_NO_EV;

	for (fr_ev x = 0; x < e; x++) {
		const struct fr_mev *v = &m->ev[x];

		if (v->thread != m->ev[e].thread)
			continue;
		if (acquires(m, v) && !locks++)
			r = x;
		if (releases(m, v) && !--locks)
			r = FR_NO_EV;
	}
	return r;
}

/* The acquisition of a lock that the thread holds at e; FR_NO_EV: it does not. */
static fr_ev holds(const struct fr_model *m, fr_ev e, uint32_t lock)
{
	fr_ev r = FR_NO_EV;

	for (fr_ev x = 0; x < e; x++)
		if (m->ev[x].thread == m->ev[e].thread &&
		    (acquires(m, &m->ev[x]) || releases(m, &m->ev[x])) &&
		    lock_of(m, &m->ev[x]) == lock)
			r = acquires(m, &m->ev[x]) ? x : FR_NO_EV;
	return r;
}

uint32_t local_locks(const struct fr_model *m)
{
	return m->cls[FR_C_LOCK].n + m->cls[FR_C_SEM].n;
}

bool local_holds(const struct fr_model *m, fr_ev e, uint32_t lock)
{
	int n = 0;

	for (fr_ev x = 0; x < e; x++) {
		const struct fr_mev *v = &m->ev[x];

		if (v->thread == m->ev[e].thread && lock_of(m, v) == lock)
			n += acquires(m, v) - releases(m, v);
	}
	return n > 0;
}

bool local_locked(const struct fr_model *m, fr_ev a, fr_ev b, fr_ev e)
{
	for (uint32_t lock = 0; lock < local_locks(m); lock++) {
		fr_ev x = holds(m, b, lock), y = holds(m, e, lock);

		if (x != FR_NO_EV && y != FR_NO_EV && x < a &&
		    !(m->ev[x].op == FR_OP_ACQUIRE_SHARED && m->ev[y].op == FR_OP_ACQUIRE_SHARED))
			return true;
	}
	return false;
}

enum fr_region local_region(const struct fr_model *m, fr_ev a, fr_ev b, bool *separate)
{
	bool locked = true, marked = true, called = true;
	fr_ev ra = region_of(m, a), rb = region_of(m, b);
	int locks, marks, calls;

	*separate = false;
	for (fr_ev e = a; e <= b; e++) {
		if (m->ev[e].thread != m->ev[a].thread)
			continue;
		*separate |= e < b && separates(m, &m->ev[e]);
		depths(m, e, &locks, &marks, &calls);
		locked &= locks > 0;
		marked &= marks > 0;
		called &= calls > 0;
	}
	if (*separate)
		return FR_REGION_NONE;
	if (marked)
		return FR_REGION_ANNOTATED;
	if (called)
		return FR_REGION_NAMED;
	if (locked)
		return FR_REGION_LOCK;
	if (ra == FR_NO_EV || rb == FR_NO_EV || lock_of(m, &m->ev[ra]) != lock_of(m, &m->ev[rb]))
		return FR_REGION_NONE;
	/* the next region that begins with that lock */
	for (fr_ev e = ra + 1; e < rb; e++)
		if (m->ev[e].thread == m->ev[a].thread && acquires(m, &m->ev[e]) &&
		    lock_of(m, &m->ev[e]) == lock_of(m, &m->ev[ra])) {
			depths(m, e, &locks, &marks, &calls);
			if (!locks)
				return FR_REGION_NONE;
		}
	return m->ev[a].site < m->ev[b].site ? FR_REGION_SPLIT : FR_REGION_NONE;
}

enum fr_region local_pair(const struct fr_model *m, fr_ev a, fr_ev b, uint32_t loc, bool near)
{
	unsigned wa = local_access(m, a, loc), wb = local_access(m, b, loc), w;
	bool separate;
	enum fr_region r;

	if (!((wa | wa >> 8) & (wb | wb >> 8) & 0xff))
		return FR_REGION_NONE;
	r = local_region(m, a, b, &separate);
	if (r || separate || !near || m->ev[a].site >= m->ev[b].site)
		return r;
	for (fr_ev e = a + 1; e < b; e++) {
		if (m->ev[e].thread != m->ev[a].thread || fr_head(m, e) == a)
			continue;
		w = local_access(m, fr_head(m, e), loc);
		if ((w | w >> 8) & (wb | wb >> 8) & 0xff)
			return FR_REGION_NONE;
	}
	return FR_REGION_NEAR;
}

static void put(struct gen_script *s, unsigned thread, enum gen_kind kind, unsigned obj,
		uint64_t *random)
{
	struct gen_op *o = &s->op[s->n++];

	*o = (struct gen_op){.kind = (uint8_t)kind,
			     .id = (uint16_t)s->n,
			     .thread = (uint8_t)thread,
			     .obj = (uint8_t)obj,
			     .mask = 0xff,
			     .value = (uint8_t)(fx_random(random) % 2)};
	if (kind <= GEN_WRITE && fx_random(random) % 4 == 0)
		o->mask = fx_random(random) % 2 ? 0x0f : 0xf0;
}

static void accesses(struct gen_script *s, unsigned thread, uint64_t *random)
{
	for (uint64_t n = 1 + fx_random(random) % 2; n; n--)
		put(s, thread, fx_random(random) % 2 ? GEN_READ : GEN_WRITE,
		    (unsigned)(fx_random(random) % s->locs), random);
}

/* Takes a lock, or gives it back; the last one is a semaphore. */
static void put_lock(struct gen_script *s, unsigned thread, bool take, unsigned lock,
		     uint64_t *random)
{
	if (lock == s->mutexes)
		put(s, thread, take ? GEN_SEM_WAIT : GEN_SEM_POST, 0, random);
	else
		put(s, thread, take ? GEN_LOCK : GEN_UNLOCK, lock, random);
}

struct gen_script *local_random(uint64_t seed)
{
	struct gen_script *s = fr_xcalloc(1, sizeof(*s));
	uint64_t random = seed * 77 + 1;

	s->seed = seed;
	s->threads = fx_random(&random) % 4 ? 2 : 3;
	s->locs = (uint8_t)(2 + fx_random(&random) % 2);
	s->mutexes = (uint8_t)(1 + fx_random(&random) % 2);
	s->sems = s->sem[0] = fx_random(&random) % 4 == 0;
	s->max = 40;
	s->patience = 1000;
	for (unsigned t = 0; t < s->threads; t++) {
		unsigned lock = (unsigned)(fx_random(&random) % (s->mutexes + s->sems));
		bool marked = fx_random(&random) % 6 == 0;

		if (marked)
			put(s, t, GEN_MARK, FR_EV_USER_ATOMIC_BEGIN, &random);
		put_lock(s, t, true, lock, &random);
		accesses(s, t, &random);
		if (fx_random(&random) % 2) {
			put_lock(s, t, false, lock, &random);
			if (fx_random(&random) % 4 == 0)
				accesses(s, t, &random);
			if (fx_random(&random) % 8 == 0)
				lock = (unsigned)(fx_random(&random) % (s->mutexes + s->sems));
			put_lock(s, t, true, lock, &random);
		}
		accesses(s, t, &random);
		put_lock(s, t, false, lock, &random);
		if (marked && fx_random(&random) % 2)
			accesses(s, t, &random);
		if (marked)
			put(s, t, GEN_MARK, FR_EV_USER_ATOMIC_END, &random);
	}
	s->nturns = 400;
	for (unsigned i = 0, t = 0; i < s->nturns; i++) {
		if (fx_random(&random) % 3 == 0)
			t = (unsigned)(fx_random(&random) % s->threads);
		s->turn[i] = (uint8_t)t;
	}
	return s;
}
