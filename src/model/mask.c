/* Compares masks: see mask.h. */
#include "model/mask.h"

bool fr_mask_all(const struct fr_model *m, const struct fr_mask *mask, fr_ev from, fr_ev to)
{
	fr_assert(from <= to && to <= m->n);
	for (fr_ev e = from; mask && e < to; e++) {
		unsigned op = m->ev[e].op;

		if ((op == FR_OP_READ && !fr_mask_read(mask, e)) ||
		    (op == FR_OP_WRITE && !fr_mask_write(mask, e)))
			return false;
	}
	return true;
}

bool fr_mask_step(const struct fr_model *m, const struct fr_mask *mask, fr_ev head)
{
	fr_ev end = head + 1;

	fr_assert(head < m->n && !(m->ev[head].flags & FR_F_PART));
	while (end < m->n && m->ev[end].flags & FR_F_PART)
		end++;
	return fr_mask_all(m, mask, head, end);
}

/* Do the bits [from, to) agree? */
static bool same_bits(const uint64_t *a, const uint64_t *b, fr_ev from, fr_ev to)
{
	uint64_t differ = 0;

	for (fr_ev e = from; e < to && !differ; e = (e / 64 + 1) * 64) {
		differ = (a[e / 64] ^ b[e / 64]) >> e % 64;
		if (to - e < 64)
			differ &= (UINT64_C(1) << (to - e)) - 1;
	}
	return !differ;
}

bool fr_mask_same(const struct fr_model *m, const struct fr_mask *a, const struct fr_mask *b,
		  fr_ev from, fr_ev to)
{
	fr_assert(from <= to && to <= m->n);
	fr_assert((!a || a->id) && (!b || b->id));
	if (a == b || (a && b && a->id == b->id))
		return true;
	if (!a || !b)
		return fr_mask_all(m, a ? a : b, from, to);
	return same_bits(a->reads, b->reads, from, to) && same_bits(a->writes, b->writes, from, to);
}
