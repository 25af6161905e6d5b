/*
 * Bundles of races against brute force on random runs: the races of a bundle can happen in one
 * execution, step by step; two that could be done one after the other are in one.
 *
 * FORERUN_TEST_TRACES: the number of runs (4,000); FORERUN_TEST_SEED: the first seed (1).
 */
#include "brute.h"
#include "confirm/bundle.h"
#include "fixture.h"
#include "gen.h"
#include "script.h"
#include <string.h>

#define PLENTY UINT64_C(1000000000)
#define SCHEDULES 12
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

/* Hooks count from 1. */
static void number(struct fr_model *m)
{
	for (uint32_t t = 0; t < m->nthreads; t++) {
		fr_hooks_free(&m->thread[t].hooks);
		m->thread[t].hooks = (struct fr_hooks){0};
		for (uint32_t i = 0; i < m->thread[t].n; i++)
			fr_hooks_push(&m->thread[t].hooks, m->thread[t].ev[i] + 1);
		fr_hooks_end(&m->thread[t].hooks);
	}
}

static uint64_t hook_of(fr_ev e)
{
	return e + 1;
}

/* Whether the bugs of this test have one order of their targets, other than races. */
static bool ordered;

/* ---- schedules ---- */

static void add_step(struct fr_schedule_file *s, const struct fr_model *m, fr_ev e)
{
	do
		fr_schedule_file_turn(s, m->ev[e].thread, hook_of(e));
	while (++e < m->n && m->ev[e].flags & FR_F_PART);
}

static struct fr_schedule_file schedule(const struct fr_model *m, const struct fr_schedule *from,
					fr_ev a, fr_ev b)
{
	struct fr_schedule_file s = {.kind = fr_xstrdup("any"),
				     .meeting =
					 ordered ? FR_MEETING_REGIONS : FR_MEETING_EITHER_ORDER};
	fr_ev target[2] = {a, b};

	for (uint32_t t = 0; t < m->nthreads; t++)
		fr_vec_push(&s.thread, fr_xstrdup(m->thread[t].path));
	for (fr_ev e = 0; e < from->cut; e++)
		if (!(m->ev[e].flags & FR_F_PART))
			add_step(&s, m, e);
	FR_VEC_FOREACH (e, &from->step)
		add_step(&s, m, *e);
	for (unsigned i = 0; i < 2; i++)
		fr_vec_push(&s.target, ((struct fr_schedule_hook){.thread = m->ev[target[i]].thread,
								  .hook = hook_of(target[i]),
								  .kind = FR_EV_READ,
								  .role = FR_ROLE_EVENT,
								  .memory = 1}));
	return s;
}

/* Pairs of accesses that can be next at once, some of all, each by the first way to them. */
static size_t schedules(const struct fr_model *m, uint64_t *random, struct fr_schedule_file *ret)
{
	struct brute *all = brute_new(m, NULL, 20000);
	struct fr_schedule way = {0};
	size_t n = 0;

	for (unsigned i = 0; m->n && brute_complete(all) && i < 200 && n < SCHEDULES; i++) {
		fr_ev a = fr_head(m, (fr_ev)(fx_random(random) % m->n)),
		      b = fr_head(m, (fr_ev)(fx_random(random) % m->n));
		struct fr_candidate what = {.npending = 2, .pending = {a, b}};

		if (!fr_is_access(&m->ev[a]) || !fr_is_access(&m->ev[b]) ||
		    m->ev[a].thread == m->ev[b].thread || !brute_feasible(all, &what, &way))
			continue;
		ret[n++] = schedule(m, &way, a, b);
	}
	fr_vec_free(&way.step);
	brute_free(all);
	return n;
}

/* ---- one execution ---- */

struct follow {
	const struct fr_model *m;
	struct brute_walk *w;
	uint32_t pos[GEN_THREADS];
};

static bool step(struct follow *f, uint32_t t)
{
	const struct fr_mthread *th = &f->m->thread[t];

	if (!brute_walk_step(f->w, th->ev[f->pos[t]]))
		return false;
	do
		f->pos[t]++;
	while (f->pos[t] < th->n && f->m->ev[th->ev[f->pos[t]]].flags & FR_F_PART);
	return true;
}

static bool turns(struct follow *f, const struct fr_schedule_file *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		uint32_t t = s->turn.v[i].thread;

		while (f->pos[t] < f->m->thread[t].n &&
		       hook_of(f->m->thread[t].ev[f->pos[t]]) <= s->turn.v[i].hook)
			if (!step(f, t))
				return false;
	}
	return true;
}

static bool brink(const struct follow *f, const struct fr_schedule_hook *target)
{
	for (unsigned i = 0; i < 2; i++) {
		fr_ev e = brute_walk_next(f->w, target[i].thread);

		if (e == FR_NO_EV || hook_of(e) != target[i].hook)
			return false;
	}
	return true;
}

/* In the order of the recorded run, which is that of hooks here, or in their own. */
static bool targets(struct follow *f, const struct fr_schedule_hook *target)
{
	unsigned first = !ordered && target[0].hook > target[1].hook;

	return step(f, target[first].thread) && step(f, target[1 - first].thread);
}

static bool bundle_holds(const struct fr_model *m, const struct fr_bundle *b)
{
	struct follow f = {.m = m, .w = brute_walk_new(m)};
	bool good = b->stop.n + 1 == b->member.n;
	size_t at = 0;

	for (size_t i = 0; good && i < b->stop.n; i++) {
		const struct fr_control_file_stop_at *s = &b->stop.v[i];

		good = s->turn >= at && turns(&f, &b->s, at, s->turn) && brink(&f, s->target) &&
		       (ordered || s->target[0].hook < s->target[1].hook) && targets(&f, s->target);
		at = s->turn;
	}
	good = good && turns(&f, &b->s, at, b->s.turn.n) && brink(&f, b->s.target.v);
	/* The last targets of bugs with only one order must be possible in that order. */
	good = good && (!ordered || targets(&f, b->s.target.v));
	brute_walk_free(f.w);
	return good;
}

/* The first, its targets, then the rest of the second. */
static bool one_then_other(const struct fr_model *m, const struct fr_schedule_file *a,
			   const struct fr_schedule_file *b)
{
	struct follow f = {.m = m, .w = brute_walk_new(m)};
	bool good = turns(&f, a, 0, fr_control_file_turns_needed(a)) && brink(&f, a->target.v) &&
		    targets(&f, a->target.v) && turns(&f, b, 0, fr_control_file_turns_needed(b)) &&
		    brink(&f, b->target.v);

	brute_walk_free(f.w);
	return good;
}

/* ---- random runs ---- */

static struct {
	uint64_t bundles, longest, together, apart;
} count;

static bool later(const struct fr_schedule_file *a, const struct fr_schedule_file *b)
{
	uint64_t ha[2] = {a->target.v[0].hook, a->target.v[1].hook},
		 hb[2] = {b->target.v[0].hook, b->target.v[1].hook};
	uint64_t la = LARGER(ha[0], ha[1]), lb = LARGER(hb[0], hb[1]);

	return la != lb ? la > lb : fr_min(ha[0], ha[1]) > fr_min(hb[0], hb[1]);
}

/* Returns the number of bundles that follow from no other one. */
static size_t bases(const struct fr_bundle_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->bundle.n; i++)
		n += l->bundle.v[i].base == i;
	return n;
}

static bool pair_agrees(const struct fr_model *m, const struct fr_schedule_file *a,
			const struct fr_schedule_file *b)
{
	const struct fr_schedule_file *list[2] = {a, b};
	bool swap = later(a, b), want = one_then_other(m, swap ? b : a, swap ? a : b), good;
	struct fr_bundle_list l;

	fr_bundle_make(m, list, 2, 2, PLENTY, &l);
	good = bases(&l) == want && (!want || bundle_holds(m, &l.bundle.v[0]));
	*(want ? &count.together : &count.apart) += 1;
	fr_bundle_list_free(&l);
	return good;
}

static bool all_agree(const struct fr_model *m, const struct fr_schedule_file *s, size_t n)
{
	const struct fr_schedule_file *list[SCHEDULES];
	unsigned seen[SCHEDULES][2][2] = {0};
	struct fr_bundle_list l;
	bool good = true;

	for (size_t i = 0; i < n; i++)
		list[i] = &s[i];
	fr_bundle_make(m, list, n, 2, PLENTY, &l);
	FR_VEC_FOREACH (b, &l.bundle) {
		good &= b->member.n >= 2 && (b->guess || bundle_holds(m, b));
		const struct fr_bundle *base = &l.bundle.v[b->base];

		good &= base <= b && (base == b) == (!b->others && !b->reversed);
		good &= base == b || base->reversed == (b->reversed && b->others);
		good &= !base->others && base->ordered == b->ordered;
		good &= !b->reversed || (!b->ordered && b->guess);
		count.bundles++;
		count.longest = LARGER(count.longest, (uint64_t)b->member.n);
		FR_VEC_FOREACH (x, &b->member) {
			const struct fr_schedule_hook *t = s[x->sched].target.v;

			good &= !seen[x->sched][b->reversed][b->others]++ &&
				x->swapped == (!ordered && t[0].hook > t[1].hook);
		}
	}
	fr_bundle_list_free(&l);
	return good;
}

static bool disagree(const struct fr_model *m, void *arg)
{
	uint64_t random = *(uint64_t *)arg;
	struct fr_schedule_file s[SCHEDULES];
	size_t n;
	bool bad;

	number((struct fr_model *)m);
	n = schedules(m, &random, s);
	bad = !all_agree(m, s, n);
	for (size_t i = 0; i + 1 < n && !bad && !ordered; i++)
		bad = !pair_agrees(m, &s[i], &s[i + 1]);
	for (size_t i = 0; i < n; i++)
		fr_schedule_file_clear(&s[i]);
	return bad;
}

static void many(uint64_t n)
{
	uint64_t seed = fx_env("FORERUN_TEST_SEED", 1);

	for (uint64_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) struct gen_script *s = gen_random(seed + i, 0);
		FR_CLEANUP(fr_model_freep) struct fr_model *m = gen_build(s);
		uint64_t random = seed + i;

		if (!disagree(m, &random))
			continue;
		gen_shrink(s, disagree, &random);
		fr_model_free(m);
		m = gen_build(s);
		gen_show(s, m);
		fail_msg("a bundle and brute force disagree");
	}
}

static void bundles_of_random_runs_are_feasible(void **state)
{
	uint64_t n = fx_env("FORERUN_TEST_TRACES", 4000);

	(void)state;
	many(n);
	if (n < 1000)
		return;
	/* Or it was not worth much. */
	assert_true(count.bundles > n / 20);
	assert_true(count.longest >= 3);
	assert_true(count.together > n / 20);
	assert_true(count.apart > n / 20);
}

/* The same for bugs whose targets happen in another order than in the recorded run. */
static void bundles_of_reordered_targets_are_feasible(void **state)
{
	uint64_t n = fx_env("FORERUN_TEST_TRACES", 4000);

	(void)state;
	memset(&count, 0, sizeof(count));
	ordered = true;
	many(n);
	ordered = false;
	if (n >= 1000)
		assert_true(count.bundles > n / 100);
}

/* ---- by hand ---- */

static struct fr_schedule_file by_hand(const struct fr_model *m, const fr_ev *step, size_t n,
				       fr_ev a, fr_ev b)
{
	struct fr_schedule way = {0};
	struct fr_schedule_file s;

	for (size_t i = 0; i < n; i++)
		fr_vec_push(&way.step, step[i]);
	s = schedule(m, &way, a, b);
	fr_vec_free(&way.step);
	return s;
}

/* Three in a row; the turns of one thread on both sides of a meeting are not one. */
static void three_races_share_a_bundle(void **state)
{
	FR_CLEANUP(fr_model_freep)
	struct fr_model *m =
	    fr_script("0 w x =1; 0 w y =1; 0 w z =1; 1 r x =1; 1 r y =1; 1 r z =1");
	struct fr_schedule_file s[3] = {by_hand(m, NULL, 0, 0, 3),
					by_hand(m, (fr_ev[]){0, 3}, 2, 4, 1),
					by_hand(m, (fr_ev[]){0, 1, 3, 4}, 4, 2, 5)};
	const struct fr_schedule_file *list[3] = {&s[2], &s[0], &s[1]};
	struct fr_bundle_list l;

	(void)state;
	number(m);
	fr_bundle_make(m, list, 3, 2, PLENTY, &l);
	assert_int_equal(bases(&l), 1);
	assert_int_equal(l.bundle.v[0].member.n, 3);
	assert_int_equal(l.bundle.v[0].member.v[0].sched, 1);
	assert_int_equal(l.bundle.v[0].member.v[1].sched, 2);
	assert_true(l.bundle.v[0].member.v[1].swapped);
	assert_false(l.bundle.v[0].member.v[2].swapped);
	assert_int_equal(l.bundle.v[0].stop.n, 2);
	assert_true(bundle_holds(m, &l.bundle.v[0]));
	fr_bundle_list_free(&l);
	fr_bundle_make(m, list, 3, 4, PLENTY, &l);
	assert_int_equal(l.bundle.n, 0);
	fr_bundle_list_free(&l);
	/* No work, no bundle. */
	fr_bundle_make(m, list, 3, 2, 0, &l);
	assert_int_equal(l.bundle.n, 0);
	fr_bundle_list_free(&l);
	for (unsigned i = 0; i < 3; i++)
		fr_schedule_file_clear(&s[i]);
}

/* The control file has the meetings on the way, and keeps the turns that lead to them. */
static void the_control_file_has_every_meeting(void **state)
{
	FR_CLEANUP(fr_model_freep)
	struct fr_model *m = fr_script("0 create 1; 1 w x =1; 1 w y =1; 0 r x =1; 0 r y =1");
	struct fr_schedule_file s[2] = {by_hand(m, (fr_ev[]){0}, 1, 3, 1),
					by_hand(m, (fr_ev[]){0, 1, 3}, 3, 2, 4)};
	const struct fr_schedule_file *list[2] = {&s[0], &s[1]};
	struct fr_control_file_how how = {0};
	struct fr_control_file_handle f;
	struct fr_bundle_list l;
	const struct fr_control_file_stop *stop;

	(void)state;
	number(m);
	for (unsigned i = 0; i < 2; i++) { /* as recorded threads are called */
		free(s[i].thread.v[1]);
		s[i].thread.v[1] = fr_xstrdup("0.1");
	}
	free((char *)m->thread[1].path);
	m->thread[1].path = fr_xstrdup("0.1");
	fr_bundle_make(m, list, 2, 2, PLENTY, &l);
	assert_int_equal(bases(&l), 1);
	how.stop = l.bundle.v[0].stop.v;
	how.nstops = l.bundle.v[0].stop.n;
	assert_int_equal(fr_control_file_build(&l.bundle.v[0].s, NULL, &how, &f, NULL), 0);
	assert_int_equal(f.c->nstops, 1);
	assert_int_equal(f.c->stops_met, 0);
	/* Both threads are at the second brink when the first meeting is over. */
	assert_int_equal(f.c->nturns, 1);
	stop = fr_control_file_stops(f.c);
	assert_int_equal(stop->turn, 1);
	assert_int_equal(stop->target[0].memory, 1);
	assert_int_equal(stop->target[1].memory, 1);
	assert_int_equal(stop->target[0].hook, 2);
	assert_string_equal(f.thread[stop->target[0].thread], "0.1");
	assert_int_equal(stop->target[1].hook, 4);
	assert_string_equal(f.thread[stop->target[1].thread], "0");
	assert_int_equal(f.c->ntargets, 2);
	assert_int_equal(f.c->target[0].hook, 3);
	assert_int_equal(f.c->target[1].hook, 5);
	fr_control_file_free(&f);
	fr_bundle_list_free(&l);
	for (unsigned i = 0; i < 2; i++)
		fr_schedule_file_clear(&s[i]);
}

/* The same write races with two reads of a thread: when it has met one, it is past the other. */
static void interfering_races_are_not_bundled(void **state)
{
	FR_CLEANUP(fr_model_freep)
	struct fr_model *m = fr_script("0 r x =0; 0 r x =0; 0 w y =1; 1 w x =1; 1 r y =1");
	struct fr_schedule_file s[3] = {by_hand(m, NULL, 0, 0, 3),
					by_hand(m, (fr_ev[]){0}, 1, 1, 3),
					by_hand(m, (fr_ev[]){0, 1, 3}, 3, 2, 4)};
	const struct fr_schedule_file *list[3] = {&s[0], &s[1], &s[2]};
	struct fr_bundle_list l;

	(void)state;
	number(m);
	fr_bundle_make(m, list, 2, 2, PLENTY, &l);
	assert_int_equal(l.bundle.n, 0);
	fr_bundle_list_free(&l);
	/* After the first, the second read would see the write: only the second goes with the
	 * third. */
	fr_bundle_make(m, list, 3, 2, PLENTY, &l);
	assert_int_equal(bases(&l), 1);
	assert_int_equal(l.bundle.v[0].member.n, 2);
	assert_int_equal(l.bundle.v[0].member.v[0].sched, 1);
	assert_int_equal(l.bundle.v[0].member.v[1].sched, 2);
	assert_true(bundle_holds(m, &l.bundle.v[0]));
	fr_bundle_list_free(&l);
	for (unsigned i = 0; i < 3; i++)
		fr_schedule_file_clear(&s[i]);
}

/* Deadlocks do not go on, and threads that the run does not have are no reason to fail. */
static void deadlocks_and_unknown_threads_are_not_bundled(void **state)
{
	FR_CLEANUP(fr_model_freep)
	struct fr_model *m = fr_script("0 w x =1; 0 w y =1; 1 r x =1; 1 r y =1");
	struct fr_schedule_file s[3] = {by_hand(m, NULL, 0, 0, 2),
					by_hand(m, (fr_ev[]){0, 2}, 2, 1, 3),
					by_hand(m, (fr_ev[]){0, 2}, 2, 1, 3)};
	const struct fr_schedule_file *list[3] = {&s[0], &s[1], &s[2]};
	struct fr_bundle_list l;

	(void)state;
	number(m);
	fr_bundle_make(m, list, 2, 2, PLENTY, &l);
	assert_int_equal(bases(&l), 1);
	fr_bundle_list_free(&l);
	s[1].meeting = FR_MEETING_CYCLE;
	fr_schedule_file_thread(&s[2], "0.7.1");
	fr_bundle_make(m, list, 3, 2, PLENTY, &l);
	assert_int_equal(l.bundle.n, 0);
	fr_bundle_list_free(&l);
	for (unsigned i = 0; i < 3; i++)
		fr_schedule_file_clear(&s[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(three_races_share_a_bundle),
	    cmocka_unit_test(the_control_file_has_every_meeting),
	    cmocka_unit_test(interfering_races_are_not_bundled),
	    cmocka_unit_test(deadlocks_and_unknown_threads_are_not_bundled),
	    cmocka_unit_test(bundles_of_random_runs_are_feasible),
	    cmocka_unit_test(bundles_of_reordered_targets_are_feasible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
