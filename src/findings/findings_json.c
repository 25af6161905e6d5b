/*
 * Writes findings.json. Fields are added but never removed, because scripts rely on them. The text
 * is byte for byte the output of `--format json`.
 */
#include "base/dir.h"
#include "base/assert.h"
#include "base/io.h"
#include "base/json.h"
#include "findings/finding.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void place(struct fr_jw *w, const struct fr_place *p, bool column)
{
	fr_jw_pair(w, "file", p->file);
	fr_jw_pair_u64(w, "line", p->line);
	if (column)
		fr_jw_pair_u64(w, "column", p->column);
	fr_jw_pair(w, "function", p->function);
}

static void object(struct fr_jw *w, uint32_t number)
{
	fr_jw_key(w, "object");
	if (number)
		fr_jw_u64(w, number);
	else
		fr_jw_null(w);
}

static void step(struct fr_jw *w, const struct fr_finding_event *e)
{
	fr_jw_pair_u64(w, "thread", e->thread);
	fr_jw_pair(w, "path", e->path);
	fr_jw_pair(w, "role", fr_role_name[e->role]);
	fr_jw_pair(w, "access", fr_op_name[e->access]);
	fr_jw_pair(w, "name", e->name);
	object(w, e->object);
	fr_jw_pair_bool(w, "atomic", e->atomic);
	fr_jw_key(w, "value");
	if (e->known)
		fr_jw_u64(w, e->value);
	else
		fr_jw_null(w);
	fr_jw_pair_bool(w, "seen", e->seen);
	place(w, &e->at, true);
	fr_jw_pair_u64(w, "hook", e->hook);
}

static void event(struct fr_jw *w, const struct fr_finding_event *e)
{
	fr_jw_open(w, '{');
	step(w, e);
	fr_jw_key(w, "stack");
	fr_jw_open(w, '[');
	FR_VEC_FOREACH (p, &e->stack) {
		fr_jw_open(w, '{');
		place(w, p, true);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
	fr_jw_key(w, "locks");
	fr_jw_open(w, '[');
	FR_VEC_FOREACH (l, &e->lock) {
		fr_jw_open(w, '{');
		fr_jw_pair(w, "name", l->name);
		object(w, l->object);
		fr_jw_pair_bool(w, "shared", l->shared);
		place(w, &l->at, true);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
	fr_jw_close(w, '}');
}

static void interleaving(struct fr_jw *w, const struct fr_interleaving *i)
{
	fr_jw_key(w, "events");
	fr_jw_open(w, '[');
	FR_VEC_FOREACH (e, &i->event)
		event(w, e);
	fr_jw_close(w, ']');
	fr_jw_key(w, "witness");
	fr_jw_open(w, '[');
	FR_VEC_FOREACH (e, &i->witness) {
		fr_jw_open(w, '{');
		step(w, e);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
	fr_jw_pair_u64(w, "left_out", i->left_out);
	fr_jw_pair(w, "schedule", i->schedule);
	fr_jw_pair_bool(w, "swapped", i->swapped);
	fr_jw_pair_bool(w, "others_first", i->others_first);
	fr_jw_pair(w, "detail", i->detail);
	fr_jw_pair(w, "end", i->end);
}

/* "harm" is the harm of a confirmed finding. Harm before the divergence of a refuted finding is
   "harm_before", so that nobody confuses the two. */
static void verdict(struct fr_jw *w, const struct fr_interleaving *i)
{
	bool refuted = i->verdict == FR_VERDICT_REFUTED;

	fr_jw_pair(w, "verdict", fr_verdict_name[i->verdict]);
	fr_jw_pair(w, "harm", refuted ? NULL : fr_harm_name(i->harm));
	fr_jw_pair(w, "harm_before", refuted ? fr_harm_name(i->harm) : NULL);
}

static void finding(struct fr_jw *w, const struct fr_finding *f)
{
	fr_jw_open(w, '{');
	fr_jw_pair_u64(w, "id", f->id);
	fr_jw_pair(w, "kind", f->kind);
	verdict(w, &f->interleaving.v[0]);
	fr_jw_pair(w, "tier", fr_tier_name[f->tier]);
	fr_jw_pair_u64(w, "reads_relaxed", f->reads_relaxed);
	fr_jw_pair_f64(w, "solver_s", f->solver_s);
	fr_jw_pair(w, "subject", f->subject);
	fr_jw_pair(w, "region", fr_region_name[f->region]);
	fr_jw_pair(w, "shape", f->shape);
	fr_jw_pair_bool(w, "folded", fr_finding_folded(f));
	fr_jw_key(w, "allocated");
	if (f->allocated.line) {
		fr_jw_open(w, '{');
		place(w, &f->allocated, true);
		fr_jw_close(w, '}');
	} else {
		fr_jw_null(w);
	}
	fr_jw_pair_u64(w, "seen", f->seen);
	if (f->found.n) {
		fr_jw_key(w, "runs");
		fr_jw_open(w, '[');
		FR_VEC_FOREACH (name, &f->found)
			fr_jw_str(w, *name);
		fr_jw_close(w, ']');
	}
	interleaving(w, &f->interleaving.v[0]);
	fr_jw_key(w, "interleavings");
	fr_jw_open(w, '[');
	for (size_t i = 1; i < f->interleaving.n; i++) {
		fr_jw_open(w, '{');
		verdict(w, &f->interleaving.v[i]);
		interleaving(w, &f->interleaving.v[i]);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
	fr_jw_close(w, '}');
}

static void counts(struct fr_jw *w, const char *key, const struct fr_count *c, size_t n)
{
	fr_jw_key(w, key);
	fr_jw_open(w, '[');
	for (size_t i = 0; i < n; i++) {
		fr_jw_open(w, '{');
		fr_jw_pair(w, "name", c[i].name);
		fr_jw_pair(w, "text", c[i].text);
		fr_jw_pair_u64(w, "count", c[i].n);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
}

static void summary(struct fr_jw *w, const struct fr_findings *f)
{
	const struct fr_summary *s = &f->summary;
	uint64_t folded = 0;

	FR_VEC_FOREACH (x, &f->finding)
		folded += fr_finding_folded(x);
	fr_jw_key(w, "summary");
	fr_jw_open(w, '{');
	fr_jw_pair_bool(w, "complete", s->complete);
	fr_jw_pair(w, "reason", s->reason);
	fr_jw_pair_u64(w, "candidates", s->candidates);
	fr_jw_pair_u64(w, "predicted", s->predicted);
	fr_jw_pair_u64(w, "refuted", s->refuted);
	fr_jw_pair_u64(w, "undecided", s->undecided);
	fr_jw_pair_u64(w, "untried", s->untried);
	fr_jw_pair_u64(w, "folded", folded);
	fr_jw_pair_u64(w, "instances", s->instances);
	fr_jw_pair_u64(w, "excluded", s->excluded);
	fr_jw_pair_f64(w, "solver_s", s->solver_s);
	counts(w, "why", s->why.v, s->why.n);
	counts(w, "missing", s->missing.v, s->missing.n);
	fr_jw_close(w, '}');
}

static void words(struct fr_jw *w, const char *key, const struct fr_finding_words *v)
{
	fr_jw_key(w, key);
	fr_jw_open(w, '[');
	FR_VEC_FOREACH (s, v)
		fr_jw_str(w, *s);
	fr_jw_close(w, ']');
}

static void run(struct fr_jw *w, const struct fr_findings *f)
{
	fr_jw_key(w, "run");
	fr_jw_open(w, '{');
	fr_jw_pair(w, "program", f->program);
	words(w, "args", &f->args);
	words(w, "named", &f->named);
	fr_jw_key(w, "exit");
	if (f->exit >= 0)
		fr_jw_i64(w, f->exit);
	else
		fr_jw_null(w);
	fr_jw_key(w, "signal");
	if (f->signal)
		fr_jw_i64(w, f->signal);
	else
		fr_jw_null(w);
	fr_jw_pair_bool(w, "imported", f->imported);
	fr_jw_pair_u64(w, "threads", f->threads);
	fr_jw_pair_u64(w, "events", f->events);
	fr_jw_pair_f64(w, "record_s", f->record_s);
	fr_jw_pair_f64(w, "predict_s", f->predict_s);
	fr_jw_pair_f64(w, "confirm_s", f->confirm_s);
	fr_jw_pair_u64(w, "confirm_runs", f->confirm_runs);
	fr_jw_pair_u64(w, "confirm_saved", f->confirm_saved);
	fr_jw_key(w, "control");
	fr_jw_open(w, '{');
	fr_jw_pair_u64(w, "runs", f->control_runs);
	if (f->control_runs)
		fr_jw_pair_bool(w, "repeated", !f->control_reason);
	fr_jw_key(w, "reason");
	if (f->control_reason)
		fr_jw_str(w, f->control_reason);
	else
		fr_jw_null(w);
	fr_jw_pair_bool(w, "serial", f->serial);
	fr_jw_close(w, '}');
	fr_jw_close(w, '}');
}

/* Writes the buffer to fd, if any, and empties it. */
static int drain(int fd, struct fr_buf *out)
{
	int r = 0;

	if (fd >= 0 && out->n) {
		r = fr_io_write_all(fd, out->s, out->n, NULL);
		out->n = 0;
	}
	return r;
}

int fr_findings_json(const struct fr_findings *f, bool all, int fd, struct fr_buf *out)
{
	struct fr_jw w = {.out = out};
	int r = 0;

	fr_jw_open(&w, '{');
	fr_jw_pair(&w, "forerun", f->version);
	run(&w, f);
	summary(&w, f);
	fr_jw_key(&w, "findings");
	fr_jw_open(&w, '[');
	for (size_t i = 0; i < f->finding.n && !r; i++) {
		if (all || !fr_finding_folded(&f->finding.v[i]))
			finding(&w, &f->finding.v[i]);
		if (out->n > 1u << 16)
			r = drain(fd, out);
	}
	fr_jw_close(&w, ']');
	fr_jw_close(&w, '}');
	fr_assert(!w.depth && !w.keyed);
	fr_buf_puts(out, "\n");
	return r ? r : drain(fd, out);
}

int fr_findings_write(const char *dir, const struct fr_findings *f, struct fr_dir_new *ret,
		      struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json", dir);
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	int r = fr_dir_new(path, ret, reterr);

	if (r < 0)
		return r;
	r = fr_findings_json(f, true, ret->fd, &b);
	if (r < 0) {
		fr_dir_drop(ret);
		return fr_err_set(reterr, r, "cannot write '%s'", path);
	}
	return 0;
}

int fr_findings_publish(const char *dir, struct fr_dir_new *n, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json", dir);

	return fr_dir_publish(n, path, reterr);
}
