/*
 * Random scripts: which objects there are and what the threads try. Values are few, so that many
 * writes write the same. Each run has a taste of its own: some kinds of operations are left out of
 * it altogether, so that the others meet often.
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

/* How often each kind is tried, and which count of the script says that there are such objects. */
static const struct {
	uint8_t weight;
	int16_t count;
} kind_table[GEN_KINDS] = {
#define KIND(k, w, c) [k] = {w, offsetof(struct gen_script, c)}
    KIND(GEN_READ, 20, locs),	     KIND(GEN_WRITE, 20, locs),
    KIND(GEN_RMW, 5, locs),	     KIND(GEN_TWO, 3, locs),
    KIND(GEN_SYNTH, 1, locs),	     KIND(GEN_LOCK, 14, mutexes),
    KIND(GEN_TRY, 4, mutexes),	     KIND(GEN_SHARE, 10, rwlocks),
    KIND(GEN_TRY_SHARE, 4, rwlocks), KIND(GEN_UNLOCK, 14, mutexes),
    KIND(GEN_WAIT, 12, conds),	     KIND(GEN_SIGNAL, 10, conds),
    KIND(GEN_BROADCAST, 3, conds),   KIND(GEN_SEM_WAIT, 8, sems),
    KIND(GEN_SEM_TRY, 4, sems),	     KIND(GEN_SEM_POST, 8, sems),
    KIND(GEN_BARRIER, 10, barriers), KIND(GEN_ONCE, 10, onces),
    KIND(GEN_CREATE, 8, threads),    KIND(GEN_JOIN, 4, threads),
    KIND(GEN_END, 3, threads),	     KIND(GEN_ACQUIRE_ALL, 6, flags),
    KIND(GEN_RELEASE_ALL, 6, flags), KIND(GEN_HEAP, 1, threads),
    KIND(GEN_MARK, 1, threads),
#undef KIND
};

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
	if (chance(r, 40))
		s->made = (uint8_t)(below(r, 1u << s->threads) & ~1u);
}

static void random_op(struct gen_script *s, uint64_t *r, const uint8_t *taste, uint8_t mixed)
{
	struct gen_op *o = &s->op[s->n];
	unsigned total = 0, pick;

	for (unsigned i = 0; i < GEN_KINDS; i++)
		total += taste[i];
	pick = below(r, total);
	o->kind = 0;
	while (pick >= taste[o->kind])
		pick -= taste[o->kind++];
	o->thread = (uint8_t)below(r, s->threads);
	o->obj = (uint8_t)below(r, 8);
	o->obj2 = (uint8_t)below(r, 8);
	o->mask = random_mask(r, mixed >> (o->obj % s->locs) & 1, o->obj % s->locs);
	o->value = (uint8_t)below(r, 3);
	if (chance(r, 8))
		o->flags |= FR_F_NOVALUE;
	if (chance(r, 20))
		o->flags |= FR_F_ATOMIC;
	if (chance(r, 80))
		o->flags |= FR_F_BLOCKING;
	if (chance(r, 10))
		o->flags |= FR_F_TIMEOUT;
	s->n++;
}

struct gen_script *gen_random(uint64_t seed, uint32_t max)
{
	struct gen_script *s = fr_xcalloc(1, sizeof(*s));
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, *r = &state;
	uint8_t taste[GEN_KINDS], mixed;
	uint32_t tries;

	s->seed = seed;
	s->max = max ? max : 4 + below(r, 11);
	objects(s, r, max > 20);
	for (unsigned i = 0; i < GEN_KINDS; i++) {
		uint8_t count = *((uint8_t *)s + kind_table[i].count);

		if (i == GEN_UNLOCK || i == GEN_LOCK || i == GEN_TRY)
			count = s->mutexes + s->rwlocks;
		if (i == GEN_CREATE)
			count = s->made;
		taste[i] = count ? kind_table[i].weight : 0;
		if (i > GEN_WRITE && i != GEN_UNLOCK && i != GEN_CREATE && chance(r, 25))
			taste[i] = 0;
	}
	if (max > 20) /* long runs go on */
		taste[GEN_END] = taste[GEN_JOIN] = 0;
	mixed = chance(r, 35) ? (uint8_t)below(r, 256) : 0;
	tries = s->max * 4 < GEN_OPS ? s->max * 4 : GEN_OPS;
	while (s->n < tries)
		random_op(s, r, taste, mixed);
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

	s->max = GEN_OPS * 2; /* what is left out must not let others in */
	if (!still_bad(s, bad, arg)) {
		/* the end of the run was cut off by `max`: find where */
		for (s->max = 1; s->max < GEN_OPS && !still_bad(s, bad, arg); s->max++)
			;
	}
	for (uint32_t size = s->n / 2 ? s->n / 2 : 1; size; size /= 2) {
		for (uint32_t i = 0; i + size <= s->n;) {
			*less = *s;
			memmove(less->op + i, less->op + i + size,
				(less->n - i - size) * sizeof(*less->op));
			less->n -= size;
			if (still_bad(less, bad, arg))
				*s = *less;
			else
				i += size;
		}
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
