/*
 * Reads findings.json. A missing member, or one of another type, is an error that names it and its
 * offset. Unknown members are ignored.
 */
#include "base/dir.h"
#include "base/io.h"
#include "base/json.h"
#include "base/names.h"
#include "findings/finding.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

struct reader {
	struct fr_json_file in;
	struct fr_findings *f;
};

static uint32_t small(struct reader *d, const struct fr_json *o, const char *key)
{
	uint64_t v = fr_json_need_u64(&d->in, o, key);

	if (v > UINT32_MAX)
		fr_json_bad(&d->in, fr_json_get(o, key), key);
	return (uint32_t)v;
}

/* Returns NULL for null if `null` allows it, "" after an error. */
static const char *string(struct reader *d, const struct fr_json *o, const char *key, bool null)
{
	const struct fr_json *j = fr_json_get(o, key);
	const char *s = fr_json_str(j);

	if (s)
		return fr_findings_str(d->f, s);
	if (null && j && j->type == FR_JSON_NULL)
		return NULL;
	fr_json_bad(&d->in, j, key);
	return "";
}

/* A member that is absent in old files. */
static const char *optional(struct reader *d, const struct fr_json *o, const char *key)
{
	return fr_json_get(o, key) ? string(d, o, key, true) : NULL;
}

/* Returns the number of a name in the table; 0 after an error. NULL in the table stands for null. */
static size_t name(struct reader *d, const struct fr_json *o, const char *key,
		   const char *const *names, size_t n)
{
	size_t i = fr_names_find(names, n, string(d, o, key, true));

	if (i == n)
		fr_json_bad(&d->in, fr_json_get(o, key), key);
	return i == n ? 0 : i;
}

static bool flag(const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);

	return j && j->type == FR_JSON_BOOL && j->truth;
}

static struct fr_place place(struct reader *d, const struct fr_json *o)
{
	return (struct fr_place){.file = string(d, o, "file", false),
				 .function = string(d, o, "function", false),
				 .line = small(d, o, "line"),
				 .column = small(d, o, "column")};
}

/* The number of an object; absent in old files. */
static uint32_t object(struct reader *d, const struct fr_json *o)
{
	const struct fr_json *j = fr_json_get(o, "object");

	return !j || j->type == FR_JSON_NULL ? 0 : small(d, o, "object");
}

static struct fr_finding_event step(struct reader *d, const struct fr_json *o)
{
	const struct fr_json *value = fr_json_get(o, "value");
	struct fr_finding_event e = {.thread = small(d, o, "thread"),
				     .path = string(d, o, "path", false),
				     .name = string(d, o, "name", false),
				     .object = object(d, o),
				     .atomic = fr_json_need_bool(&d->in, o, "atomic"),
				     .seen = flag(o, "seen"),
				     .at = place(d, o),
				     .hook = fr_json_need_u64(&d->in, o, "hook")};

	e.access = (enum fr_op)name(d, o, "access", fr_op_name, FR_OP_COUNT);
	e.role = (enum fr_role)name(d, o, "role", fr_role_name, FR_ROLE_COUNT);
	if (!value || value->type != FR_JSON_NULL) {
		e.value = fr_json_need_u64(&d->in, o, "value");
		e.known = !d->in.r;
	}
	return e;
}

static struct fr_finding_event event(struct reader *d, const struct fr_json *o)
{
	struct fr_finding_event e = step(d, o);

	for (const struct fr_json *j = fr_json_need_list(&d->in, o, "stack"); j && !d->in.r;
	     j = j->next)
		fr_vec_push(&e.stack, place(d, j));
	for (const struct fr_json *j = fr_json_need_list(&d->in, o, "locks"); j && !d->in.r;
	     j = j->next)
		fr_vec_push(&e.lock, ((struct fr_finding_lock){
					 string(d, j, "name", false), object(d, j),
					 fr_json_need_bool(&d->in, j, "shared"), place(d, j)}));
	return e;
}

/* Returns whether predict_save.c gives such a name: NUMBER/schedule or NUMBER/schedule.2. No other
   file may be read. */
static bool names_schedule(const char *s)
{
	size_t n = strspn(s, "0123456789");

	if (!n || strncmp(s + n, "/schedule", 9) != 0)
		return false;
	s += n + 9;
	return !*s || (*s == '.' && s[1] && strspn(s + 1, "0123456789") == strlen(s + 1));
}

static struct fr_interleaving interleaving(struct reader *d, const struct fr_json *o)
{
	const char *harm = string(d, o, "harm", true);
	struct fr_interleaving w = {.detail = optional(d, o, "detail"),
				    .end = optional(d, o, "end"),
				    .swapped = flag(o, "swapped"),
				    .others_first = flag(o, "others_first"),
				    .left_out = fr_json_need_u64(&d->in, o, "left_out"),
				    .schedule = string(d, o, "schedule", true)};

	if (w.schedule && !names_schedule(w.schedule))
		fr_json_bad(&d->in, fr_json_get(o, "schedule"), "schedule");
	if (!fr_verdict_find(string(d, o, "verdict", false), &w.verdict))
		fr_json_bad(&d->in, fr_json_get(o, "verdict"), "verdict");
	if (!fr_harm_find(harm ? harm : optional(d, o, "harm_before"), &w.harm))
		fr_json_bad(&d->in, fr_json_get(o, "harm"), "harm");
	for (const struct fr_json *j = fr_json_need_list(&d->in, o, "events"); j && !d->in.r;
	     j = j->next)
		fr_vec_push(&w.event, event(d, j));
	for (const struct fr_json *j = fr_json_need_list(&d->in, o, "witness"); j && !d->in.r;
	     j = j->next)
		fr_vec_push(&w.witness, step(d, j));
	if (!w.event.n)
		fr_json_bad(&d->in, fr_json_get(o, "events"), "events");
	return w;
}

static void finding(struct reader *d, const struct fr_json *o)
{
	struct fr_finding f = {.id = small(d, o, "id"),
			       .kind = string(d, o, "kind", false),
			       .reads_relaxed = small(d, o, "reads_relaxed"),
			       .solver_s = fr_json_need_f64(&d->in, o, "solver_s"),
			       .subject = string(d, o, "subject", false),
			       .shape = optional(d, o, "shape"),
			       .seen = fr_json_need_u64(&d->in, o, "seen"),
			       .allocated = {.file = "", .function = ""}};
	const struct fr_json *at = fr_json_get(o, "allocated");

	if (!fr_tier_find(string(d, o, "tier", false), &f.tier))
		fr_json_bad(&d->in, fr_json_get(o, "tier"), "tier");
	if (!fr_region_find(optional(d, o, "region"), &f.region))
		fr_json_bad(&d->in, fr_json_get(o, "region"), "region");
	if (!at || at->type == FR_JSON_OBJECT)
		f.allocated = place(d, at);
	fr_vec_push(&f.interleaving, interleaving(d, o));
	for (const struct fr_json *j = fr_json_need_list(&d->in, o, "interleavings"); j && !d->in.r;
	     j = j->next)
		fr_vec_push(&f.interleaving, interleaving(d, j));
	fr_vec_push(&d->f->finding, f);
}

static void summary(struct reader *d, const struct fr_json *o)
{
	struct fr_summary *s = &d->f->summary;

	if (!o)
		fr_json_bad(&d->in, NULL, "summary");
	s->complete = fr_json_need_bool(&d->in, o, "complete");
	s->reason = string(d, o, "reason", true);
	s->candidates = fr_json_need_u64(&d->in, o, "candidates");
	s->predicted = fr_json_need_u64(&d->in, o, "predicted");
	s->refuted = fr_json_need_u64(&d->in, o, "refuted");
	s->undecided = fr_json_need_u64(&d->in, o, "undecided");
	s->untried = fr_json_need_u64(&d->in, o, "untried");
	s->instances = fr_json_need_u64(&d->in, o, "instances");
	s->excluded = fr_json_need_u64(&d->in, o, "excluded");
	s->solver_s = fr_json_need_f64(&d->in, o, "solver_s");
	for (const struct fr_json *j = fr_json_need_list(&d->in, o, "why"); j && !d->in.r;
	     j = j->next)
		fr_vec_push(&s->why, ((struct fr_count){string(d, j, "name", false),
							string(d, j, "text", false),
							fr_json_need_u64(&d->in, j, "count")}));
	for (const struct fr_json *j = fr_json_need_list(&d->in, o, "missing"); j && !d->in.r;
	     j = j->next)
		fr_vec_push(&s->missing, ((struct fr_count){string(d, j, "name", false),
							    string(d, j, "text", false),
							    fr_json_need_u64(&d->in, j, "count")}));
}

static int small_or(struct reader *d, const struct fr_json *o, const char *key, int none)
{
	const struct fr_json *j = fr_json_get(o, key);
	uint32_t v;

	if (j && j->type == FR_JSON_NULL)
		return none;
	v = small(d, o, key);
	if (v > INT_MAX)
		fr_json_bad(&d->in, j, key);
	return (int)(v & INT_MAX);
}

static void words(struct reader *d, const struct fr_json *o, const char *key,
		  struct fr_finding_words *ret)
{
	for (const struct fr_json *j = fr_json_need_list(&d->in, o, key); j && !d->in.r;
	     j = j->next)
		if (fr_json_str(j))
			fr_vec_push(ret, fr_findings_str(d->f, fr_json_str(j)));
		else
			fr_json_bad(&d->in, j, key);
}

static void run(struct reader *d, const struct fr_json *o)
{
	struct fr_findings *f = d->f;

	if (!o)
		fr_json_bad(&d->in, NULL, "run");
	f->program = string(d, o, "program", false);
	words(d, o, "args", &f->args);
	if (fr_json_get(o, "named")) /* absent in old files */
		words(d, o, "named", &f->named);
	/* `replay --expect fixed` passes them to `forerun run`: allow no other option. */
	FR_VEC_FOREACH (s, &f->named)
		if (strncmp(*s, "--atomic=", 9) != 0 && strncmp(*s, "--atomic-set=", 13) != 0 &&
		    strncmp(*s, "--pattern=", 10) != 0)
			fr_json_bad(&d->in, fr_json_get(o, "named"), "named");
	f->exit = small_or(d, o, "exit", -1);
	f->signal = small_or(d, o, "signal", 0);
	f->imported = fr_json_need_bool(&d->in, o, "imported");
	f->threads = fr_json_need_u64(&d->in, o, "threads");
	f->events = fr_json_need_u64(&d->in, o, "events");
	f->record_s = fr_json_need_f64(&d->in, o, "record_s");
	f->predict_s = fr_json_need_f64(&d->in, o, "predict_s");
	f->confirm_s = fr_json_need_f64(&d->in, o, "confirm_s");
	/* Absent in old files. */
	fr_json_u64(fr_json_get(o, "confirm_runs"), &f->confirm_runs);
	fr_json_u64(fr_json_get(o, "confirm_saved"), &f->confirm_saved);
	if (fr_json_get(o, "control")) {
		const struct fr_json *c = fr_json_get(o, "control");

		f->control_runs = fr_json_need_u64(&d->in, c, "runs");
		f->control_reason = string(d, c, "reason", true);
		f->serial = fr_json_need_bool(&d->in, c, "serial");
	}
}

int fr_findings_read(const char *dir, struct fr_findings *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json", dir);
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	FR_CLEANUP(fr_json_freep) struct fr_json *j = NULL;
	struct reader d = {.in = {.name = path, .err = reterr}, .f = &f};
	struct fr_mapped map;
	int r;

	if (fr_dir_stat(path, NULL) == -ENOENT)
		return fr_err_say(reterr, -ENOENT,
				  "no findings in '%s': run 'forerun predict %s' first", dir, dir);
	r = fr_dir_map(path, &map, reterr);
	if (r < 0)
		return r;
	r = fr_json_parse(path, map.p, map.n, &j, reterr);
	fr_io_unmap(&map);
	if (r < 0)
		return r;
	f.version = string(&d, j, "forerun", false);
	run(&d, fr_json_get(j, "run"));
	summary(&d, fr_json_get(j, "summary"));
	for (const struct fr_json *x = fr_json_need_list(&d.in, j, "findings"); x && !d.in.r;
	     x = x->next)
		finding(&d, x);
	if (d.in.r)
		return d.in.r;
	*ret = f;
	f = (struct fr_findings){0};
	return 0;
}
