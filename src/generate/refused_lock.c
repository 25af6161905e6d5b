/* Refused attempts to take a lock: see refused_lock.h. */
#include "generate/refused_lock.h"

#define REFUSED_MAX 32 /* groups: pairs of sites */

static bool failed(const struct fr_model *m)
{
	const struct fr_run *r = m->trace ? &m->trace->run : NULL;

	return r && (r->hang || r->signal || r->crash.signal || r->exit);
}

static bool is_refused(const struct fr_mev *v)
{
	return (v->op == FR_OP_ACQUIRE_FAILED || v->op == FR_OP_ACQUIRE_SHARED_FAILED) &&
	       !(v->flags & (FR_F_BLOCKING | FR_F_SYNTH | FR_F_BENIGN));
}

/* A lock that is held once more by its thread stays as it is. */
static bool takes(const struct fr_mev *v)
{
	return v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_SHARED;
}

static bool has(const struct fr_groups *ret, uint64_t key)
{
	FR_VEC_FOREACH (g, &ret->group)
		if (g->key == key)
			return true;
	return false;
}

static void add(const struct fr_model *m, fr_ev by, fr_ev refused, struct fr_groups *ret)
{
	struct fr_group g = {.key = fr_mix(fr_mix(m->ev[by].site, m->ev[refused].site), 97) >> 1,
			     .instances_seen = 1};
	struct fr_instance *in;

	if (has(ret, g.key))
		return;
	if (ret->group.n == REFUSED_MAX) {
		ret->left_out++;
		return;
	}
	in = fr_instance_new(2);
	in->what.npending = in->what.nedges = 1;
	in->what.pending[0] = fr_head(m, refused);
	in->what.edge[0].before = fr_head(m, by);
	in->what.edge[0].after = fr_head(m, refused);
	in->actor[0] = (struct fr_actor){by, FR_ROLE_FIRST, 0};
	in->actor[1] = (struct fr_actor){refused, FR_ROLE_SECOND, 0};
	fr_vec_push(&g.instance, in);
	fr_vec_push(&ret->group, g);
}

void fr_refused_generate(const struct fr_model *m, const struct fr_causality *c,
			 struct fr_groups *ret)
{
	const struct fr_mclass *locks = &m->cls[FR_C_LOCK];

	*ret = (struct fr_groups){0};
	for (uint32_t k = 0; failed(m) && k < locks->n; k++) {
		fr_ev by = FR_NO_EV;

		for (uint32_t i = locks->first[k]; i < locks->first[k + 1]; i++) {
			fr_ev e = locks->list[i];
			const struct fr_mev *v = &m->ev[e];

			if (takes(v) && !(v->flags & FR_F_SYNTH))
				by = e;
			else if (is_refused(v) && by != FR_NO_EV && m->ev[by].thread != v->thread &&
				 !fr_mhb(c, by, e))
				add(m, by, e, ret);
		}
	}
}
