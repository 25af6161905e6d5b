/* The table of generators, and their common functions. */
#include "generate/generate.h"

const struct fr_generator *const fr_generators[] = {
#define FR_X(name) &name,
    FR_GENERATORS(FR_X)
#undef FR_X
	NULL};

const struct fr_generator *fr_generator_of_hang(enum fr_hang_bug bug)
{
	const struct fr_generator *const *g = fr_generators;

	fr_assert(bug != FR_HANG_BUG_NONE);
	while (*g && (*g)->hang_bug != bug)
		g++;
	fr_assert(*g && (*g)->summary);
	return *g;
}

const struct fr_generator *fr_generator_of_sets(void)
{
	const struct fr_generator *const *g = fr_generators;

	while (*g && !(*g)->named_sets)
		g++;
	fr_assert(*g && (*g)->summary);
	return *g;
}

struct fr_instance *fr_instance_new(uint32_t nactors)
{
	struct fr_instance *i = fr_xcalloc(1, sizeof(*i) + nactors * sizeof(i->actor[0]));

	fr_assert(nactors && nactors <= FR_TARGETS);
	i->nactors = nactors;
	return i;
}

void fr_instance_free(struct fr_instance *i)
{
	if (i)
		fr_schedule_free(&i->schedule);
	free(i);
}

void fr_group_free(struct fr_group *g)
{
	FR_VEC_FOREACH (i, &g->instance)
		fr_instance_free(*i);
	fr_vec_free(&g->instance);
	free(g->subject);
	free(g->label);
}

void fr_groups_free(struct fr_groups *g)
{
	FR_VEC_FOREACH (x, &g->group)
		fr_group_free(x);
	fr_vec_free(&g->group);
	FR_VEC_FOREACH (name, &g->unmatched)
		free(*name);
	fr_vec_free(&g->unmatched);
}

/* The position in the run at which the first instance begins. */
static fr_ev begin_of(const struct fr_group *g)
{
	const struct fr_candidate *c;
	fr_ev first = FR_NO_EV;

	if (!g->instance.n)
		return first;
	c = &g->instance.v[0]->what;
	for (uint32_t i = 0; i < c->npending; i++)
		first = fr_min(first, c->pending[i]);
	return first;
}

static int by_begin(const void *a, const void *b)
{
	const struct fr_group *x = a, *y = b;
	fr_ev px = begin_of(x), py = begin_of(y);

	if (px != py)
		return px < py ? -1 : 1;
	return (x->key > y->key) - (x->key < y->key);
}

/* The pending targets are the steps of the last actors that the candidate contains, in the same
   order. */
static bool ends_in_pending(const struct fr_instance *i)
{
	uint32_t n = i->nactors, held = i->nheld, targets = i->what.npending - held;

	while (n && fr_role_too_late(i->actor[n - 1].role))
		n--;
	if (n < targets)
		return false;
	for (uint32_t k = 0; k < targets; k++)
		if (i->what.pending[held + k] > i->actor[n - targets + k].ev)
			return false;
	return true;
}

static void assert_actors(const struct fr_instance *i)
{
	for (uint32_t k = 0; k < i->nactors; k++) {
		enum fr_role role = i->actor[k].role;

		fr_assert(role > FR_ROLE_NONE && role < FR_ROLE_COUNT);
		/* those that the bug leaves behind come last */
		fr_assert(!k || !fr_role_too_late(i->actor[k - 1].role) || fr_role_too_late(role));
	}
	fr_assert(!fr_role_too_late(i->actor[0].role));
}

void fr_groups_sort(struct fr_groups *g)
{
	FR_VEC_FOREACH (x, &g->group) {
		fr_assert(x->instance.n && x->instances_seen);
		fr_assert(x->region < FR_REGION_COUNT && x->shape < FR_SHAPE_COUNT);
		fr_assert(x->needs < FR_NEEDS_COUNT);
		FR_VEC_FOREACH (i, &x->instance) {
			fr_assert((*i)->what.npending && (*i)->nheld <= (*i)->what.npending);
			fr_assert((*i)->what.nedges <= FR_EDGES && (*i)->what.napart <= FR_APART);
			fr_assert((*i)->what.npending <= FR_TARGETS);
			assert_actors(*i);
			fr_assert(ends_in_pending(*i));
		}
	}
	if (g->group.n)
		qsort(g->group.v, g->group.n, sizeof(*g->group.v), by_begin);
}
