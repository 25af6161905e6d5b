/* Call stacks of hooks: see hook_stacks.h. */
#include "predict/hook_stacks.h"
#include "base/assert.h"
#include <string.h>

static uint64_t key_of(uint32_t thread, uint64_t hook)
{
	fr_assert_slow(thread <= UINT16_MAX);
	return (uint64_t)thread << 48 | (hook & ((UINT64_C(1) << 48) - 1));
}

void fr_hook_stacks_want(struct fr_hook_stacks *l, const struct fr_model *m, fr_ev e)
{
	struct fr_hook_stack k = {.thread = m->ev[e].thread, .hook = fr_model_hook(m, e)};
	uint64_t *at = fr_map_put(&l->at, key_of(k.thread, k.hook));

	if (*at)
		return;
	fr_vec_push(&l->stack, k);
	*at = l->stack.n;
}

const struct fr_hook_stack *fr_hook_stacks_get(const struct fr_hook_stacks *l,
					       const struct fr_model *m, fr_ev e)
{
	uint64_t *at = fr_map_get(&l->at, key_of(m->ev[e].thread, fr_model_hook(m, e)));

	return at && *at && l->stack.v[*at - 1].found ? &l->stack.v[*at - 1] : NULL;
}

bool fr_hook_stack_fits(const struct fr_sites *sites, const struct fr_stack *s, uint32_t site)
{
	struct fr_site_info at = fr_sites_get(sites, site), in;

	if (!s->frame.n || !*at.physical)
		return true;
	in = fr_sites_get(sites, s->frame.v[s->frame.n - 1].func);
	return !in.known || !strcmp(in.name, at.physical) || !strcmp(in.physical, at.physical);
}

static void take(struct fr_hook_stack *k, const struct fr_trace *t, const struct fr_rec *rec,
		 const struct fr_stack *s)
{
	k->found = true;
	if (!s->frame.n || !fr_hook_stack_fits(t->sites, s, rec->e->site))
		return;
	k->nframes = (uint32_t)s->frame.n;
	k->frame = fr_xmalloc(s->frame.n * sizeof(*k->frame));
	memcpy(k->frame, s->frame.v, s->frame.n * sizeof(*k->frame));
}

static int pass_thread(struct fr_hook_stacks *l, const struct fr_trace *t,
		       const struct fr_trace_thread *th, uint32_t thread, uint64_t wanted,
		       struct fr_err *reterr)
{
	struct fr_stack stack = {0};
	struct fr_iter it;
	struct fr_rec rec;
	int r = 0;

	fr_iter_open(&it, t, th);
	while (wanted && (r = fr_iter_next(&it, &rec, reterr)) > 0) {
		struct fr_hook_stack *k;
		uint64_t *at;
		bool pending;

		fr_stack_feed(&stack, &rec);
		/* The operation that the thread waited for would have been its next hook. */
		pending = fr_event_kind(rec.e) == FR_EV_PENDING;
		if (fr_event_class(fr_event_kind(rec.e)) == 'x' && !pending)
			continue;
		at = fr_map_get(&l->at, key_of(thread, rec.hook + pending));
		k = at && *at ? &l->stack.v[*at - 1] : NULL;
		fr_assert_slow(!k || k->thread == thread);
		if (!k || k->found)
			continue;
		take(k, t, &rec, &stack);
		wanted--;
	}
	fr_iter_close(&it);
	fr_stack_free(&stack);
	return r < 0 ? r : 0;
}

int fr_hook_stacks_pass(struct fr_hook_stacks *l, const struct fr_model *m, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) uint64_t *wanted = fr_xcalloc(m->nthreads, sizeof(*wanted));

	for (; l->done < l->stack.n; l->done++) {
		fr_assert(l->stack.v[l->done].thread < m->nthreads && !l->stack.v[l->done].found);
		wanted[l->stack.v[l->done].thread]++;
	}
	for (uint32_t t = 0; m->trace && t < m->nthreads; t++) {
		const struct fr_trace_thread *th = fr_trace_thread(m->trace, m->thread[t].id);
		int r;

		if (!wanted[t] || !th)
			continue;
		r = pass_thread(l, m->trace, th, t, wanted[t], reterr);
		if (r < 0)
			return r;
	}
	return 0;
}

void fr_hook_stacks_free(struct fr_hook_stacks *l)
{
	FR_VEC_FOREACH (k, &l->stack)
		free(k->frame);
	fr_vec_free(&l->stack);
	fr_map_free(&l->at);
	*l = (struct fr_hook_stacks){0};
}
