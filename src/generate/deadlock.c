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
#include "generate/matches.h"
#include "causality/refute.h"
#include <string.h>

#define STEPS_MAX 2000000   /* steps of the search, all lengths together */
#define STEPS_LENGTH 500000 /* for one length */
#define STEPS_START 20000   /* for one length from one dependency */
#define GROUPS_MAX 2000
#define SEEN_MAX 64 /* instances of a group that are examined */

struct search {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_depends d;
	struct fr_groups *ret;
	struct fr_matches matches;
	uint32_t length, depth;
	uint32_t path[FR_TARGETS];
	uint64_t steps, length_steps, start_steps;
	bool reached; /* some path is only one short of the length */
};

/* The instance of the dependency that is nearest to ev[0] and that nothing separates from the n
   events chosen so far. */
static fr_ev nearest(struct search *s, const struct fr_lock_dependency *p, const fr_ev *ev,
		     uint32_t n)
{
	fr_ev best = FR_NO_EV;

	for (uint32_t i = 0; i < p->n; i++) {
		fr_ev e = p->ev[i];
		bool unordered = true;

		if (best != FR_NO_EV && (e > ev[0] ? e - ev[0] : ev[0] - e) >=
					    (best > ev[0] ? best - ev[0] : ev[0] - best))
			continue;
		for (uint32_t k = 0; k < n && unordered; k++)
			unordered = !fr_pair_ordered(s->m, s->c, ev[k], e);
		if (unordered)
			best = e;
	}
	return best;
}

/* The key of the current path, which does not depend on where the cycle begins. */
static uint64_t key_of(const struct search *s)
{
	uint64_t key = 0;

	fr_assert(s->depth && s->depth <= FR_TARGETS);
	for (uint32_t i = 0; i < s->depth; i++)
		key += fr_mix(s->d.dep.v[s->path[i]].sites, 1);
	return fr_mix(key, s->depth) >> 1;
}

/* Adds the match of the current path that begins with `first`. Returns false if there are too many
   groups. */
static bool see_match(struct search *s, fr_ev first, uint64_t key)
{
	struct fr_match_group of = {.key = key, .nev = s->depth};
	fr_ev ev[FR_TARGETS] = {first}, low = first;
	struct fr_match w = {.ev = ev, .end = first, .note = s->depth};

	for (uint32_t k = 1; k < s->depth; k++) {
		ev[k] = nearest(s, &s->d.dep.v[s->path[k]], ev, k);
		if (ev[k] == FR_NO_EV) {
			s->ret->excluded++;
			return true;
		}
		low = fr_min(low, ev[k]);
		w.end = fr_max(w.end, ev[k]);
	}
	w.apart = w.end - low;
	return fr_matches_add(&s->matches, &of, &w);
}

static void cycle(struct search *s)
{
	const struct fr_lock_dependency *first = &s->d.dep.v[s->path[0]];
	uint64_t key = key_of(s);

	fr_assert(first->n && first->n <= FR_DEPEND_INSTANCES);
	for (uint32_t i = 0; i < first->n && fr_matches_seen(&s->matches, key) < SEEN_MAX; i++) {
		s->start_steps += s->depth;
		s->length_steps += s->depth;
		s->steps += s->depth;
		if (!see_match(s, first->ev[i], key)) {
			s->ret->cut_off++;
			return;
		}
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

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	const struct search *s = arg;

	for (uint32_t i = 0; i < n; i++) {
		struct fr_instance *in = fr_instance_new(w[i].note);

		in->what.npending = w[i].note;
		for (uint32_t k = 0; k < w[i].note; k++) {
			fr_assert(s->m->ev[w[i].ev[k]].flags & FR_F_BLOCKING);
			in->what.pending[k] = fr_head(s->m, w[i].ev[k]);
			in->actor[k] = (struct fr_actor){w[i].ev[k], FR_ROLE_WAITS, 0};
		}
		fr_vec_push(&g->instance, in);
	}
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct search s = {.m = m, .c = c, .ret = ret, .matches = {.max = GROUPS_MAX}};

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	fr_depends_init(&s.d, m);
	find_self_waits(&s);
	find_cycles(&s);
	fr_matches_write(&s.matches, write_matches, &s, ret);
	fr_matches_free(&s.matches);
	fr_depends_free(&s.d);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_deadlock = {
    .name = "deadlock",
    .summary = "threads wait for each other's locks in a cycle",
    .meeting = FR_MEETING_CYCLE,
    .rank = 30,
    .generate = generate,
};
