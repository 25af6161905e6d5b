/*
 * check_run DIR...: loads each run folder and replays all of its recorded order on the schedule
 * checker's machine. Says for each whether that is feasible, and what the loader had to assume.
 * Exits 1 if one is not.
 */
#include "oracle/check.h"
#include "model/model.h"
#include <inttypes.h>
#include <stdio.h>

static int check(const char *dir)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
	const struct fr_candidate none = {0};
	struct fr_schedule all = {0};
	struct fr_checker *c;
	struct fr_err err;
	int r;

	if (fr_model_load(dir, &m, &err) < 0) {
		printf("%s: %s\n", dir, err.msg);
		return 1;
	}
	all.cut = m->n;
	c = fr_checker_new(m);
	r = fr_checker_check(c, &all, &none, &err);
	fr_checker_free(c);
	printf("%s: %s, %" PRIu32 " events", dir, r < 0 ? err.msg : "feasible", m->n);
	for (int i = 0; i < FR_MC_COUNT; i++)
		if (m->count[i])
			printf(", %s %" PRIu64, fr_model_counter_name[i], m->count[i]);
	printf("\n");
	return r < 0;
}

int main(int argc, char **argv)
{
	int bad = 0;

	for (int i = 1; i < argc; i++)
		bad |= check(argv[i]);
	return bad;
}
