/*
 * Random scripts: the objects of a run and the actions of its threads, mostly in the shapes of real
 * programs (sections, waits behind a lock). Few values exist, so that many writes write the same.
 * Each run leaves out some kinds of operations, so that the others meet often.
 */
#include "fixture.h"
#include "gen.h"
#include <inttypes.h>

static unsigned below(uint64_t *state, unsigned n)
{
	return (unsigned)(fx_random(state) % n);
}

static bool chance(uint64_t *state, unsigned percent)
{
	return below(state, 100) < percent;
}

static uint8_t random_mask(uint64_t *state, bool mixed, unsigned loc)
{
	unsigned size = mixed ? 1u << below(state, 4) : 4, at;

	if (!mixed)
		return loc & 1 ? 0x0f : 0xff;
	at = below(state, 8 / size) * size;
	return (uint8_t)(((1u << size) - 1) << at);
}

static void objects(struct gen_script *s, uint64_t *r, bool large)
{
	s->threads = (uint8_t)(large ? 3 + below(r, 4) : 2 + below(r, 3));
	s->locs = (uint8_t)(large ? 2 + below(r, 6) : 1 + below(r, 3));
	s->mutexes = (uint8_t)(large ? 1 + below(r, 4) : chance(r, 70) ? 1 + below(r, 3) : 0);
	s->rwlocks = chance(r, 25) ? (uint8_t)(1 + below(r, 2)) : 0;
	s->conds = s->mutexes && chance(r, 30) ? (uint8_t)(1 + below(r, 2)) : 0;
	s->sems = chance(r, 25) ? (uint8_t)(1 + below(r, 2)) : 0;
	s->barriers = chance(r, 15) ? 1 : 0;
	s->onces = chance(r, 15) ? (uint8_t)(1 + below(r, 2)) : 0;
	s->flags = chance(r, 15) ? 1 : 0;
	for (unsigned i = 0; i < GEN_OTHERS; i++) {
		s->sem[i] = (uint8_t)below(r, 3);
		s->barrier[i] = (uint8_t)(2 + below(r, s->threads - 1u));
	}
	for (unsigned i = 0; i < GEN_LOCS; i++)
		s->memory[i] = (uint8_t)below(r, 3);
	if (chance(r, 20))
		s->heap = (uint8_t)(1 + below(r, (1u << s->locs) - 1));
	if (chance(r, 40))
		s->made = (uint8_t)(below(r, 1u << s->threads) & ~1u);
}

/* ---- programs ---- */

/* Which of the things below a thread does, and how often. */
enum {
	ACCESS,
	RMW,
	TWO,
	SYNTH,
	SECTION,
	NESTED,
	TRY,
	SHARED,
	TRY_SHARED,
	WAIT,
	SIGNAL,
	BROADCAST,
	SEM_WAIT,
	SEM_TRY,
	SEM_POST,
	BARRIER,
	ONCE,
	CREATE,
	JOIN,
	FLAGS,
	FREE,
	NOTHING,
	THINGS
};

struct taste {
	struct gen_script *s;
	uint64_t *r;
	uint8_t weight[THINGS];
	uint8_t mixed; /* bit: location with accesses of many sizes */
	unsigned thread;
};

static struct gen_op *put(struct taste *x, enum gen_kind kind, unsigned obj)
{
	static struct gen_op none;
	struct gen_op *o;

	if (x->s->n == GEN_OPS)
		return &none;
	o = &x->s->op[x->s->n++];
	*o = (struct gen_op){.kind = (uint8_t)kind,
			     .id = (uint16_t)x->s->n,
			     .thread = (uint8_t)x->thread,
			     .obj = (uint8_t)obj,
			     .obj2 = (uint8_t)below(x->r, 8),
			     .value = (uint8_t)below(x->r, 3),
			     .flags = chance(x->r, 85) ? FR_F_BLOCKING : 0};
	return o;
}

static void put_access(struct taste *x, enum gen_kind kind)
{
	unsigned loc = below(x->r, x->s->locs);
	struct gen_op *o = put(x, kind, loc);

	o->mask = random_mask(x->r, x->mixed >> loc & 1, loc);
	if (chance(x->r, 6))
		o->flags |= FR_F_NOVALUE;
	if (chance(x->r, 15))
		o->flags |= FR_F_ATOMIC;
}

static void thing(struct taste *x, unsigned depth);

/* Something between two operations. */
static void around(struct taste *x, enum gen_kind first, enum gen_kind last, unsigned obj,
		   unsigned depth)
{
	put(x, first, obj);
	for (unsigned n = below(x->r, depth ? 2 : 3) + (depth == 0); n; n--)
		thing(x, depth + 1);
	if (chance(x->r, 92))
		put(x, last, obj);
}

/* Two locks, in any order. */
static void nested_thing(struct taste *x)
{
	unsigned locks = x->s->mutexes + x->s->rwlocks, a = below(x->r, locks);
	unsigned b = (a + 1 + below(x->r, locks - 1)) % locks;
	bool shares = b >= x->s->mutexes && chance(x->r, 50);

	put(x, GEN_LOCK, a);
	put(x, shares ? GEN_SHARE : GEN_LOCK, b);
	if (chance(x->r, 30))
		put_access(x, chance(x->r, 50) ? GEN_READ : GEN_WRITE);
	put(x, GEN_UNLOCK, b);
	put(x, GEN_UNLOCK, a);
}

static void wait_thing(struct taste *x, unsigned depth)
{
	struct gen_op *o;
	unsigned mutex = below(x->r, x->s->mutexes);

	put(x, GEN_LOCK, mutex);
	if (chance(x->r, 30))
		thing(x, depth + 1);
	o = put(x, GEN_WAIT, below(x->r, x->s->conds));
	o->obj2 = (uint8_t)mutex;
	if (chance(x->r, 15))
		o->flags |= FR_F_TIMEOUT;
	if (chance(x->r, 50))
		put_access(x, chance(x->r, 50) ? GEN_READ : GEN_WRITE);
	if (chance(x->r, 70))
		put(x, GEN_UNLOCK, mutex);
}

static void signal_thing(struct taste *x, enum gen_kind kind)
{
	unsigned cond = below(x->r, x->s->conds), mutex = below(x->r, x->s->mutexes);
	bool locked = chance(x->r, 40);

	if (locked)
		put(x, GEN_LOCK, mutex);
	if (chance(x->r, 30))
		put_access(x, GEN_WRITE);
	put(x, kind, cond);
	if (locked)
		put(x, GEN_UNLOCK, mutex);
}

static void thing(struct taste *x, unsigned depth)
{
	const struct gen_script *s = x->s;
	unsigned locks = s->mutexes + s->rwlocks, total = 0, pick, what;

	for (what = 0; what < THINGS; what++)
		total += x->weight[what];
	pick = below(x->r, total);
	for (what = 0; pick >= x->weight[what]; what++)
		pick -= x->weight[what];
	if (depth > 2)
		what = ACCESS;
	switch (what) {
	case ACCESS:
		put_access(x, chance(x->r, 50) ? GEN_READ : GEN_WRITE);
		return;
	case RMW ... SYNTH:
		put_access(x, GEN_RMW + (what - RMW));
		return;
	case SECTION:
		around(x, GEN_LOCK, GEN_UNLOCK, below(x->r, locks), depth);
		return;
	case NESTED:
		nested_thing(x);
		return;
	case TRY:
		around(x, GEN_TRY, GEN_UNLOCK, below(x->r, locks), depth);
		return;
	case SHARED:
	case TRY_SHARED:
		around(x, what == SHARED ? GEN_SHARE : GEN_TRY_SHARE, GEN_UNLOCK,
		       s->mutexes + below(x->r, s->rwlocks), depth);
		return;
	case WAIT:
		wait_thing(x, depth);
		return;
	case SIGNAL:
	case BROADCAST:
		signal_thing(x, GEN_SIGNAL + (what - SIGNAL));
		return;
	case SEM_WAIT ... SEM_POST:
		put(x, GEN_SEM_WAIT + (what - SEM_WAIT), below(x->r, s->sems));
		return;
	case BARRIER:
		put(x, GEN_BARRIER, below(x->r, s->barriers));
		return;
	case ONCE:
		around(x, GEN_ONCE, GEN_ONCE_END, below(x->r, s->onces), depth);
		return;
	case CREATE:
	case JOIN:
		put(x, what == CREATE ? GEN_CREATE : GEN_JOIN, below(x->r, s->threads));
		return;
	case FLAGS:
		put(x, chance(x->r, 50) ? GEN_ACQUIRE_ALL : GEN_RELEASE_ALL, below(x->r, s->flags));
		return;
	case FREE:
		put(x, GEN_FREE, below(x->r, s->locs));
		return;
	default:
		put(x, chance(x->r, 50) ? GEN_HEAP : GEN_MARK, 0);
	}
}

/* Weights, 0 where no such object exists. A quarter of the rest is 0 too; sometimes one dominates
   the run. */
static void choose_taste(struct taste *x)
{
	struct gen_script *s = x->s;
	unsigned locks = s->mutexes + s->rwlocks;
	const uint8_t weight[THINGS] = {
	    [ACCESS] = 45,
	    [RMW] = 6,
	    [TWO] = 3,
	    [SYNTH] = 1,
	    [SECTION] = locks ? 30 : 0,
	    [NESTED] = locks > 1 ? 20 : 0,
	    [TRY] = locks ? 6 : 0,
	    [SHARED] = s->rwlocks ? 15 : 0,
	    [TRY_SHARED] = s->rwlocks ? 6 : 0,
	    [WAIT] = s->conds ? 25 : 0,
	    [SIGNAL] = s->conds ? 35 : 0,
	    [BROADCAST] = s->conds ? 8 : 0,
	    [SEM_WAIT] = s->sems ? 10 : 0,
	    [SEM_TRY] = s->sems ? 6 : 0,
	    [SEM_POST] = s->sems ? 12 : 0,
	    [BARRIER] = s->barriers ? 20 : 0,
	    [ONCE] = s->onces ? 20 : 0,
	    [CREATE] = s->made ? 8 : 0,
	    [JOIN] = s->max > 20 ? 0 : 4,
	    [FLAGS] = s->flags ? 15 : 0,
	    [FREE] = s->heap ? 12 : 0,
	    [NOTHING] = 1,
	};

	unsigned most = chance(x->r, 40) ? below(x->r, THINGS) : THINGS;

	for (unsigned i = 0; i < THINGS; i++)
		x->weight[i] = i == ACCESS || chance(x->r, 75) ? weight[i] : 0;
	if (most == SIGNAL)
		most = WAIT;
	if (locks > 1 && chance(x->r, 15)) {
		most = NESTED;
		s->max += 5;
	}
	if (most < THINGS)
		x->weight[most] = (uint8_t)fr_min(weight[most] * 4, 255);
	if (most == WAIT)
		x->weight[SIGNAL] = x->weight[WAIT];
}

/* Gives turns, mostly enough to end every thread. A thread often keeps its turn for a while. */
static void turns(struct gen_script *s, uint64_t *r)
{
	unsigned stay = below(r, 90), t = below(r, s->threads);

	while (s->nturns < GEN_TURNS && s->nturns < s->max * 6) {
		if (!chance(r, stay))
			t = below(r, s->threads);
		s->turn[s->nturns++] = (uint8_t)t;
	}
}

struct gen_script *gen_random(uint64_t seed, uint32_t max)
{
	struct gen_script *s = fr_xcalloc(1, sizeof(*s));
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	struct taste x = {.s = s, .r = &state};

	for (unsigned i = 0; i < 4; i++) /* the first numbers of near seeds are near */
		fx_random(&state);
	s->seed = seed;
	s->max = max ? max : 5 + below(&state, 12);
	s->patience = max > 20 ? 20 : UINT32_MAX;
	objects(s, &state, max > 20);
	if (s->conds || s->barriers || s->onces)
		s->max += 3; /* those take a few to happen at all */
	choose_taste(&x);
	x.mixed = chance(&state, 35) ? (uint8_t)below(&state, 256) : 0;
	for (unsigned t = 0; t < s->threads; t++) {
		uint32_t most = s->n + 2 + s->max / s->threads + below(&state, 3);

		if (chance(&state, 3))
			most = s->n;
		x.thread = t;
		for (unsigned i = t + 1; i < s->threads;
		     i++) /* a thread is made by one before it */
			if (s->made >> i & 1 && chance(&state, 60))
				put(&x, GEN_CREATE, i);
		while (s->n < most && s->n < GEN_OPS) {
			if (s->heap && chance(&state, s->n ? 12 : 60))
				put(&x, GEN_ALLOC, below(&state, s->locs));
			thing(&x, 0);
		}
		if (chance(&state, 30))
			put(&x, GEN_END, 0);
	}
	turns(s, &state);
	return s;
}

/* ---- making a failure small ---- */

static bool still_bad(const struct gen_script *s, bool (*bad)(const struct fr_model *, void *),
		      void *arg)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);

	return bad(m, arg);
}

void gen_shrink(struct gen_script *s, bool (*bad)(const struct fr_model *m, void *arg), void *arg)
{
	FR_CLEANUP(fr_freep) struct gen_script *less = fr_xmalloc(sizeof(*less));

	s->max = GEN_TURNS * 2; /* dropped turns must not let others in */
	if (!still_bad(s, bad, arg)) {
		/* the end of the run was cut off by `max`: find where */
		for (s->max = 1; s->max < GEN_TURNS && !still_bad(s, bad, arg); s->max++)
			;
	}
	for (uint32_t size = s->nturns / 2 ? s->nturns / 2 : 1; size; size /= 2) {
		for (uint32_t i = 0; i + size <= s->nturns;) {
			*less = *s;
			memmove(less->turn + i, less->turn + i + size, less->nturns - i - size);
			less->nturns -= size;
			if (still_bad(less, bad, arg))
				*s = *less;
			else
				i += size;
		}
	}
	for (uint32_t i = 0; i < s->n;) {
		*less = *s;
		memmove(less->op + i, less->op + i + 1, (less->n - i - 1) * sizeof(*less->op));
		less->n--;
		if (still_bad(less, bad, arg))
			*s = *less;
		else
			i++;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		*less = *s;
		less->op[i].flags &= FR_F_BLOCKING;
		if (still_bad(less, bad, arg))
			*s = *less;
	}
}

/* ---- as text ---- */

void gen_print(FILE *f, const struct fr_model *m)
{
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		fprintf(f, "%4u %s %*st%u %s %u", e, v->flags & FR_F_PART ? "+" : " ",
			v->thread * 22, "", v->thread, fr_op_name[v->op], v->obj);
		if (fr_is_access(v)) {
			fprintf(f, " mask %02x", v->mask);
			if (v->flags & FR_F_NOVALUE)
				fprintf(f, " = ?");
			else
				fprintf(f, " = %" PRIx64, v->value);
		}
		fprintf(f, "%s%s%s\n", v->flags & FR_F_TIMEOUT ? " timeout" : "",
			v->flags & FR_F_ATOMIC ? " atomic" : "",
			v->flags & FR_F_SYNTH ? " synth" : "");
	}
	for (uint32_t i = 0; i < m->cls[FR_C_SEM].n; i++)
		fprintf(f, "semaphore %u: %u at the start\n", i, m->cls[FR_C_SEM].obj[i].count);
	for (uint32_t i = 0; i < m->cls[FR_C_BARRIER].n; i++)
		fprintf(f, "barrier %u: %u enter, after barrier %d\n", i,
			m->cls[FR_C_BARRIER].obj[i].count,
			(int)m->cls[FR_C_BARRIER].obj[i].aux - 1);
}

void gen_show(const struct gen_script *s, const struct fr_model *m)
{
	fprintf(stderr, "seed %" PRIu64 ":\n", s->seed);
	gen_print(stderr, m);
}
