/* Words of C++ semaphores: see sem_word.h. */
#include "generate/sem_word.h"

/* Is each owner the one that took the only permit by compare-exchange? */
static bool is_permit(const struct fr_model *m, const struct fr_own_lock *l)
{
	const struct fr_mclass *k = &m->cls[FR_C_LOC];

	if (l->free != UINT64_C(1) << 8 * (unsigned)__builtin_ctz(l->mask))
		return false;
	for (uint32_t i = k->first[l->loc]; i < k->first[l->loc + 1]; i++) {
		const struct fr_mev *v = &m->ev[k->list[i]];

		if (v->op == FR_OP_WRITE && v->mask & l->mask && !(v->flags & FR_F_SYNTH) &&
		    (v->value & fr_mask_bytes(l->mask)) != l->free &&
		    (v->value & fr_mask_bytes(l->mask) || (v->origin & 3) != FR_ORIGIN_CAS))
			return false;
	}
	return true;
}

void fr_sem_words_find(struct fr_sem_words *ret, const struct fr_model *m)
{
	const struct fr_mclass *k = &m->cls[FR_C_COND];
	struct fr_map at = {0};

	*ret = (struct fr_sem_words){.cond = fr_xcalloc((size_t)k->n + 1, sizeof(*ret->cond))};
	for (uint32_t i = 0; i < k->n; i++)
		if (k->obj[i].addr)
			*fr_map_put(&at, k->obj[i].addr) = i + 1;
	if (at.n)
		fr_own_locks_find(&ret->own, m);
	ret->is = fr_xcalloc(ret->own.lock.n + 1, sizeof(*ret->is));
	for (size_t i = 0; i < ret->own.lock.n; i++) {
		const struct fr_own_lock *l = &ret->own.lock.v[i];
		uint64_t *cond = fr_map_get(&at, m->cls[FR_C_LOC].obj[l->loc].addr +
						     (unsigned)__builtin_ctz(l->mask));

		if (cond && is_permit(m, l))
			ret->is[i] = ret->cond[*cond - 1] = true;
	}
	fr_map_free(&at);
}

void fr_sem_words_free(struct fr_sem_words *words)
{
	fr_own_locks_free(&words->own);
	free(words->is);
	free(words->cond);
}

uint32_t fr_sem_word_of(const struct fr_sem_words *words, const struct fr_mev *v)
{
	uint32_t i = v->flags & FR_F_SYNTH ? UINT32_MAX : fr_own_lock_of(&words->own, v);

	return i == UINT32_MAX || !words->is[i] ? UINT32_MAX : i;
}
