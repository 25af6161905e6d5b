/* Objects that play the role of a lock: see lock_role.h. One pass over the events of each
   semaphore, and one over the locks. */
#include "model/lock_role.h"

/* Does the program use this semaphore as a lock? */
static bool is_lock(const struct fr_model *m, uint32_t sem)
{
	const struct fr_mclass *k = &m->cls[FR_C_SEM];
	uint32_t count = k->obj[sem].count, first = UINT32_MAX, owner = UINT32_MAX;
	const struct fr_mev *gives = NULL; /* the post that gave it its unit, */
	fr_ev given = 0;		   /* and where that was */
	bool others = false;

	for (uint32_t i = k->first[sem]; i < k->first[sem + 1]; i++) {
		const struct fr_mev *v = &m->ev[k->list[i]];

		if (v->op == FR_OP_SEM_FAILED)
			continue;
		if (v->op == FR_OP_SEM_WAIT) {
			if (count != 1 || (gives && gives->thread != v->thread &&
					   m->thread[v->thread].ev[0] < given))
				return false;
			count = 0;
			owner = v->thread;
			others |= first != UINT32_MAX && first != owner;
			first = first == UINT32_MAX ? owner : first;
			continue;
		}
		fr_assert(v->op == FR_OP_SEM_POST);
		if (count || (owner != v->thread && i != k->first[sem]))
			return false;
		if (owner != v->thread) {
			gives = v;
			given = k->list[i];
		}
		count = 1;
		owner = UINT32_MAX;
	}
	return others;
}

static void find_conds(struct fr_lock_roles *r)
{
	const struct fr_mclass *cond = &r->m->cls[FR_C_COND], *lock = &r->m->cls[FR_C_LOCK];
	struct fr_map at = {0};

	for (uint32_t i = 0; cond->n && i < lock->n; i++)
		if (lock->obj[i].aux == FR_LOCK_SPIN)
			*fr_map_put(&at, lock->obj[i].addr) = 1;
	for (uint32_t i = 0; i < cond->n; i++)
		r->cond[i] = fr_map_get(&at, cond->obj[i].addr);
	fr_map_free(&at);
}

void fr_lock_roles_init(struct fr_lock_roles *r, const struct fr_model *m)
{
	*r = (struct fr_lock_roles){.m = m};
	r->sem = fr_xcalloc((size_t)m->cls[FR_C_SEM].n + 1, sizeof(*r->sem));
	r->cond = fr_xcalloc((size_t)m->cls[FR_C_COND].n + 1, sizeof(*r->cond));
	for (uint32_t i = 0; i < m->cls[FR_C_SEM].n; i++)
		r->sem[i] = is_lock(m, i);
	find_conds(r);
}

void fr_lock_roles_free(struct fr_lock_roles *r)
{
	free(r->sem);
	free(r->cond);
	*r = (struct fr_lock_roles){0};
}

bool fr_lock_roles_separates(const struct fr_lock_roles *r, const struct fr_mev *v)
{
	if (!fr_op_separates(v->op))
		return false;
	switch (fr_op_class[v->op]) {
	case FR_C_SEM:
		return !r->sem[v->obj];
	case FR_C_COND:
		return !r->cond[v->obj];
	default:
		return true;
	}
}
