/*
 * One measurement of patterns and of the hybrid tier, for pattern.py:
 *
 *   bench_pattern DIR [SECONDS]
 *
 * reads a run (bench_predict gen makes one) and prints one line: events; for each pattern the
 * processor seconds of its search and the places found; for the hybrid tier how many matches of the
 * second pattern were asked about in so many seconds, how many schedules came of it, each checked,
 * seconds altogether and of the slowest, and events looked at.
 */
#include "anomaly/pattern.h"
#include "oracle/check.h"
#include "oracle/hybrid.h"
#include "oracle/refute.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ANY FR_PATTERN_ANY
#define R true, false
#define W false, true

/* thread, location, region, kind: those of PECAN's figure 2, and one of three threads. */
static const struct fr_pattern patterns[] = {
    {.anomaly.name = "race", .n = 2, .ev = {{0, 0, 0, R}, {1, 0, 1, W}}},
    {.anomaly.name = "atomicity", .n = 3, .ev = {{0, 0, ANY, R}, {1, 0, ANY, W}, {0, 0, ANY, R}}},
    {.anomaly.name = "region", .n = 3, .ev = {{0, 0, 0, R}, {1, 0, 1, W}, {0, 0, 0, R}}},
    {.anomaly.name = "set", .n = 4, .ev = {{0, 0, 0, W}, {1, 0, 1, R}, {1, 1, 1, R}, {0, 1, 0, W}}},
    {.anomaly.name = "three", .n = 3, .ev = {{0, 0, ANY, W}, {1, 0, ANY, W}, {2, 0, ANY, R}}},
};
#define ASKED 1 /* the pattern whose matches the hybrid tier is asked about */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void ask_hybrid(const struct fr_model *m, const struct fr_causality *c,
		       const struct fr_groups *g, double seconds)
{
	struct fr_hybrid *h = fr_hybrid_new(m, c);
	struct fr_refuter *refuter = fr_refuter_new(m, c);
	struct fr_checker *check = fr_checker_new(m);
	unsigned long asked = 0, yes = 0, rejected = 0;
	double begin = now(), slowest = 0;
	uint64_t looked = 0;

	FR_VEC_FOREACH (x, &g->group) {
		const struct fr_candidate *what = &x->instance.v[0]->what;
		double start = now();
		struct fr_schedule s = {0};
		uint32_t events, differ;
		struct fr_err err;

		if (start - begin > seconds)
			break;
		if (fr_refuter_quick(refuter, what) != FR_WHY_NONE)
			continue;
		asked++;
		if (fr_hybrid_ask(h, what, false, &s, &events) == FR_HYBRID_YES) {
			yes++;
			rejected += fr_checker_check_blind(check, &s, what, &differ, &err) < 0;
		}
		looked += events;
		fr_schedule_free(&s);
		if (now() - start > slowest)
			slowest = now() - start;
	}
	printf("asked %lu yes %lu rejected %lu seconds %.6f slowest %.6f looked %llu\n", asked, yes,
	       rejected, now() - begin, slowest, (unsigned long long)looked);
	fr_checker_free(check);
	fr_refuter_free(refuter);
	fr_hybrid_free(h);
}

int main(int argc, char **argv)
{
	const struct fr_anomaly_opt opt = {0};
	struct fr_groups asked = {0};
	struct fr_causality *c;
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
	c = fr_causality_new(m);
	printf("events %llu ", (unsigned long long)m->trace->run.events);
	for (size_t i = 0; i < fr_array_size(patterns); i++) {
		double start = now();
		struct fr_groups g;

		fr_pattern_generate(&patterns[i], m, c, &opt, &g);
		printf("%s %.6f %s.found %zu ", patterns[i].anomaly.name, now() - start,
		       patterns[i].anomaly.name, g.group.n);
		if (i == ASKED)
			asked = g;
		else
			fr_groups_free(&g);
	}
	ask_hybrid(m, c, &asked, argc == 3 ? strtod(argv[2], NULL) : 5);
	fr_groups_free(&asked);
	fr_causality_free(c);
	fr_model_free(m);
	return 0;
}
