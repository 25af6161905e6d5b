/*
 * Deadlocks: a cycle of threads, all pending at once, each of which waits for something that the
 * next one holds. There is one group for each set of sites (of the waits, and of the acquisitions
 * of the locks held).
 *
 * The search takes the lengths in ascending order, and starts from the dependencies against the
 * order in which most locks are acquired (lock_dependency.c). A thread that waits for itself is a
 * cycle of length one; it exists only if the recorded run ended in it. Left out are cycles that
 * contain a shorter one, cycles with two members that a common lock excludes (a guard), and
 * instances that must-happen-before separates. Two shared acquisitions do not wait for each other.
 * glibc's rwlocks prefer readers by default, so a reader does not wait behind a waiting writer
 * either.
 *
 * Cost: bounded. cut_off counts where a limit was reached.
 */
#include "generate/lock_dependency.h"
#include "causality/refute.h"
#include <string.h>

#define STEPS_MAX 2000000   /* steps of the search, all lengths together */
#define STEPS_LENGTH 500000 /* for one length */
#define STEPS_START 20000   /* for one length from one dependency */
#define GROUPS_MAX 2000
#define SEEN_MAX 64 /* instances of a group that are examined */

struct tuple {
	fr_ev span;
	uint32_t n;
	fr_ev ev[FR_TARGETS];
};

struct found {
	uint64_t key, seen;
	uint32_t n;
	struct tuple *inst[FR_INSTANCES]; /* smallest span first */
};

struct search {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_depends d;
	struct fr_groups *ret;
	struct fr_map index; /* key of a group -> index into found + 1 */
	FR_VEC(struct found) found;
	uint32_t length, depth;
	uint32_t path[FR_TARGETS];
	uint64_t steps, length_steps, start_steps;
	bool reached; /* some path is only one short of the length */
};
static void keep(struct found *f, const struct tuple *t)
{
	uint32_t i;

	fr_assert(f->n <= FR_INSTANCES && t->n <= FR_TARGETS);
	f->seen++;
	if (f->n == FR_INSTANCES && f->inst[f->n - 1]->span <= t->span)
		return;
	if (f->n < FR_INSTANCES)
		f->inst[f->n++] = fr_xmalloc(sizeof(*t));
	for (i = f->n - 1; i && f->inst[i - 1]->span > t->span; i--) {
		struct tuple *x = f->inst[i];

		f->inst[i] = f->inst[i - 1];
		f->inst[i - 1] = x;
	}
	*f->inst[i] = *t;
}

/* The instance of the dependency that is nearest to t->ev[0] and that nothing separates from the
   events chosen so far. */
static fr_ev nearest(struct search *s, const struct fr_lock_dependency *p, const struct tuple *t)
{
	fr_ev best = FR_NO_EV;

	for (uint32_t i = 0; i < p->n; i++) {
		fr_ev e = p->ev[i];
		bool unordered = true;

		if (best != FR_NO_EV && (e > t->ev[0] ? e - t->ev[0] : t->ev[0] - e) >=
					    (best > t->ev[0] ? best - t->ev[0] : t->ev[0] - best))
			continue;
		for (uint32_t k = 0; k < t->n && unordered; k++)
			unordered = !fr_refute_ordered(s->m, s->c, t->ev[k], e);
		if (unordered)
			best = e;
	}
	return best;
}

/* The group of the current path; NULL if there are enough groups. */
static struct found *found_of(struct search *s)
{
	uint64_t key = 0, *at;

	fr_assert(s->depth && s->depth <= FR_TARGETS);
	/* The key must not depend on where the cycle begins. */
	for (uint32_t i = 0; i < s->depth; i++)
		key += fr_mix(s->d.dep.v[s->path[i]].sites, 1);
	key = fr_mix(key, s->depth) >> 1;
	at = fr_map_put(&s->index, key);
	if (!*at && s->found.n >= GROUPS_MAX) {
		s->ret->cut_off++;
		return NULL;
	}
	if (!*at) {
		fr_vec_push(&s->found, (struct found){.key = key});
		*at = s->found.n;
	}
	return &s->found.v[*at - 1];
}

static void cycle(struct search *s)
{
	const struct fr_lock_dependency *first = &s->d.dep.v[s->path[0]];
	struct found *f = found_of(s);

	fr_assert(first->n && first->n <= FR_DEPEND_INSTANCES);
	for (uint32_t i = 0; f && i < first->n && f->seen < SEEN_MAX; i++) {
		struct tuple t = {.n = 1, .ev = {first->ev[i]}};
		fr_ev low = t.ev[0], high = t.ev[0];

		s->start_steps += s->depth;
		s->length_steps += s->depth;
		s->steps += s->depth;
		for (uint32_t k = 1; k < s->depth; k++) {
			fr_ev e = nearest(s, &s->d.dep.v[s->path[k]], &t);

			if (e == FR_NO_EV)
				break;
			t.ev[t.n++] = e;
			low = e < low ? e : low;
			high = fr_max(high, e);
		}
		if (t.n < s->depth) {
			s->ret->refuted++;
			continue;
		}
		t.span = high - low;
		keep(f, &t);
	}
}

static bool fits(const struct search *s, uint32_t which)
{
	const struct fr_lock_dependency *p = &s->d.dep.v[which];
	const struct fr_lock_dependency *last = &s->d.dep.v[s->path[s->depth - 1]];

	fr_assert_slow(s->depth && s->depth < s->length);
	/* Find each cycle once: from its first dependency against the order. */
	if ((p->against && which < s->path[0]) || !fr_depend_waits_for(&s->d, last, p))
		return false;
	for (uint32_t i = 0; i < s->depth; i++) {
		const struct fr_lock_dependency *x = &s->d.dep.v[s->path[i]];

		if (x->thread == p->thread || fr_depend_exclude(&s->d, x, p))
			return false;
		/* It contains a shorter cycle. */
		if ((i && fr_depend_waits_for(&s->d, p, x)) ||
		    (i + 1 < s->depth && fr_depend_waits_for(&s->d, x, p)))
			return false;
	}
	return true;
}

static bool used_up(struct search *s)
{
	if (s->start_steps >= STEPS_START || s->length_steps >= STEPS_LENGTH ||
	    s->steps >= STEPS_MAX)
		return true;
	s->start_steps++;
	s->length_steps++;
	s->steps++;
	return false;
}

/* Adds the last dependency, which wants something that the first one holds. */
static void close_cycle(struct search *s)
{
	const struct fr_lock_dependency *first = &s->d.dep.v[s->path[0]];
	fr_resource wants = s->d.dep.v[s->path[s->depth - 1]].wants;

	for (uint32_t k = 0; k <= first->nheld; k++) {
		fr_resource held = fr_depend_holds(&s->d, first, k);

		for (uint32_t i = fr_depends_from(&s->d, wants, held);
		     i < s->d.first[wants + 1] && s->d.dep.v[s->d.list[i]].wants == held; i++) {
			const struct fr_lock_dependency *p = &s->d.dep.v[s->d.list[i]];

			if (used_up(s))
				return;
			fr_assert_slow(p->wants == held);
			if (!fits(s, s->d.list[i]) || !fr_depend_waits_for(&s->d, p, first))
				continue;
			s->path[s->depth++] = s->d.list[i];
			cycle(s);
			s->depth--;
		}
	}
}

static void extend(struct search *s)
{
	fr_resource wants = s->d.dep.v[s->path[s->depth - 1]].wants;

	fr_assert(s->depth < s->length && wants < s->d.nlocks + s->d.nthreads);
	if (s->depth + 1 == s->length) {
		s->reached = true;
		close_cycle(s);
		return;
	}
	for (uint32_t i = s->d.first[wants]; i < s->d.first[wants + 1]; i++) {
		if (used_up(s))
			return;
		if (!fits(s, s->d.list[i]) ||
		    fr_depend_waits_for(&s->d, &s->d.dep.v[s->d.list[i]], &s->d.dep.v[s->path[0]]))
			continue;
		s->path[s->depth++] = s->d.list[i];
		extend(s);
		s->depth--;
	}
}

/* Finds threads that wait for something that they hold themselves. The recorded run ended there. */
static void find_self_waits(struct search *s)
{
	s->depth = 1;
	for (s->path[0] = 0; s->path[0] < s->d.dep.n; s->path[0]++) {
		const struct fr_lock_dependency *p = &s->d.dep.v[s->path[0]];

		if (fr_depend_waits_for(&s->d, p, p))
			cycle(s);
	}
}

static void find_cycles(struct search *s)
{
	s->reached = true;
	for (s->length = 2; s->length <= FR_TARGETS && s->reached; s->length++) {
		s->reached = false;
		s->length_steps = 0;
		for (uint32_t i = 0; i < s->d.dep.n; i++) {
			if (!s->d.dep.v[i].against)
				continue;
			s->path[0] = i;
			s->depth = 1;
			s->start_steps = 0;
			extend(s);
			s->ret->cut_off += s->start_steps >= STEPS_START;
			if (s->length_steps >= STEPS_LENGTH || s->steps >= STEPS_MAX)
				break;
		}
		s->ret->cut_off += s->length_steps >= STEPS_LENGTH;
		if (s->steps >= STEPS_MAX) {
			s->ret->cut_off++;
			return;
		}
	}
}

static void write_groups(struct search *s)
{
	FR_VEC_FOREACH (f, &s->found) {
		struct fr_group g = {.key = f->key, .instances_seen = f->seen};

		if (!f->n) /* must-happen-before separates them all */
			continue;
		for (uint32_t i = 0; i < f->n; i++) {
			const struct tuple *t = f->inst[i];
			struct fr_instance *in = fr_instance_new(t->n);

			in->what.npending = t->n;
			for (uint32_t k = 0; k < t->n; k++) {
				fr_assert(s->m->ev[t->ev[k]].flags & FR_F_BLOCKING);
				in->what.pending[k] = fr_head(s->m, t->ev[k]);
				in->actor[k] = (struct fr_actor){t->ev[k], FR_ROLE_WAITS, 0};
			}
			fr_vec_push(&g.instance, in);
			free(f->inst[i]);
		}
		fr_vec_push(&s->ret->group, g);
	}
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct search s = {.m = m, .c = c, .ret = ret};

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	fr_depends_init(&s.d, m);
	find_self_waits(&s);
	find_cycles(&s);
	write_groups(&s);
	fr_depends_free(&s.d);
	fr_map_free(&s.index);
	fr_vec_free(&s.found);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_deadlock = {
    .name = "deadlock",
    .summary = "threads wait for each other's locks in a cycle",
    .meeting = FR_MEETING_CYCLE,
    .rank = 30,
    .generate = generate,
};
