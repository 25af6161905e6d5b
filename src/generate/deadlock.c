/*
 * Deadlocks: a cycle of threads, each of which waits for something that the next one holds, all
 * pending at once. One group for each set of places (of the waits and of the acquisitions that are
 * held).
 *
 * Cycles are looked for by length, the shortest first, from the dependencies that go against the
 * order in which most locks are taken. A thread that waits for what it holds itself is the cycle of
 * length one: it shows only where the recorded run ended in it. Left out: cycles with a shorter one
 * inside, cycles of which two members hold one lock that excludes them (guards), and instances that
 * must-happen-before separates. Shared and shared do not wait for each other: glibc's rwlocks
 * prefer readers unless told otherwise, so a reader does not wait behind a waiting writer either.
 * Cost:      bounded; where a bound was reached is counted.
 */
#include "generate/lock_dependency.h"
#include "causality/refute.h"
#include <string.h>

#define STEPS_MAX 2000000   /* of the search, all lengths together */
#define STEPS_LENGTH 500000 /* for one length */
#define STEPS_START 20000   /* for one length from one dependency */
#define GROUPS_MAX 2000
#define SEEN_MAX 64 /* instances of a group that are looked at */

struct tuple {
	fr_ev span;
	uint32_t n;
	fr_ev ev[FR_TARGETS];
};

struct found {
	uint64_t key, seen;
	uint32_t n;
	struct tuple *inst[FR_INSTANCES]; /* shortest span first */
};

struct search {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_depends d;
	struct fr_groups *ret;
	struct fr_map index; /* key of a group: its place + 1 */
	FR_VEC(struct found) found;
	uint32_t length, depth;
	uint32_t path[FR_TARGETS];
	uint64_t steps, length_steps, start_steps;
	bool reached; /* some path is only one short of the length */
};
static void keep(struct found *f, const struct tuple *t)
{
	uint32_t i;

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

/* Of the dependency, the instance nearest to e that nothing separates from those chosen so far. */
static fr_ev nearest(struct search *s, const struct fr_lock_dependency *p, const struct tuple *t)
{
	fr_ev best = FR_NO_EV;

	for (uint32_t i = 0; i < p->n; i++) {
		fr_ev e = p->ev[i];
		bool free_of_all = true;

		if (best != FR_NO_EV && (e > t->ev[0] ? e - t->ev[0] : t->ev[0] - e) >=
					    (best > t->ev[0] ? best - t->ev[0] : t->ev[0] - best))
			continue;
		for (uint32_t k = 0; k < t->n && free_of_all; k++)
			free_of_all = !fr_refute_ordered(s->m, s->c, t->ev[k], e);
		if (free_of_all)
			best = e;
	}
	return best;
}

/* NULL: there are enough. */
static struct found *found_of(struct search *s)
{
	uint64_t key = 0, *at;

	/* The same whichever comes first. */
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
			high = e > high ? e : high;
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

	/* Each cycle once: from the first of those that are against the order. */
	if ((p->against && which < s->path[0]) || !fr_depend_waits_for(&s->d, last, p))
		return false;
	for (uint32_t i = 0; i < s->depth; i++) {
		const struct fr_lock_dependency *x = &s->d.dep.v[s->path[i]];

		if (x->thread == p->thread || fr_depend_exclude(&s->d, x, p))
			return false;
		/* A shorter cycle inside. */
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

/* The last one: wants something that the first one holds. */
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

/* A thread that waits for what it holds itself. It did so in the recorded run, which ended there.
 */
static void look_for_selfish(struct search *s)
{
	s->depth = 1;
	for (s->path[0] = 0; s->path[0] < s->d.dep.n; s->path[0]++) {
		const struct fr_lock_dependency *p = &s->d.dep.v[s->path[0]];

		if (fr_depend_waits_for(&s->d, p, p))
			cycle(s);
	}
}

static void look_for_cycles(struct search *s)
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

		if (!f->n) /* all of them separated */
			continue;
		for (uint32_t i = 0; i < f->n; i++) {
			const struct tuple *t = f->inst[i];
			struct fr_instance *in = fr_instance_new(t->n);

			in->what.npending = t->n;
			for (uint32_t k = 0; k < t->n; k++) {
				in->what.pending[k] = fr_head(s->m, t->ev[k]);
				in->actor[k] = (struct fr_actor){t->ev[k], "waits", 0};
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
	look_for_selfish(&s);
	look_for_cycles(&s);
	write_groups(&s);
	fr_depends_free(&s.d);
	fr_map_free(&s.index);
	fr_vec_free(&s.found);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_deadlock = {
    .name = "deadlock",
    .summary = "threads that wait for each other's locks, all at once",
    .generate = generate,
};
