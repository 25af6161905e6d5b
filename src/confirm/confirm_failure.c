/*
 * Failures of runs that had left their schedules. Such a run continues to its end. If it crashes or
 * hangs, nobody predicted that, but it happened: it is a finding of its own, of kind `failure`,
 * with a schedule that repeats it. Failures at one position are one finding. A failure that is the
 * harm of a confirmed finding is no finding of its own.
 */
#include "confirm/confirm.h"
#include "base/assert.h"
#include <inttypes.h>
#include <string.h>

/* Notes the harm of a confirmed finding. */
static void note(struct fr_confirm *c, uint64_t where)
{
	fr_vec_push(&c->explained, where);
	fr_known_add_failure(&c->prover->known, where);
}

void fr_confirm_keep(struct fr_confirm *c, struct fr_proof *p, enum fr_tier tier)
{
	if (p->j.verdict == FR_VERDICT_CONFIRMED && p->j.where)
		note(c, p->j.where);
	if (!p->failing)
		return;
	fr_known_add_failure(&c->prover->known, p->failure.where);
	fr_vec_push(&c->failure,
		    ((struct fr_confirm_failure){fr_steal(p->failing), p->failure, tier}));
	p->failure = (struct fr_judgement){0};
}

static bool explained(const struct fr_confirm *c, uint64_t where)
{
	FR_VEC_FOREACH (x, &c->explained)
		if (*x == where)
			return true;
	return false;
}

static uint32_t number_of(const struct fr_confirm *c, const char *path)
{
	const struct fr_model *m = c->prover->model;
	uint32_t i = m ? fr_model_thread(m, path) : UINT32_MAX;

	return i != UINT32_MAX ? i : 0;
}

/* The thread that failed, and its source position. */
static struct fr_finding_event event_of(struct fr_confirm *c, const struct fr_judged_position *at)
{
	const char *thread = at->thread ? at->thread : "0";
	struct fr_finding_event e = {.thread = number_of(c, thread),
				     .path = fr_findings_str(c->f, thread),
				     .role = FR_ROLE_FAILS,
				     .access = FR_OP_MARK,
				     .name = ""};

	e.at = (struct fr_position){.file = fr_findings_str(c->f, at->file ? at->file : ""),
				    .function =
					fr_findings_str(c->f, at->function ? at->function : ""),
				    .line = at->line,
				    .column = at->column};
	return e;
}

static int save(struct fr_confirm *c, uint32_t id, struct fr_schedule_file *s,
		struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *folder = fr_xasprintf("%s/%" PRIu32, c->prover->dir, id);
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/schedule", folder);
	int r = fr_dir_mkdir(folder, reterr);

	return r < 0 ? r : fr_prover_write(c->prover, path, s, reterr);
}

static void add(struct fr_confirm *c, struct fr_confirm_failure *x)
{
	struct fr_interleaving w = {.verdict = FR_VERDICT_CONFIRMED,
				    .harm = x->j.harm,
				    .where = x->j.where,
				    .where_named = x->j.where_named};
	struct fr_finding f = {.kind = FR_KIND_FAILURE,
			       .failure = true,
			       .tier = x->tier,
			       .subject = "",
			       .allocated = {.file = "", .function = ""}};
	struct fr_err err;

	FR_VEC_FOREACH (y, &c->f->finding)
		f.id = fr_max(f.id, y->id);
	f.id++;
	if (save(c, f.id, x->s, &err) < 0) {
		if (!c->errors++)
			c->err = err;
		return;
	}
	w.detail = fr_findings_str(c->f, x->j.detail);
	fr_interleaving_name(c->f, &w, f.id, 1);
	fr_vec_push(&w.event, event_of(c, &x->j.at));
	fr_vec_push(&f.interleaving, w);
	fr_vec_push(&c->f->finding, f);
}

void fr_confirm_add_failures(struct fr_confirm *c)
{
	bool repeats = !c->prover->judge.controls.reason;

	FR_VEC_FOREACH (x, &c->failure) {
		fr_assert(x->j.where);
		if (repeats && !explained(c, x->j.where)) {
			fr_vec_push(&c->explained, x->j.where);
			add(c, x);
		}
		fr_schedule_file_clear(x->s);
		free(x->s);
		fr_judgement_clear(&x->j);
	}
	fr_vec_free(&c->failure);
	fr_vec_free(&c->explained);
}
