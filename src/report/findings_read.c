/*
 * findings.json, reading. Strict where it matters: a member that is missing or of another type is
 * an error that names it and where it stands. Members that are not known here are left alone.
 */
#include "base/io.h"
#include "base/json.h"
#include "report/finding.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct reader {
	const char *file;
	struct fr_findings *f;
	struct fr_err *err;
	int r; /* first error */
};

static void bad(struct reader *d, const struct fr_json *at, const char *key)
{
	if (d->r)
		return;
	if (at)
		d->r =
		    fr_err_say(d->err, -EBADMSG, "'%s': the value of '%s' at offset %zu is wrong",
			       d->file, key, at->offset);
	else
		d->r = fr_err_say(d->err, -EBADMSG, "'%s': '%s' is missing", d->file, key);
}

static uint64_t number(struct reader *d, const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);
	uint64_t v = 0;

	if (!fr_json_u64(j, &v))
		bad(d, j, key);
	return v;
}

static uint32_t small(struct reader *d, const struct fr_json *o, const char *key)
{
	uint64_t v = number(d, o, key);

	if (v > UINT32_MAX)
		bad(d, fr_json_get(o, key), key);
	return (uint32_t)v;
}

static double seconds(struct reader *d, const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);

	if (j && j->type == FR_JSON_NUMBER)
		return strtod(j->s, NULL);
	bad(d, j, key);
	return 0;
}

static bool truth(struct reader *d, const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);

	if (j && j->type == FR_JSON_BOOL)
		return j->truth;
	bad(d, j, key);
	return false;
}

/* NULL for null if that is allowed; "" after an error. */
static const char *string(struct reader *d, const struct fr_json *o, const char *key, bool null)
{
	const struct fr_json *j = fr_json_get(o, key);
	const char *s = fr_json_str(j);

	if (s)
		return fr_findings_str(d->f, s);
	if (null && j && j->type == FR_JSON_NULL)
		return NULL;
	bad(d, j, key);
	return "";
}

/* The first element, and the next ones are its siblings. NULL: none, or an error. */
static const struct fr_json *list(struct reader *d, const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);

	if (j && j->type == FR_JSON_ARRAY)
		return j->child;
	bad(d, j, key);
	return NULL;
}

static struct fr_place place(struct reader *d, const struct fr_json *o)
{
	return (struct fr_place){.file = string(d, o, "file", false),
				 .function = string(d, o, "function", false),
				 .line = small(d, o, "line"),
				 .column = small(d, o, "column")};
}

static struct fr_find_event step(struct reader *d, const struct fr_json *o)
{
	const struct fr_json *value = fr_json_get(o, "value");
	struct fr_find_event e = {.thread = small(d, o, "thread"),
				  .path = string(d, o, "path", false),
				  .role = string(d, o, "role", true),
				  .access = string(d, o, "access", false),
				  .name = string(d, o, "name", false),
				  .atomic = truth(d, o, "atomic"),
				  .at = place(d, o),
				  .hook = number(d, o, "hook")};

	if (!value || value->type != FR_JSON_NULL) {
		e.value = number(d, o, "value");
		e.known = !d->r;
	}
	return e;
}

static struct fr_find_event event(struct reader *d, const struct fr_json *o)
{
	struct fr_find_event e = step(d, o);

	for (const struct fr_json *j = list(d, o, "stack"); j && !d->r; j = j->next)
		fr_vec_push(&e.stack, place(d, j));
	for (const struct fr_json *j = list(d, o, "locks"); j && !d->r; j = j->next)
		fr_vec_push(&e.lock, ((struct fr_find_lock){string(d, j, "name", false),
							    truth(d, j, "shared"), place(d, j)}));
	return e;
}

static struct fr_interleaving way(struct reader *d, const struct fr_json *o)
{
	struct fr_interleaving w = {.verdict = string(d, o, "verdict", false),
				    .harm = string(d, o, "harm", true),
				    .left_out = number(d, o, "left_out"),
				    .schedule = string(d, o, "schedule", true)};

	for (const struct fr_json *j = list(d, o, "events"); j && !d->r; j = j->next)
		fr_vec_push(&w.event, event(d, j));
	for (const struct fr_json *j = list(d, o, "witness"); j && !d->r; j = j->next)
		fr_vec_push(&w.witness, step(d, j));
	if (!w.event.n)
		bad(d, fr_json_get(o, "events"), "events");
	return w;
}

static void finding(struct reader *d, const struct fr_json *o)
{
	struct fr_finding f = {.id = small(d, o, "id"),
			       .kind = string(d, o, "kind", false),
			       .tier = string(d, o, "tier", false),
			       .reads_relaxed = small(d, o, "reads_relaxed"),
			       .solver_s = seconds(d, o, "solver_s"),
			       .subject = string(d, o, "subject", false),
			       .detail = string(d, o, "detail", true),
			       .seen = number(d, o, "seen"),
			       .allocated = {.file = "", .function = ""}};
	const struct fr_json *at = fr_json_get(o, "allocated");

	if (!at || at->type == FR_JSON_OBJECT)
		f.allocated = place(d, at);
	fr_vec_push(&f.way, way(d, o));
	for (const struct fr_json *j = list(d, o, "interleavings"); j && !d->r; j = j->next)
		fr_vec_push(&f.way, way(d, j));
	fr_vec_push(&d->f->finding, f);
}

static void summary(struct reader *d, const struct fr_json *o)
{
	struct fr_summary *s = &d->f->summary;

	if (!o)
		bad(d, NULL, "summary");
	s->complete = truth(d, o, "complete");
	s->reason = string(d, o, "reason", true);
	s->candidates = number(d, o, "candidates");
	s->predicted = number(d, o, "predicted");
	s->refuted = number(d, o, "refuted");
	s->undecided = number(d, o, "undecided");
	s->untried = number(d, o, "untried");
	s->instances = number(d, o, "instances");
	s->excluded = number(d, o, "excluded");
	s->solver_s = seconds(d, o, "solver_s");
	for (const struct fr_json *j = list(d, o, "why"); j && !d->r; j = j->next)
		fr_vec_push(&s->why, ((struct fr_count){string(d, j, "name", false),
							string(d, j, "text", false),
							number(d, j, "count")}));
	for (const struct fr_json *j = list(d, o, "missing"); j && !d->r; j = j->next)
		fr_vec_push(&s->missing, ((struct fr_count){string(d, j, "name", false),
							    string(d, j, "text", false),
							    number(d, j, "count")}));
}

static int small_or(struct reader *d, const struct fr_json *o, const char *key, int none)
{
	const struct fr_json *j = fr_json_get(o, key);
	uint32_t v;

	if (j && j->type == FR_JSON_NULL)
		return none;
	v = small(d, o, key);
	if (v > INT_MAX)
		bad(d, j, key);
	return (int)(v & INT_MAX);
}

static void run(struct reader *d, const struct fr_json *o)
{
	struct fr_findings *f = d->f;

	if (!o)
		bad(d, NULL, "run");
	f->program = string(d, o, "program", false);
	for (const struct fr_json *j = list(d, o, "args"); j && !d->r; j = j->next)
		if (fr_json_str(j))
			fr_vec_push(&f->args, fr_findings_str(f, fr_json_str(j)));
		else
			bad(d, j, "args");
	f->exit = small_or(d, o, "exit", -1);
	f->signal = small_or(d, o, "signal", 0);
	f->imported = truth(d, o, "imported");
	f->threads = number(d, o, "threads");
	f->events = number(d, o, "events");
	f->record_s = seconds(d, o, "record_s");
	f->predict_s = seconds(d, o, "predict_s");
	f->confirm_s = seconds(d, o, "confirm_s");
}

int fr_findings_read(const char *dir, struct fr_findings *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json", dir);
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	FR_CLEANUP(fr_json_freep) struct fr_json *j = NULL;
	struct reader d = {.file = path, .f = &f, .err = reterr};
	struct fr_mapped map;
	int r;

	if (access(path, F_OK) < 0 && errno == ENOENT)
		return fr_err_say(reterr, -ENOENT,
				  "there are no findings in '%s': 'forerun predict %s' makes them",
				  dir, dir);
	r = fr_io_map(path, &map, reterr);
	if (r < 0)
		return r;
	r = fr_json_parse(path, map.p, map.n, &j, reterr);
	fr_io_unmap(&map);
	if (r < 0)
		return r;
	f.version = string(&d, j, "forerun", false);
	run(&d, fr_json_get(j, "run"));
	summary(&d, fr_json_get(j, "summary"));
	for (const struct fr_json *x = list(&d, j, "findings"); x && !d.r; x = x->next)
		finding(&d, x);
	if (d.r)
		return d.r;
	*ret = f;
	f = (struct fr_findings){0};
	return 0;
}
