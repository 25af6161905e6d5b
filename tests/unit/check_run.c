/*
 * check_run DIR...: loads each run folder and replays all of its recorded order on the schedule
 * checker's machine. Prints for each whether that is feasible, and the assumptions of the loader.
 * Compares the kind of each event with the trace. Exits 1 if one is not feasible or differs.
 */
#include "oracle/check.h"
#include "model/model.h"
#include <inttypes.h>
#include <stdio.h>

/* Returns the number of records whose events in the model have another kind. */
static uint64_t other_kinds(const struct fr_model *m, const struct fr_mthread *t)
{
	uint32_t place = 0;
	uint64_t other = 0;
	struct fr_iter it;
	struct fr_rec rec;

	fr_iter_open(&it, m->trace, fr_trace_thread(m->trace, t->id));
	while (fr_iter_next(&it, &rec, NULL) > 0) {
		unsigned kind = fr_event_kind(rec.e);
		bool same = false, any = false;

		if (fr_event_class(kind) == 'x')
			continue;
		place = fr_hooks_find(&t->hooks, 0, t->n, rec.hook);
		for (; place < t->n && fr_hooks_get(&t->hooks, place) == rec.hook; place++) {
			const struct fr_mev *e = &m->ev[t->ev[place]];

			any |= !(e->flags & (FR_F_SYNTH | FR_F_LATE));
			same |= fr_model_kind(e) == kind;
		}
		other += any && !same;
	}
	fr_iter_close(&it);
	return other;
}

static int check(const char *dir)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
	const struct fr_candidate none = {0};
	struct fr_schedule all = {0};
	struct fr_checker *c;
	uint64_t other = 0;
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
	for (uint32_t i = 0; i < m->nthreads; i++)
		other += other_kinds(m, &m->thread[i]);
	if (other)
		printf(", %" PRIu64 " of another kind than in the trace", other);
	printf("\n");
	return r < 0 || other;
}

int main(int argc, char **argv)
{
	int bad = 0;

	for (int i = 1; i < argc; i++)
		bad |= check(argv[i]);
	return bad;
}
