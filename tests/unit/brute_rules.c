/* May this event happen now? Answered from where the threads stand, as model/model.h puts it. */
#include "brute_rules.h"
#include <assert.h>
#include <string.h>

/* ---- parts that are known beforehand ---- */

static void thread_past(struct brute_rules *r, unsigned t)
{
	const struct fr_mthread *th = &r->m->thread[t];

	r->past[t] = fr_xcalloc(th->n + 1, sizeof(*r->past[t]));
	for (uint32_t i = 0; i < th->n; i++) {
		const struct fr_mev *v = &r->m->ev[th->ev[i]];
		struct brute_past *p = &r->past[t][i + 1];

		*p = r->past[t][i];
		assert(fr_op_class[v->op] == FR_C_MARK || v->obj < BRUTE_OBJS);
		if (v->op == FR_OP_ACQUIRE)
			p->owns[v->obj]++;
		else if (v->op == FR_OP_RELEASE)
			p->owns[v->obj]--;
		else if (v->op == FR_OP_ACQUIRE_SHARED)
			p->shares[v->obj]++;
		else if (v->op == FR_OP_RELEASE_SHARED)
			p->shares[v->obj]--;
		else if (v->op == FR_OP_SEM_POST)
			p->sem[v->obj]++;
		else if (v->op == FR_OP_SEM_WAIT)
			p->sem[v->obj]--;
		else if (v->op == FR_OP_BARRIER_ENTER)
			p->entered[v->obj]++;
		else if (v->op == FR_OP_ONCE_END)
			p->once[v->obj]++;
		else if (v->op == FR_OP_WAIT_BEGIN)
			p->waits = (uint8_t)(v->obj + 1);
		else if (v->op == FR_OP_WAIT)
			p->waits = 0;
	}
}

static void memory_past(struct brute_rules *r)
{
	uint8_t last[BRUTE_LOCS][8] = {0};

	memset(r->initial, 0xff, sizeof(r->initial));
	for (fr_ev e = 0; e < r->m->n; e++) {
		const struct fr_mev *v = &r->m->ev[e];

		for (unsigned i = 0; i < 8 && fr_is_access(v); i++) {
			if (!(v->mask >> i & 1))
				continue;
			if (v->op == FR_OP_WRITE) {
				last[v->obj][i] = (uint8_t)(e + 1);
				continue;
			}
			r->saw[e][i] = last[v->obj][i];
			if (!last[v->obj][i] && !(v->flags & FR_F_NOVALUE) &&
			    r->initial[v->obj][i] < 0)
				r->initial[v->obj][i] = v->value >> (8 * i) & 0xff;
		}
	}
}

void brute_rules_init(struct brute_rules *r, const struct fr_model *m,
		      const struct fr_candidate *what)
{
	*r = (struct brute_rules){.m = m, .what = what};
	assert(m->n <= BRUTE_EVENTS && m->nthreads <= BRUTE_THREADS);
	assert(m->cls[FR_C_LOC].n <= BRUTE_LOCS);
	for (unsigned t = 0; t < m->nthreads; t++) {
		thread_past(r, t);
		for (uint32_t i = 0; i < m->thread[t].n; i++)
			r->place[m->thread[t].ev[i]] = (uint8_t)i;
	}
	memory_past(r);
}

void brute_rules_destroy(struct brute_rules *r)
{
	for (unsigned t = 0; t < BRUTE_THREADS; t++)
		free(r->past[t]);
}

/* ---- now ---- */

static const struct brute_past *past(const struct brute_rules *r, const struct brute_state *s,
				     unsigned t)
{
	return &r->past[t][s->pos[t]];
}

bool brute_done(const struct brute_rules *r, const struct brute_state *s, fr_ev e)
{
	return s->pos[r->m->ev[e].thread] > r->place[e];
}

static bool there(const struct brute_rules *r, const struct brute_state *s, unsigned t)
{
	fr_ev create = r->m->thread[t].create;

	return create == FR_NO_EV || brute_done(r, s, create);
}

fr_ev brute_next(const struct brute_rules *r, const struct brute_state *s, unsigned t)
{
	if (s->pos[t] >= r->m->thread[t].n || !there(r, s, t))
		return FR_NO_EV;
	return r->m->thread[t].ev[s->pos[t]];
}

bool brute_sees(const struct brute_rules *r, const struct brute_state *s,
		const struct fr_candidate *what)
{
	for (unsigned i = 0; i < 8 && what->sees.on; i++) {
		const struct fr_mev *v = &r->m->ev[what->sees.read];
		unsigned wrote = s->memory[v->obj][i];

		if (!(v->mask >> i & 1))
			continue;
		if (what->sees.write == FR_NO_EV
			? wrote != 0
			: r->m->ev[what->sees.write].mask >> i & 1 && wrote != what->sees.write + 1)
			return false;
	}
	return true;
}

/* The actions of all threads together on an object. */
#define SUM(field)                                            \
	({                                                    \
		int sum = 0;                                  \
		for (unsigned t = 0; t < r->m->nthreads; t++) \
			sum += past(r, s, t)->field;          \
		sum;                                          \
	})

static bool may_read(const struct brute_rules *r, const struct brute_state *s, fr_ev e)
{
	const struct fr_mev *v = &r->m->ev[e];

	for (unsigned i = 0; i < 8; i++) {
		unsigned writer = s->memory[v->obj][i];
		int want = v->value >> (8 * i) & 0xff, found;

		if (!(v->mask >> i & 1))
			continue;
		if (writer > r->cut && !fr_mask_write(r->mask, writer - 1))
			return false; /* not the same value even if it is the same write */
		if (writer == r->saw[e][i])
			continue; /* the same write, or none: the same value whatever it is */
		if (v->flags & FR_F_NOVALUE)
			return false;
		if (!writer)
			found = r->initial[v->obj][i];
		else if (r->m->ev[writer - 1].flags & FR_F_NOVALUE)
			return false;
		else
			found = r->m->ev[writer - 1].value >> (8 * i) & 0xff;
		if (found != want)
			return false;
	}
	return true;
}

static bool may_acquire_all(const struct brute_rules *r, const struct brute_state *s, fr_ev e)
{
	for (fr_ev i = 0; i < e; i++)
		if (r->m->ev[i].op == FR_OP_RELEASE_ALL && r->m->ev[i].obj == r->m->ev[e].obj &&
		    !brute_done(r, s, i))
			return false;
	return true;
}

/* Has the object been freed that this access, which came before the free in the run, is in? */
static bool is_freed(const struct brute_rules *r, const struct brute_state *s, fr_ev e)
{
	uint32_t obj = r->m->cls[FR_C_LOC].obj[r->m->ev[e].obj].aux;

	for (fr_ev f = e + 1; f < r->m->n; f++)
		if (obj && r->m->ev[f].op == FR_OP_FREE && r->m->ev[f].obj + 1 == obj &&
		    brute_done(r, s, f))
			return true;
	return false;
}

/* Has the object been allocated that this access, which came after the allocation in the run, is
   in? */
static bool is_allocated(const struct brute_rules *r, const struct brute_state *s, fr_ev e)
{
	uint32_t obj = r->m->cls[FR_C_LOC].obj[r->m->ev[e].obj].aux;

	for (fr_ev f = 0; f < e; f++)
		if (obj && r->m->ev[f].op == FR_OP_ALLOC && r->m->ev[f].obj + 1 == obj &&
		    !brute_done(r, s, f))
			return false;
	return true;
}

static bool may_happen(const struct brute_rules *r, const struct brute_state *s, fr_ev e)
{
	const struct fr_mev *v = &r->m->ev[e];
	uint32_t o = v->obj;
	const struct fr_mobj *barrier = r->m->cls[FR_C_BARRIER].obj;

	for (uint32_t i = 0; r->what && i < r->what->nedges; i++)
		if (r->what->edge[i].after == e && !brute_done(r, s, r->what->edge[i].before))
			return false;
	for (uint32_t i = 0; r->what && i < r->what->napart; i++)
		if (r->what->apart[i] == e &&
		    (r->what->first == FR_NO_EV || brute_done(r, s, r->what->first)))
			return false;
	switch (v->op) {
	case FR_OP_READ:
		return !is_freed(r, s, e) && is_allocated(r, s, e) &&
		       (r->blind || !fr_mask_read(r->mask, e) ||
			(s->differ < r->relax && e != r->fixed) || may_read(r, s, e));
	case FR_OP_WRITE:
		return !is_freed(r, s, e) && is_allocated(r, s, e);
	case FR_OP_ACQUIRE:
		return !SUM(owns[o]) && !SUM(shares[o]);
	case FR_OP_ACQUIRE_SHARED:
		return !SUM(owns[o]);
	case FR_OP_ACQUIRE_FAILED:
		return SUM(owns[o]) || SUM(shares[o]);
	case FR_OP_ACQUIRE_SHARED_FAILED:
		return SUM(owns[o]);
	case FR_OP_WAIT:
		return v->flags & FR_F_TIMEOUT || s->woken >> v->thread & 1;
	case FR_OP_SEM_WAIT:
		return (int)r->m->cls[FR_C_SEM].obj[o].count + SUM(sem[o]) > 0;
	case FR_OP_SEM_FAILED:
		return (int)r->m->cls[FR_C_SEM].obj[o].count + SUM(sem[o]) == 0;
	case FR_OP_BARRIER_ENTER:
		return !barrier[o].aux ||
		       SUM(entered[barrier[o].aux - 1]) == (int)barrier[barrier[o].aux - 1].count;
	case FR_OP_BARRIER_LEAVE:
		return SUM(entered[o]) == (int)barrier[o].count;
	case FR_OP_ONCE_DONE:
		return SUM(once[o]);
	case FR_OP_JOIN:
		return there(r, s, o) && s->pos[o] == r->m->thread[o].n;
	case FR_OP_ACQUIRE_ALL:
		return may_acquire_all(r, s, e);
	default:
		return true;
	}
}

/* ---- the effect of a step ---- */

static unsigned after(const struct brute_rules *r, struct brute_state s, fr_ev e,
		      struct brute_state *ret, unsigned n);

static unsigned after_parts(const struct brute_rules *r, struct brute_state s, fr_ev e,
			    struct brute_state *ret, unsigned n)
{
	s.pos[r->m->ev[e].thread]++;
	if (e + 1 < r->m->n && r->m->ev[e + 1].flags & FR_F_PART)
		return after(r, s, e + 1, ret, n);
	assert(n < BRUTE_NEXT);
	ret[n] = s;
	return n + 1;
}

static unsigned after(const struct brute_rules *r, struct brute_state s, fr_ev e,
		      struct brute_state *ret, unsigned n)
{
	const struct fr_mev *v = &r->m->ev[e];

	if (!may_happen(r, &s, e))
		return n;
	if (v->op == FR_OP_READ && !r->blind && fr_mask_read(r->mask, e))
		s.differ += !may_read(r, &s, e);
	if (v->op == FR_OP_WRITE) {
		bool kept = !r->blind || (r->what && r->what->sees.on &&
					  r->m->ev[r->what->sees.read].obj == v->obj);

		for (unsigned i = 0; i < 8 && kept; i++)
			if (v->mask >> i & 1)
				s.memory[v->obj][i] = (uint8_t)(e + 1);
	} else if (v->op == FR_OP_WAIT_BEGIN || v->op == FR_OP_WAIT) {
		s.woken &= (uint8_t)~(1u << v->thread);
	} else if (v->op == FR_OP_SIGNAL || v->op == FR_OP_BROADCAST) {
		for (unsigned t = 0; t < r->m->nthreads; t++) {
			struct brute_state woken = s;

			if (past(r, &s, t)->waits != v->obj + 1)
				continue;
			if (v->op == FR_OP_BROADCAST) {
				s.woken |= (uint8_t)(1u << t);
			} else if (!(s.woken >> t & 1)) {
				woken.woken |= (uint8_t)(1u << t);
				n = after_parts(r, woken, e, ret, n);
			}
		}
	}
	return after_parts(r, s, e, ret, n);
}

unsigned brute_step(const struct brute_rules *r, const struct brute_state *s, fr_ev head,
		    struct brute_state ret[BRUTE_NEXT])
{
	if (brute_next(r, s, r->m->ev[head].thread) != head)
		return 0;
	return after(r, *s, head, ret, 0);
}
