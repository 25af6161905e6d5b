/* Controls: see baseline.h. */
#include "confirm/baseline.h"
#include "base/assert.h"
#include "base/io.h"
#include <string.h>

void fr_baseline_free(struct fr_baseline *b)
{
	FR_VEC_FOREACH (x, &b->run) {
		free(x->assertion);
		fr_closep(&x->out);
		fr_closep(&x->err);
	}
	fr_vec_free(&b->run);
	free(b->reason);
	*b = (struct fr_baseline){0};
}

void fr_baseline_add(struct fr_baseline *b, struct fr_execution *r, bool other)
{
	const struct fr_control_crash *crash = &r->control.c->crash;
	struct fr_baseline_run x = {.other = other,
				    .hung = r->control.c->phase == FR_PHASE_HANG,
				    .exit = r->exit,
				    .signal = r->signal,
				    .out = r->out,
				    .err = r->err,
				    .typed = r->typed};

	if (*crash->assertion)
		x.assertion = fr_xstrdup(crash->assertion);
	r->out = r->err = -1;
	fr_vec_push(&b->run, x);
	b->exact += !other;
	fr_assert(b->exact <= b->run.n);
}

bool fr_baseline_signal(const struct fr_baseline *b, int signal)
{
	fr_assert(signal); /* 0 would mean any control that exited */
	FR_VEC_FOREACH (x, &b->run)
		if (x->signal == signal)
			return true;
	return false;
}

bool fr_baseline_assertion(const struct fr_baseline *b, const char *text)
{
	FR_VEC_FOREACH (x, &b->run)
		if (x->assertion && !strcmp(x->assertion, text))
			return true;
	return false;
}

bool fr_baseline_hang(const struct fr_baseline *b)
{
	FR_VEC_FOREACH (x, &b->run)
		if (x->hung)
			return true;
	return false;
}

bool fr_baseline_exit(const struct fr_baseline *b, bool others, int exit, int signal,
		      int recorded_exit, int recorded_signal)
{
	FR_VEC_FOREACH (x, &b->run)
		if ((others || !x->other) &&
		    ((x->exit == exit && x->signal == signal) || x->exit != recorded_exit ||
		     x->signal != recorded_signal))
			return true;
	return false;
}
