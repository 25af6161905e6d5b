/* Controls: see controls.h. */
#include "confirm/controls.h"
#include "base/assert.h"
#include "base/io.h"
#include <string.h>

void fr_controls_free(struct fr_controls *c)
{
	FR_VEC_FOREACH (x, &c->run) {
		free(x->assertion);
		fr_closep(&x->out);
		fr_closep(&x->err);
	}
	fr_vec_free(&c->run);
	free(c->reason);
	*c = (struct fr_controls){0};
}

void fr_controls_add(struct fr_controls *c, struct fr_execution *r, bool other)
{
	const struct fr_crash *crash = &r->file.c->crash;
	struct fr_control_run x = {.other = other,
				   .hung = r->file.c->phase == FR_PHASE_HANG,
				   .exit = r->exit,
				   .signal = r->signal,
				   .out = r->out,
				   .err = r->err,
				   .typed = r->typed};

	if (*crash->assertion)
		x.assertion = fr_xstrdup(crash->assertion);
	r->out = r->err = -1;
	fr_vec_push(&c->run, x);
	c->exact += !other;
	fr_assert(c->exact <= c->run.n);
}

bool fr_controls_signal(const struct fr_controls *c, int signal)
{
	fr_assert(signal); /* 0 would mean any control that exited */
	FR_VEC_FOREACH (x, &c->run)
		if (x->signal == signal)
			return true;
	return false;
}

bool fr_controls_assertion(const struct fr_controls *c, const char *text)
{
	FR_VEC_FOREACH (x, &c->run)
		if (x->assertion && !strcmp(x->assertion, text))
			return true;
	return false;
}

bool fr_controls_hang(const struct fr_controls *c)
{
	FR_VEC_FOREACH (x, &c->run)
		if (x->hung)
			return true;
	return false;
}

bool fr_controls_exit(const struct fr_controls *c, bool others, int exit, int signal,
		      int recorded_exit, int recorded_signal)
{
	FR_VEC_FOREACH (x, &c->run)
		if ((others || !x->other) &&
		    ((x->exit == exit && x->signal == signal) || x->exit != recorded_exit ||
		     x->signal != recorded_signal))
			return true;
	return false;
}
