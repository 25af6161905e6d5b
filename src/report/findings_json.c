/*
 * findings.json, writing. Fields only ever grow: scripts rely on those that are there. The text is
 * what `--format json` prints, to the byte.
 */
#include "base/io.h"
#include "base/json.h"
#include "report/finding.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void pair(struct fr_jw *w, const char *key, const char *s)
{
	fr_jw_key(w, key);
	fr_jw_str(w, s);
}

static void number(struct fr_jw *w, const char *key, uint64_t n)
{
	fr_jw_key(w, key);
	fr_jw_u64(w, n);
}

static void seconds(struct fr_jw *w, const char *key, double s)
{
	fr_jw_key(w, key);
	fr_jw_f64(w, s);
}

static void truth(struct fr_jw *w, const char *key, bool b)
{
	fr_jw_key(w, key);
	fr_jw_bool(w, b);
}

static void place(struct fr_jw *w, const struct fr_place *p, bool column)
{
	pair(w, "file", p->file);
	number(w, "line", p->line);
	if (column)
		number(w, "column", p->column);
	pair(w, "function", p->function);
}

static void step(struct fr_jw *w, const struct fr_find_event *e)
{
	number(w, "thread", e->thread);
	pair(w, "path", e->path);
	pair(w, "role", e->role);
	pair(w, "access", e->access);
	pair(w, "name", e->name);
	truth(w, "atomic", e->atomic);
	fr_jw_key(w, "value");
	if (e->known)
		fr_jw_u64(w, e->value);
	else
		fr_jw_null(w);
	place(w, &e->at, true);
	number(w, "hook", e->hook);
}

static void event(struct fr_jw *w, const struct fr_find_event *e)
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
		pair(w, "name", l->name);
		truth(w, "shared", l->shared);
		place(w, &l->at, true);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
	fr_jw_close(w, '}');
}

static void way(struct fr_jw *w, const struct fr_interleaving *i)
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
	number(w, "left_out", i->left_out);
	pair(w, "schedule", i->schedule);
}

static void finding(struct fr_jw *w, const struct fr_finding *f)
{
	fr_jw_open(w, '{');
	number(w, "id", f->id);
	pair(w, "kind", f->kind);
	pair(w, "verdict", f->way.v[0].verdict);
	pair(w, "harm", f->way.v[0].harm);
	pair(w, "tier", f->tier);
	number(w, "reads_relaxed", f->reads_relaxed);
	seconds(w, "solver_s", f->solver_s);
	pair(w, "subject", f->subject);
	fr_jw_key(w, "allocated");
	if (f->allocated.line) {
		fr_jw_open(w, '{');
		place(w, &f->allocated, true);
		fr_jw_close(w, '}');
	} else {
		fr_jw_null(w);
	}
	number(w, "seen", f->seen);
	way(w, &f->way.v[0]);
	pair(w, "detail", f->detail);
	fr_jw_key(w, "interleavings");
	fr_jw_open(w, '[');
	for (size_t i = 1; i < f->way.n; i++) {
		fr_jw_open(w, '{');
		pair(w, "verdict", f->way.v[i].verdict);
		pair(w, "harm", f->way.v[i].harm);
		way(w, &f->way.v[i]);
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
		pair(w, "name", c[i].name);
		pair(w, "text", c[i].text);
		number(w, "count", c[i].n);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
}

static void summary(struct fr_jw *w, const struct fr_summary *s)
{
	fr_jw_key(w, "summary");
	fr_jw_open(w, '{');
	truth(w, "complete", s->complete);
	pair(w, "reason", s->reason);
	number(w, "candidates", s->candidates);
	number(w, "predicted", s->predicted);
	number(w, "refuted", s->refuted);
	number(w, "undecided", s->undecided);
	number(w, "untried", s->untried);
	number(w, "instances", s->instances);
	number(w, "excluded", s->excluded);
	seconds(w, "solver_s", s->solver_s);
	counts(w, "why", s->why.v, s->why.n);
	counts(w, "missing", s->missing.v, s->missing.n);
	fr_jw_close(w, '}');
}

static void run(struct fr_jw *w, const struct fr_findings *f)
{
	fr_jw_key(w, "run");
	fr_jw_open(w, '{');
	pair(w, "program", f->program);
	fr_jw_key(w, "args");
	fr_jw_open(w, '[');
	FR_VEC_FOREACH (a, &f->args)
		fr_jw_str(w, *a);
	fr_jw_close(w, ']');
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
	truth(w, "imported", f->imported);
	number(w, "threads", f->threads);
	number(w, "events", f->events);
	seconds(w, "record_s", f->record_s);
	seconds(w, "predict_s", f->predict_s);
	seconds(w, "confirm_s", f->confirm_s);
	fr_jw_close(w, '}');
}

/* Hands over what is there. */
static int drain(int fd, struct fr_buf *out)
{
	int r = 0;

	if (fd >= 0 && out->n) {
		r = fr_io_write_all(fd, out->s, out->n, NULL);
		out->n = 0;
	}
	return r;
}

int fr_findings_json(const struct fr_findings *f, int fd, struct fr_buf *out)
{
	struct fr_jw w = {.out = out};
	int r = 0;

	fr_jw_open(&w, '{');
	pair(&w, "forerun", f->version);
	run(&w, f);
	summary(&w, &f->summary);
	fr_jw_key(&w, "findings");
	fr_jw_open(&w, '[');
	for (size_t i = 0; i < f->finding.n && !r; i++) {
		finding(&w, &f->finding.v[i]);
		if (out->n > 1u << 16)
			r = drain(fd, out);
	}
	fr_jw_close(&w, ']');
	fr_jw_close(&w, '}');
	fr_buf_puts(out, "\n");
	return r ? r : drain(fd, out);
}

int fr_findings_write(const char *dir, const struct fr_findings *f, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json.new", dir);
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	FR_CLEANUP(fr_closep)
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int r;

	if (fd < 0)
		return fr_err_set(reterr, -errno, "cannot create '%s'", path);
	r = fr_findings_json(f, fd, &b);
	if (r < 0) {
		unlink(path);
		return fr_err_set(reterr, r, "cannot write '%s'", path);
	}
	return 0;
}

int fr_findings_publish(const char *dir, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *from = fr_xasprintf("%s/findings.json.new", dir);
	FR_CLEANUP(fr_freep) char *to = fr_xasprintf("%s/findings.json", dir);

	if (rename(from, to) < 0)
		return fr_err_set(reterr, -errno, "cannot replace '%s'", to);
	return 0;
}
