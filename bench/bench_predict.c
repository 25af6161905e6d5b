/*
 * One measurement of prediction, for predict.py:
 *
 *   bench_predict gen DIR EVENTS THREADS LOCKS SEED	writes a run into an empty folder
 *   bench_predict run DIR [SECONDS]			takes it through all stages on one thread
 *
 * `run` prints one line: events; processor seconds and peak memory after load, causality,
 * candidates and the sync tier; the numbers of pairs of places, of instances asked about and of
 * races found; the memory at the start. bench_solver measures the precise tier. Then for each
 * other kind: processor seconds for its candidates, and for the sync tier; pairs of places, bugs
 * found, and peak memory.
 */
#include "bench_predict.h"
#include "predict/predict.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Processor time of all threads, of which one works at a time. Other programs do not affect it. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * Resident memory in bytes: "VmRSS:" now, "VmHWM:" at its peak. getrusage instead returns the peak
 * of the process that started this one, if that was larger.
 */
static uint64_t resident(const char *what)
{
	FR_CLEANUP(fr_fclosep) FILE *f = fopen("/proc/self/status", "re");
	unsigned long long kb = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, what, strlen(what)))
			kb = strtoull(line + strlen(what), NULL, 10);
	return kb * 1024;
}

static void stage(const char *name, double *last)
{
	double t = now();

	printf("%s %.6f %llu ", name, t - *last, (unsigned long long)resident("VmHWM:"));
	*last = now();
}

static void count(const struct fr_work *w)
{
	uint64_t asked = 0, left = 0;

	for (size_t i = 0; i < w->jobs; i++) {
		asked += w->job[i].asked;
		left += w->job[i].state == FR_JOB_UNTRIED;
	}
	printf("groups %zu asked %llu yes %u untried %llu ", w->jobs, (unsigned long long)asked,
	       (unsigned)w->found, (unsigned long long)left);
}

/* Other kinds than races, on the same model. */
static void other_kinds(const struct fr_work *races)
{
	static const struct {
		const char *name;
		const struct fr_generator *kind[3];
	} all[] = {{"null", {&fr_generator_null}},
		   {"lifetimes", {&fr_generator_lifetime, &fr_generator_double_free}},
		   {"order", {&fr_generator_order}}};

	for (size_t i = 0; i < fr_array_size(all); i++) {
		struct fr_work w = {.opt = races->opt,
				    .total = races->total,
				    .threads = 1,
				    .run = races->run,
				    .m = races->m,
				    .c = races->c};
		double begin = now(), generated;

		w.opt.deadline = 0;
		fr_work_generate(&w, all[i].kind);
		generated = now();
		fr_work_start(&w);
		fr_crew_join(&w.crew);
		printf("%s %.6f %s.sync %.6f %s.groups %zu %s.yes %u %s.peak %llu ", all[i].name,
		       generated - begin, all[i].name, now() - generated, all[i].name, w.ngroups,
		       all[i].name, (unsigned)w.found, all[i].name,
		       (unsigned long long)resident("VmHWM:"));
		fr_work_free(&w);
	}
}

/* Works as `forerun predict --tier sync --jobs 1`, but writes nothing. */
static int run(const char *dir, double seconds)
{
	static const struct fr_generator *const kinds[] = {&fr_generator_race, NULL};
	struct fr_analysis no_slice = {0};
	struct fr_work w = {.opt = {.tier = FR_TIER_SYNC, .per_candidate = seconds, .check = true},
			    .total = seconds,
			    .threads = 1,
			    .run = &no_slice};
	uint64_t base = resident("VmRSS:");
	double last = now(), start = last;
	struct fr_causality *c;
	struct fr_model *m;
	struct fr_err err;

	if (fr_model_load(dir, &m, &err) < 0) {
		fprintf(stderr, "%s\n", err.msg);
		return 1;
	}
	printf("events %llu model %u ", (unsigned long long)m->trace->run.events, m->n);
	stage("load", &last);
	c = fr_causality_new(m);
	stage("causality", &last);
	w.m = m;
	w.c = c;
	fr_work_generate(&w, kinds);
	stage("candidates", &last);
	fr_work_start(&w);
	fr_crew_join(&w.crew);
	stage("sync", &last);
	count(&w);
	printf("base %llu total %.6f ", (unsigned long long)base, last - start);
	other_kinds(&w);
	printf("\n");
	fr_work_free(&w);
	fr_causality_free(c);
	fr_model_free(m);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 7 && !strcmp(argv[1], "gen")) {
		bench_generate(argv[2], strtoull(argv[3], NULL, 10),
			       (uint32_t)strtoul(argv[4], NULL, 10),
			       (uint32_t)strtoul(argv[5], NULL, 10), strtoull(argv[6], NULL, 10));
		return 0;
	}
	if ((argc == 3 || argc == 4) && !strcmp(argv[1], "run"))
		return run(argv[2], argc == 4 ? strtod(argv[3], NULL) : 60);
	fprintf(stderr,
		"usage: bench_predict gen DIR EVENTS THREADS LOCKS SEED | run DIR [SECONDS]\n");
	return 2;
}
