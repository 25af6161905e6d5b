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
