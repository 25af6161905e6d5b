/* Candidates: see candidate.h. */
#include "model/candidate.h"

const char *const fr_reason_text[] = {
#define FR_X(n, s) [FR_WHY_##n] = s,
    FR_REASONS(FR_X)
#undef FR_X
};

const char *const fr_tier_name[] = {
#define FR_X(n, s) s,
    FR_TIERS(FR_X)
#undef FR_X
};

static bool is_head(const struct fr_model *m, fr_ev e)
{
	return e < m->n && !(m->ev[e].flags & FR_F_PART);
}

static void assert_sees(const struct fr_model *m, const struct fr_candidate *c)
{
	fr_ev r = c->sees.read, w = c->sees.write;

	fr_assert(r < m->n && m->ev[r].op == FR_OP_READ);
	fr_assert(fr_is_pending(c, fr_head(m, r)));
	fr_assert(w == FR_NO_EV || (w < m->n && m->ev[w].op == FR_OP_WRITE));
	fr_assert(w == FR_NO_EV || m->ev[w].obj == m->ev[r].obj);
	fr_assert(fr_sees_bytes(m, c));
}

void fr_candidate_assert(const struct fr_model *m, const struct fr_candidate *c)
{
	fr_assert(c->npending <= FR_TARGETS && c->nedges <= FR_EDGES && c->napart <= FR_APART);
	for (uint32_t i = 0; i < c->npending; i++) {
		fr_assert(is_head(m, c->pending[i]));
		for (uint32_t k = 0; k < i; k++)
			fr_assert(m->ev[c->pending[i]].thread != m->ev[c->pending[k]].thread);
	}
	for (uint32_t i = 0; i < c->nedges; i++)
		fr_assert(c->edge[i].before < m->n && c->edge[i].after < m->n);
	if (c->sees.on)
		assert_sees(m, c);
	for (uint32_t i = 0; i < c->napart; i++) {
		fr_assert(is_head(m, c->apart[i]) && !fr_is_pending(c, c->apart[i]));
		fr_assert(!i || c->apart[i - 1] < c->apart[i]);
	}
	fr_assert(!c->napart || c->first == FR_NO_EV || c->first < m->n);
	fr_assert(!c->napart || c->first == FR_NO_EV || !fr_is_pending(c, fr_head(m, c->first)));
}

uint8_t fr_sees_bytes(const struct fr_model *m, const struct fr_candidate *c)
{
	const struct fr_mev *r = &m->ev[c->sees.read];

	fr_assert(c->sees.on && r->op == FR_OP_READ);
	if (c->sees.write == FR_NO_EV)
		return r->mask;
	fr_assert(m->ev[c->sees.write].op == FR_OP_WRITE && m->ev[c->sees.write].obj == r->obj);
	return r->mask & m->ev[c->sees.write].mask;
}

bool fr_sees_other(const struct fr_model *m, const struct fr_candidate *c, fr_ev e)
{
	return c->sees.on && m->ev[e].op == FR_OP_WRITE && e != c->sees.write &&
	       m->ev[e].obj == m->ev[c->sees.read].obj && m->ev[e].mask & fr_sees_bytes(m, c);
}
