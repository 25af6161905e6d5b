/*
 * One measurement of the search for atomicity violations, and of the hybrid tier, for pattern.py:
 *
 *   bench_pattern DIR [SECONDS]
 *
 * Reads a run (bench_predict gen makes one) and prints one line: the events; for each built-in kind
 * and each pattern, the processor seconds of its search, the groups of places found (.found) and
 * the number of searches that a limit stopped (.cut). Then asks the hybrid tier, for at most
 * SECONDS, about all groups of atomicity, atomic sets and one pattern. Prints the number of asked
 * groups, of schedules, and of schedules that the checker rejected; the seconds in total and of the
 * slowest; and the number of events examined.
 */
#include "generate/pattern.h"
#include "oracle/check.h"
#include "oracle/hybrid.h"
#include "causality/refute.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ANY FR_ROWS_ANY
#define R FR_LINK_LATER, true, false
#define W FR_LINK_LATER, false, true
#define NEXT_W FR_LINK_NEXT, false, true

static const struct fr_generator *const kinds[] = {&fr_generator_race, &fr_generator_atomicity,
						   &fr_generator_atomicset};

/* Thread, location, region, kind: the patterns of PECAN's figure 2, and one of three threads. */
#define NAMED(s) .generator = {.name = s, .generate = fr_pattern_generate}
static const struct fr_pattern patterns[] = {
    {NAMED("2"), .n = 2, .ev = {{0, 0, 0, R}, {1, 0, 1, NEXT_W}}},
    {NAMED("3"), .n = 3, .ev = {{0, 0, ANY, R}, {1, 0, ANY, W}, {0, 0, ANY, R}}},
    {NAMED("3r"), .n = 3, .ev = {{0, 0, 0, R}, {1, 0, 1, W}, {0, 0, 0, R}}},
    {NAMED("4r"), .n = 4, .ev = {{0, 0, 0, W}, {1, 0, 1, R}, {1, 1, 1, R}, {0, 1, 0, W}}},
    {NAMED("3t"), .n = 3, .ev = {{0, 0, ANY, W}, {1, 0, ANY, W}, {2, 0, ANY, R}}},
};
#define ASKED 1 /* the pattern whose matches go to the hybrid tier */

struct asking {
	struct fr_hybrid *h;
	struct fr_refuter *refuter;
	struct fr_checker *check;
	uint64_t asked, yes, rejected, looked;
	double left, spent, slowest; /* seconds */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void ask_one(struct asking *a, const struct fr_candidate *what)
{
	struct fr_schedule s = {0};
	uint32_t events, differ;
	struct fr_err err;

	if (fr_refuter_quick(a->refuter, what) != FR_WHY_NONE)
		return;
	a->asked++;
	if (fr_hybrid_ask(a->h, what, false, &s, &events) == FR_HYBRID_YES) {
		a->yes++;
		a->rejected += fr_checker_check_blind(a->check, &s, what, &differ, &err) < 0;
	}
	a->looked += events;
	fr_schedule_free(&s);
}

static void ask(struct asking *a, const struct fr_groups *g)
{
	double begin = now(), last = begin;

	FR_VEC_FOREACH (x, &g->group) {
		double t;

		if (last - begin > a->left)
			break;
		if (!x->instance.n)
			continue;
		ask_one(a, &x->instance.v[0]->what);
		t = now();
		a->slowest = t - last > a->slowest ? t - last : a->slowest;
		last = t;
	}
	a->spent += last - begin;
}

/* Searches for one kind. Asks about the groups if `a` is not NULL. */
static void search(const struct fr_generator *kind, const struct fr_model *m,
		   const struct fr_causality *c, struct asking *a)
{
	const struct fr_generate_opt opt = {0};
	struct fr_groups g = {0};
	double start = now();

	kind->generate(kind, m, c, &opt, &g);
	printf("%s %.6f %s.found %zu %s.cut %llu ", kind->name, now() - start, kind->name,
	       g.group.n, kind->name, (unsigned long long)g.cut_off);
	if (a)
		ask(a, &g);
	fr_groups_free(&g);
}

static void measure(const struct fr_model *m, double seconds)
{
	struct fr_causality *c = fr_causality_new(m);
	struct asking a = {.h = fr_hybrid_new(m, c),
			   .refuter = fr_refuter_new(m, c),
			   .check = fr_checker_new(m),
			   .left = seconds / 3};

	printf("events %llu ", (unsigned long long)m->trace->run.events);
	for (size_t i = 0; i < fr_array_size(kinds); i++)
		search(kinds[i], m, c, kinds[i] == &fr_generator_race ? NULL : &a);
	for (size_t i = 0; i < fr_array_size(patterns); i++)
		search(&patterns[i].generator, m, c, i == ASKED ? &a : NULL);
	printf("asked %llu yes %llu rejected %llu seconds %.6f slowest %.6f looked %llu\n",
	       (unsigned long long)a.asked, (unsigned long long)a.yes,
	       (unsigned long long)a.rejected, a.spent, a.slowest, (unsigned long long)a.looked);
	fr_checker_free(a.check);
	fr_refuter_free(a.refuter);
	fr_hybrid_free(a.h);
	fr_causality_free(c);
}

int main(int argc, char **argv)
{
	struct fr_model *m;
	struct fr_err err;

	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: bench_pattern DIR [SECONDS]\n");
		return 2;
	}
	if (fr_model_load(argv[1], &m, &err) < 0) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	measure(m, argc == 3 ? strtod(argv[2], NULL) : 5);
	fr_model_free(m);
	return 0;
}
