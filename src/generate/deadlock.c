/*
 * Deadlocks: a set of threads, all pending at once, each of which waits for something that only
 * others of the set can give (lock_dependency.h). There is one group for each set of sites (of the
 * waits, and of the acquisitions of the locks held).
 *
 * For locks, joins, barriers and once-initialisations the set is a cycle: one thread that holds the
 * object suffices. For a semaphore, all threads that would still post it must be in the set: if all
 * other threads ran to their ends as recorded, its count would be 0. For a condition, all signals
 * of other threads must come before the wait begins; the candidate says so with edges.
 *
 * The search takes the sizes in ascending order, and starts from the dependencies against the order
 * in which most locks are acquired (lock_dependency.c). A thread that waits for itself is a cycle
 * of length one; it exists only if the recorded run ended in it. Left out are sets that contain a
 * smaller one, sets with two members that a common lock excludes (a guard), and instances that
 * must-happen-before separates. Two shared acquisitions do not wait for each other. glibc's rwlocks
 * prefer readers by default; only at a rwlock that prefers writers a reader waits behind a waiting
 * writer, which comes first among the targets.
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
#define SEEN_MAX 64   /* instances of a group that are examined */
#define TRIES_MAX 256 /* choices of instances for one set with semaphores */

struct deadlock_search {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_lock_dependencies d;
	struct fr_groups *ret;
	struct fr_matches matches;
	uint32_t length, depth;
	uint32_t path[FR_TARGETS];
	uint32_t many; /* members that wait for a semaphore or condition */
	uint32_t tries;
	uint64_t steps, length_steps, start_steps;
	bool reached; /* some path is only one short of the length */
};

/* The instance of the dependency that is nearest to ev[0] and that nothing separates from the n
   events chosen so far. */
static fr_ev nearest(struct deadlock_search *s, const struct fr_lock_dependency *p, const fr_ev *ev,
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
static uint64_t key_of(const struct deadlock_search *s)
{
	uint64_t key = 0;

	fr_assert(s->depth && s->depth <= FR_TARGETS);
	for (uint32_t i = 0; i < s->depth; i++)
		key += fr_mix(s->d.dep.v[s->path[i]].sites, 1);
	return fr_mix(key, s->depth) >> 1;
}

static const struct fr_lock_dependency *member(const struct deadlock_search *s, uint32_t i)
{
	fr_assert_slow(i < s->depth);
	return &s->d.dep.v[s->path[i]];
}

/* Does another member than `but` give the resource that member i waits for? */
static bool is_given(const struct deadlock_search *s, uint32_t i, uint32_t but)
{
	for (uint32_t k = 0; k < s->depth; k++)
		if (k != i && k != but && fr_depend_waits_for(&s->d, member(s, i), member(s, k)))
			return true;
	return false;
}

/* ---- sets with semaphores and conditions ---- */

/* The units of a semaphore that are left if all threads but those of the targets run to their ends;
   without the target `but`. */
static int64_t units(const struct deadlock_search *s, fr_resource sem, const fr_ev *ev, uint32_t n,
		     uint32_t but)
{
	int64_t left = s->d.sem_end[sem - s->d.first_of[FR_RES_SEM]];

	fr_assert(fr_resource_kind(&s->d, sem) == FR_RES_SEM);
	for (uint32_t i = 0; i < n; i++)
		if (i != but)
			left -= fr_depend_gives(&s->d, s->m->ev[ev[i]].thread, ev[i], sem);
	return left;
}

/* Do the members without `but` wait for each other, at these events? */
static bool is_stuck(const struct deadlock_search *s, const fr_ev *ev, uint32_t but)
{
	for (uint32_t i = 0; i < s->depth; i++) {
		fr_resource r = member(s, i)->wants;

		if (i == but)
			continue;
		if (!is_given(s, i, but))
			return false;
		/* Without a member that would signal, somebody can. */
		if (but < s->depth && fr_resource_kind(&s->d, r) == FR_RES_COND &&
		    fr_depend_waits_for(&s->d, member(s, i), member(s, but)))
			return false;
		if (fr_resource_kind(&s->d, r) == FR_RES_SEM && units(s, r, ev, s->depth, but) > 0)
			return false;
	}
	return true;
}

/* The target of a thread; FR_NO_EV = none. */
static fr_ev target_of(const struct deadlock_search *s, const fr_ev *ev, uint32_t n,
		       uint32_t thread)
{
	for (uint32_t i = 0; i < n; i++)
		if (s->m->ev[ev[i]].thread == thread)
			return ev[i];
	return FR_NO_EV;
}

/* Adds an edge unless it is there, or must-happen-before makes it. False: it is impossible, or
   there are too many. */
static bool add_edge(const struct deadlock_search *s, struct fr_candidate *c, fr_ev before,
		     fr_ev after)
{
	fr_assert(before < s->m->n && after < s->m->n && before != after);
	if (fr_mhb(s->c, before, after))
		return true;
	for (uint32_t i = 0; i < c->nedges; i++)
		if (c->edge[i].before == before && c->edge[i].after == after)
			return true;
	if (fr_mhb(s->c, after, before) || c->nedges == FR_EDGES)
		return false;
	c->edge[c->nedges].before = before;
	c->edge[c->nedges++].after = after;
	return true;
}

/* Adds edges: every signal comes before this wait begins. */
static bool add_signals(const struct deadlock_search *s, const fr_ev *ev, uint32_t n,
			uint32_t which, struct fr_candidate *c)
{
	const struct fr_mev *w = &s->m->ev[ev[which]];
	fr_resource r = s->d.first_of[FR_RES_COND] + w->obj;
	fr_ev begin = fr_wait_begin(s->m, ev[which]);

	if (begin == FR_NO_EV)
		return false;
	for (uint32_t t = 0; t < s->m->nthreads; t++) {
		fr_ev last = fr_depend_last(&s->d, t, target_of(s, ev, n, t), r);

		if (t != w->thread && last != FR_NO_EV &&
		    !add_edge(s, c, last, fr_head(s->m, begin)))
			return false;
	}
	return true;
}

/* Adds edges so that enough other threads have taken units to leave none. */
static bool add_takers(const struct deadlock_search *s, const fr_ev *ev, uint32_t n, uint32_t which,
		       struct fr_candidate *c)
{
	fr_resource r = s->d.first_of[FR_RES_SEM] + s->m->ev[ev[which]].obj;
	int64_t left = units(s, r, ev, n, UINT32_MAX);

	for (unsigned pass = 0; pass < 2; pass++)
		for (uint32_t t = 0; t < s->m->nthreads; t++) {
			int64_t takes = -fr_depend_gives(&s->d, t, 0, r);

			if (takes <= 0 || target_of(s, ev, n, t) != FR_NO_EV)
				continue;
			if (!pass) { /* if none of them had come */
				left += takes;
				continue;
			}
			if (left > 0 &&
			    !add_edge(s, c, fr_depend_taken(&s->d, t, fr_min(left, takes), r),
				      fr_head(s->m, ev[which])))
				return false;
			left -= takes;
		}
	return true;
}

/* Adds the edges that the waits of these targets need. */
static bool add_edges(const struct deadlock_search *s, const fr_ev *ev, uint32_t n,
		      struct fr_candidate *c)
{
	for (uint32_t i = 0; i < n; i++) {
		unsigned op = s->m->ev[ev[i]].op;

		if ((op == FR_OP_WAIT && !add_signals(s, ev, n, i, c)) ||
		    (op == FR_OP_SEM_WAIT && !add_takers(s, ev, n, i, c)))
			return false;
	}
	return true;
}

/* Are these targets a deadlock that contains no smaller one? */
static bool fits_all(const struct deadlock_search *s, const fr_ev *ev)
{
	struct fr_candidate edges = {0};

	if (!is_stuck(s, ev, UINT32_MAX) || !add_edges(s, ev, s->depth, &edges))
		return false;
	for (uint32_t i = 0; i < s->depth; i++)
		if (is_stuck(s, ev, i))
			return false;
	return true;
}

/* Chooses instances for the members from k on, of which the ends are near each other. */
static void choose(struct deadlock_search *s, fr_ev *ev, uint32_t k, fr_ev *best,
		   uint32_t *ret_apart)
{
	const struct fr_lock_dependency *p;
	fr_ev low = ev[0], high = ev[0];

	if (s->tries >= TRIES_MAX)
		return;
	fr_assert(k && k <= s->depth);
	if (k == s->depth) {
		s->tries++;
		for (uint32_t i = 1; i < k; i++) {
			low = fr_min(low, ev[i]);
			high = fr_max(high, ev[i]);
		}
		if (high - low < *ret_apart && fits_all(s, ev)) {
			*ret_apart = high - low;
			memcpy(best, ev, k * sizeof(*ev));
		}
		return;
	}
	p = member(s, k);
	for (uint32_t i = 0; i < p->n; i++) {
		bool unordered = true;

		for (uint32_t x = 0; x < k && unordered; x++)
			unordered = !fr_pair_ordered(s->m, s->c, ev[x], p->ev[i]);
		ev[k] = p->ev[i];
		if (unordered)
			choose(s, ev, k + 1, best, ret_apart);
	}
}

static bool choose_nearest(struct deadlock_search *s, fr_ev *ev)
{
	for (uint32_t k = 1; k < s->depth; k++) {
		ev[k] = nearest(s, member(s, k), ev, k);
		if (ev[k] == FR_NO_EV)
			return false;
	}
	return true;
}

/* Adds the match of the current path that begins with `first`. Returns false if there are too many
   groups. */
static bool see_match(struct deadlock_search *s, fr_ev first, uint64_t key)
{
	struct fr_match_group of = {.key = key, .nev = s->depth};
	fr_ev ev[FR_TARGETS] = {first}, best[FR_TARGETS] = {FR_NO_EV}, low = first;
	struct fr_match w = {.ev = ev, .end = first, .note = s->depth};
	uint32_t apart = UINT32_MAX;

	s->tries = 0;
	if (s->many) {
		choose(s, ev, 1, best, &apart);
		memcpy(ev, best, sizeof(ev));
	}
	if (s->many ? ev[0] == FR_NO_EV : !choose_nearest(s, ev)) {
		s->ret->excluded++;
		return true;
	}
	for (uint32_t k = 1; k < s->depth; k++) {
		low = fr_min(low, ev[k]);
		w.end = fr_max(w.end, ev[k]);
	}
	fr_assert(low <= first && first <= w.end && w.end < s->m->n);
	w.apart = w.end - low;
	return fr_matches_add(&s->matches, &of, &w);
}

static void cycle(struct deadlock_search *s)
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

/* Can the dependency be added, to give the resource that member `open` waits for? */
static bool fits(const struct deadlock_search *s, uint32_t which, uint32_t open)
{
	const struct fr_lock_dependency *p = &s->d.dep.v[which];

	fr_assert_slow(s->depth && s->depth < s->length && open < s->depth);
	/* Find each set once: from its first dependency against the order. */
	if ((p->against && which < s->path[0]) || !fr_depend_waits_for(&s->d, member(s, open), p))
		return false;
	for (uint32_t i = 0; i < s->depth; i++) {
		const struct fr_lock_dependency *x = member(s, i);

		if (x->thread == p->thread || fr_depend_exclude(&s->d, x, p))
			return false;
		if (s->many || p->many) /* fits_all looks for smaller sets */
			continue;
		/* It contains a shorter cycle. */
		if ((i && fr_depend_waits_for(&s->d, p, x)) ||
		    (i + 1 < s->depth && fr_depend_waits_for(&s->d, x, p)))
			return false;
	}
	return true;
}

static bool used_up(struct deadlock_search *s)
{
	if (s->start_steps >= STEPS_START || s->length_steps >= STEPS_LENGTH ||
	    s->steps >= STEPS_MAX)
		return true;
	s->start_steps++;
	s->length_steps++;
	s->steps++;
	return false;
}

static void push(struct deadlock_search *s, uint32_t which)
{
	fr_assert(s->depth < FR_TARGETS && which < s->d.dep.n);
	s->path[s->depth++] = which;
	s->many += s->d.dep.v[which].many;
}

static void pop(struct deadlock_search *s)
{
	s->depth--;
	fr_assert(s->many >= s->d.dep.v[s->path[s->depth]].many);
	s->many -= s->d.dep.v[s->path[s->depth]].many;
}

/* Adds the last dependency of a cycle, which wants something that the first one holds. */
static void close_cycle(struct deadlock_search *s)
{
	const struct fr_lock_dependency *first = member(s, 0);
	fr_resource wants = member(s, s->depth - 1)->wants;

	for (uint32_t k = 0; k <= first->nheld; k++) {
		fr_resource held = fr_depend_holds(&s->d, first, k);

		for (uint32_t i = fr_lock_dependencies_from(&s->d, wants, held);
		     i < s->d.first[wants + 1] && s->d.dep.v[s->d.list[i]].wants == held; i++) {
			const struct fr_lock_dependency *p = &s->d.dep.v[s->d.list[i]];

			if (used_up(s))
				return;
			fr_assert_slow(p->wants == held);
			if (!fits(s, s->d.list[i], s->depth - 1) ||
			    !fr_depend_waits_for(&s->d, p, first))
				continue;
			push(s, s->d.list[i]);
			cycle(s);
			pop(s);
		}
	}
}

/* The first member whose wish nobody in the set gives; depth = there is none. */
static uint32_t open_member(const struct deadlock_search *s)
{
	uint32_t i = 0;

	if (!s->many) /* each waits for the next */
		return s->depth - 1;
	while (i < s->depth && is_given(s, i, UINT32_MAX))
		i++;
	return i;
}

static void extend(struct deadlock_search *s);

/* Adds one more dependency that gives the resource that member `open` waits for. */
static void extend_by(struct deadlock_search *s, uint32_t open)
{
	fr_resource wants = member(s, open)->wants;

	for (uint32_t i = s->d.first[wants]; i < s->d.first[wants + 1]; i++) {
		uint32_t which = s->d.list[i];

		if (used_up(s))
			return;
		if (!fits(s, which, open))
			continue;
		if (!s->many && !s->d.dep.v[which].many && s->depth + 1 < s->length &&
		    fr_depend_waits_for(&s->d, &s->d.dep.v[which], member(s, 0)))
			continue;
		push(s, which);
		extend(s);
		pop(s);
	}
}

/* Goes on from a set in which a semaphore or condition may need more threads that give it. */
static void extend_closed(struct deadlock_search *s)
{
	if (s->depth == s->length) {
		s->reached = true;
		cycle(s);
		return;
	}
	for (uint32_t i = 0; i < s->depth; i++)
		if (member(s, i)->many)
			extend_by(s, i);
}

static void extend(struct deadlock_search *s)
{
	uint32_t open;

	fr_assert(s->depth && s->depth <= s->length);
	if (!s->many && s->depth == s->length) /* a cycle of its last member and the first */
		return;
	open = open_member(s);
	if (open == s->depth) {
		extend_closed(s);
		return;
	}
	if (s->depth == s->length)
		return;
	s->reached |= s->depth + 1 == s->length;
	if (s->depth + 1 == s->length && !s->many)
		close_cycle(s);
	if (s->depth + 1 < s->length || s->many)
		extend_by(s, open);
}

/* Finds threads that wait for something that they hold themselves. The recorded run ended there. */
static void find_self_waits(struct deadlock_search *s)
{
	s->depth = 1;
	for (s->path[0] = 0; s->path[0] < s->d.dep.n; s->path[0]++) {
		const struct fr_lock_dependency *p = &s->d.dep.v[s->path[0]];

		if (fr_resource_kind(&s->d, p->wants) == FR_RES_LOCK &&
		    fr_depend_waits_for(&s->d, p, p))
			cycle(s);
	}
}

static void find_cycles(struct deadlock_search *s)
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
			s->many = s->d.dep.v[i].many;
			s->start_steps = 0;
			extend(s);
			fr_assert(s->depth == 1); /* each push had its pop */
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

/* Writers that wait come first: the readers wait behind them. */
static void sort_targets(const struct deadlock_search *s, fr_ev *ev, uint32_t n)
{
	const struct fr_mobj *lock = s->m->cls[FR_C_LOCK].obj;
	uint32_t front = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct fr_mev *v = &s->m->ev[ev[i]];
		fr_ev e = ev[i];

		if ((v->op != FR_OP_ACQUIRE && v->op != FR_OP_ACQUIRE_FAILED) ||
		    lock[v->obj].aux != FR_LOCK_RW_WRITERS)
			continue;
		memmove(ev + front + 1, ev + front, (i - front) * sizeof(*ev));
		ev[front++] = e;
	}
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	const struct deadlock_search *s = arg;

	for (uint32_t i = 0; i < n; i++) {
		struct fr_instance *in = fr_instance_new(w[i].note);
		fr_ev ev[FR_TARGETS];
		bool ok;

		memcpy(ev, w[i].ev, w[i].note * sizeof(*ev));
		sort_targets(s, ev, w[i].note);
		ok = add_edges(s, ev, w[i].note, &in->what);
		fr_assert(ok); /* see_match has tried it */
		fr_assert(w[i].note == w[0].note);
		in->what.npending = w[i].note;
		for (uint32_t k = 0; k < w[i].note; k++) {
			fr_assert(s->m->ev[ev[k]].flags & FR_F_BLOCKING ||
				  fr_is_access(&s->m->ev[ev[k]]) ||
				  fr_op_class[s->m->ev[ev[k]].op] == FR_C_LOCK);
			in->what.pending[k] = fr_head(s->m, ev[k]);
			in->actor[k] = (struct fr_actor){ev[k], FR_ROLE_WAITS, 0};
		}
		fr_vec_push(&g->instance, in);
	}
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct deadlock_search s = {.m = m, .c = c, .ret = ret, .matches = {.max = GROUPS_MAX}};

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	fr_lock_dependencies_init(&s.d, m);
	find_self_waits(&s);
	find_cycles(&s);
	fr_matches_write(&s.matches, write_matches, &s, ret);
	fr_matches_free(&s.matches);
	fr_lock_dependencies_free(&s.d);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_deadlock = {
    .name = "deadlock",
    .summary = "threads wait for each other, at locks, semaphores, barriers, ...",
    .meeting = FR_MEETING_CYCLE,
    .rank = 30,
    .hang_bug = FR_HANG_BUG_CYCLE,
    .generate = generate,
};
