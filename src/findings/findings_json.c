/*
 * Writes and reads findings.json. One function for each record lists its fields (json_fields.h).
 * Fields are added but never removed, because scripts rely on them. Reading ignores unknown
 * members. The text is byte for byte the output of `--format json`.
 */
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/json_fields.h"
#include "findings/finding.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- records ---- */

static void position(struct fr_json_fields *x, struct fr_position *p)
{
	fr_field_str(x, "file", &p->file, 0);
	fr_field_u32(x, "line", &p->line, 0);
	fr_field_u32(x, "column", &p->column, 0);
	fr_field_str(x, "function", &p->function, 0);
}

static void object(struct fr_json_fields *x, uint32_t *number)
{
	if (fr_field_present(x, "object", *number))
		fr_field_u32(x, "object", number, FR_FIELD_NEW);
}

static void step(struct fr_json_fields *x, struct fr_finding_event *e)
{
	fr_field_u32(x, "thread", &e->thread, 0);
	fr_field_str(x, "path", &e->path, 0);
	fr_field_name(x, "role", fr_role_name, FR_ROLE_COUNT, &e->role, 0);
	fr_field_name(x, "access", fr_op_name, FR_OP_COUNT, &e->access, 0);
	fr_field_str(x, "name", &e->name, 0);
	object(x, &e->object);
	fr_field_bool(x, "atomic", &e->atomic, 0);
	e->known = fr_field_present(x, "value", e->known);
	if (e->known)
		fr_field_u64(x, "value", &e->value, 0);
	fr_field_bool(x, "seen", &e->seen, FR_FIELD_NEW);
	position(x, &e->at);
	fr_field_u64(x, "hook", &e->hook, 0);
}

static void lock(struct fr_json_fields *x, struct fr_finding_lock *l)
{
	fr_field_str(x, "name", &l->name, 0);
	object(x, &l->object);
	fr_field_bool(x, "shared", &l->shared, 0);
	position(x, &l->at);
}

static void event(struct fr_json_fields *x, struct fr_finding_event *e)
{
	step(x, e);
	fr_field_list(x, "stack", &e->stack, position);
	fr_field_list(x, "locks", &e->lock, lock);
}

/* Returns the number in a name that fr_schedule_name gives, 0 for any other name. No other file may
   be read. */
static uint32_t schedule_number(const char *s)
{
	size_t n = strspn(s, "0123456789");
	unsigned long nth;

	if (!n || strncmp(s + n, "/schedule", 9) != 0)
		return 0;
	s += n + 9;
	if (!*s)
		return 1;
	if (*s != '.' || !s[1] || strspn(s + 1, "0123456789") != strlen(s + 1))
		return 0;
	nth = strtoul(s + 1, NULL, 10);
	return nth > 1 && nth <= UINT32_MAX ? (uint32_t)nth : 0;
}

static void interleaving(struct fr_json_fields *x, struct fr_interleaving *i)
{
	fr_field_list(x, "events", &i->event, event);
	fr_field_list(x, "witness", &i->witness, step);
	fr_field_u64(x, "left_out", &i->left_out, 0);
	fr_field_str(x, "schedule", &i->schedule, FR_FIELD_NULL);
	fr_field_bool(x, "swapped", &i->swapped, FR_FIELD_NEW);
	fr_field_bool(x, "never_woken", &i->never_woken, FR_FIELD_NEW);
	fr_field_bool(x, "others_first", &i->others_first, FR_FIELD_NEW);
	fr_field_name(x, "good_order", fr_good_order_name, FR_GOOD_COUNT, &i->good, FR_FIELD_NEW);
	fr_field_bool(x, "other_path", &i->other_path, FR_FIELD_NEW);
	fr_field_u32(x, "asked_again", &i->again, FR_FIELD_NEW);
	fr_field_str(x, "detail", &i->detail, FR_FIELD_NULL | FR_FIELD_NEW);
	fr_field_str(x, "end", &i->end, FR_FIELD_NULL | FR_FIELD_NEW);
	fr_field_u64(x, "where", &i->where, FR_FIELD_NEW);
	fr_field_u64(x, "where_named", &i->where_named, FR_FIELD_NEW);
	if (!i->event.n && i->schedule)
		fr_json_bad(&x->in, fr_json_get(x->o, "events"), "events");
	i->nth = i->schedule ? schedule_number(i->schedule) : 0;
	if (i->schedule && !i->nth)
		fr_json_bad(&x->in, fr_json_get(x->o, "schedule"), "schedule");
}

/* "harm" is the harm of a confirmed finding. Harm before the divergence of a refuted finding is
   "harm_before", so that nobody confuses the two. */
static void verdict(struct fr_json_fields *x, struct fr_interleaving *i)
{
	const char *harm = x->w ? fr_harm_name(i->harm) : NULL, *before = NULL;

	fr_field_name(x, "verdict", fr_verdict_name, FR_VERDICT_COUNT, &i->verdict, 0);
	if (x->w && i->verdict == FR_VERDICT_REFUTED) {
		before = harm;
		harm = NULL;
	}
	fr_field_str(x, "harm", &harm, FR_FIELD_NULL);
	fr_field_str(x, "harm_before", &before, FR_FIELD_NULL | FR_FIELD_NEW);
	if (!fr_harm_find(harm ? harm : before, &i->harm))
		fr_json_bad(&x->in, fr_json_get(x->o, "harm"), "harm");
}

static void other(struct fr_json_fields *x, struct fr_interleaving *i)
{
	verdict(x, i);
	interleaving(x, i);
}

/* The interleavings after the first, whose fields are those of the finding. */
static void others(struct fr_json_fields *x, struct fr_finding *f)
{
	FR_VEC(struct fr_interleaving) rest = {0};

	if (x->w) {
		rest.v = f->interleaving.v + 1;
		rest.n = f->interleaving.n - 1;
	}
	fr_field_list(x, "interleavings", &rest, other);
	if (x->w)
		return;
	FR_VEC_FOREACH (i, &rest)
		fr_vec_push(&f->interleaving, *i);
	fr_vec_free(&rest);
}

/* The failure of the recorded run, and findings that need harm, always have this member: null if
   nothing explains it. Others have it if something does. */
static void explained_by(struct fr_json_fields *x, struct fr_finding *f)
{
	int by = (int)f->explained_by;
	bool has = x->w ? f->explained_by != 0 : fr_json_get(x->o, "explained_by") != NULL;

	/* a damaged file has no kind */
	if (!has && !f->needs && (!f->kind || !fr_finding_recorded_failure(f)))
		return;
	fr_field_int_or(x, "explained_by", &by, 0);
	f->explained_by = (uint32_t)by;
}

static void explained_read(struct fr_json_fields *x, struct fr_finding_read *r)
{
	fr_field_str(x, "name", &r->name, 0);
	fr_field_str(x, "thread", &r->path, 0);
	position(x, &r->at);
	fr_field_bool(x, "matters", &r->matters, 0);
	fr_field_str(x, "why", &r->why, 0);
}

static void obstacle(struct fr_json_fields *x, struct fr_obstacle *o)
{
	fr_field_str(x, "kind", &o->kind, 0);
	fr_field_object(x, "first", position, &o->event[0]);
	fr_field_object(x, "second", position, &o->event[1]);
	fr_field_list(x, "reads", &o->reads, explained_read);
}

static void finding(struct fr_json_fields *x, struct fr_finding *f)
{
	if (!x->w)
		fr_vec_push(&f->interleaving, (struct fr_interleaving){0});
	fr_field_u32(x, "id", &f->id, 0);
	fr_field_str(x, "kind", &f->kind, 0);
	f->failure = f->kind && !strcmp(f->kind, FR_KIND_FAILURE); /* NULL: an error */
	verdict(x, &f->interleaving.v[0]);
	fr_field_name(x, "tier", fr_tier_name, FR_TIER_COUNT, &f->tier, 0);
	fr_field_u32(x, "reads_relaxed", &f->reads_relaxed, 0);
	if (x->w || fr_json_get(x->o, "relaxed_reads")) /* old files lack it */
		fr_field_list(x, "relaxed_reads", &f->relaxed, step);
	if (x->w ? f->reads.n > 0 : fr_json_get(x->o, "reads") != NULL)
		fr_field_list(x, "reads", &f->reads, explained_read);
	fr_field_f64(x, "solver_s", &f->solver_s);
	fr_field_str(x, "subject", &f->subject, 0);
	fr_field_name(x, "region", fr_region_name, FR_REGION_COUNT, &f->region, FR_FIELD_NEW);
	fr_field_name(x, "shape", fr_shape_name, FR_SHAPE_COUNT, &f->shape, FR_FIELD_NEW);
	fr_field_name(x, "needs", fr_needs_name, FR_NEEDS_COUNT, &f->needs, FR_FIELD_NEW);
	if (x->w)
		fr_jw_pair_bool(x->w, "folded", fr_finding_folded(f));
	if (fr_field_present(x, "allocated", f->allocated.line))
		fr_field_object(x, "allocated", position, &f->allocated);
	else
		f->allocated = (struct fr_position){.file = "", .function = ""};
	fr_field_u64(x, "seen", &f->seen, 0);
	fr_field_bool(x, "recorded", &f->recorded, FR_FIELD_NEW);
	explained_by(x, f);
	if (f->found.n)
		fr_field_strings(x, "runs", &f->found);
	interleaving(x, &f->interleaving.v[0]);
	others(x, f);
}

static void count(struct fr_json_fields *x, struct fr_count *c)
{
	fr_field_str(x, "name", &c->name, 0);
	fr_field_str(x, "text", &c->text, 0);
	fr_field_u64(x, "count", &c->n, 0);
}

static void tier_stats(struct fr_json_fields *x, struct fr_tier_stats *t)
{
	fr_field_name(x, "tier", fr_tier_name, FR_TIER_COUNT, &t->tier, 0);
	fr_field_u64(x, "asked", &t->asked, 0);
	fr_field_u64(x, "yes", &t->yes, 0);
	fr_field_f64(x, "time_s", &t->seconds);
}

static void slicing_stats(struct fr_json_fields *x, struct fr_slicing_stats *s)
{
	fr_field_f64(x, "prepare_s", &s->prepare_s);
	fr_field_f64(x, "mask_s", &s->mask_s);
	fr_field_u64(x, "sites", &s->sites, 0);
	fr_field_u64(x, "free_sites", &s->free_sites, 0);
	fr_field_u64(x, "reads", &s->reads, 0);
	fr_field_u64(x, "free_reads", &s->free_reads, 0);
	fr_field_u64(x, "masks", &s->masks, 0);
	fr_field_u64(x, "asked", &s->asked, 0);
}

static void lattice_stats(struct fr_json_fields *x, struct fr_lattice_stats *s)
{
	fr_field_u64(x, "walks", &s->walks, 0);
	fr_field_u64(x, "complete", &s->complete, 0);
	fr_field_u64(x, "found", &s->found, 0);
	fr_field_u64(x, "cuts", &s->cuts, 0);
	fr_field_u64(x, "levels", &s->levels, 0);
	fr_field_u64(x, "widest", &s->widest, 0);
	fr_field_f64(x, "time_s", &s->time_s);
}

static void stats(struct fr_json_fields *x, struct fr_predict_stats *s)
{
	fr_field_f64(x, "read_s", &s->read_s);
	fr_field_f64(x, "causality_s", &s->causality_s);
	fr_field_f64(x, "generate_s", &s->generate_s);
	fr_field_f64(x, "ask_s", &s->ask_s);
	fr_field_bool(x, "pruned", &s->pruned, 0);
	fr_field_u64(x, "events", &s->events, 0);
	fr_field_u64(x, "segments", &s->segments, 0);
	fr_field_f64(x, "segment_mean", &s->segment_mean);
	fr_field_u64(x, "segment_max", &s->segment_max, 0);
	fr_field_u64(x, "enlarged", &s->enlarged, 0);
	fr_field_u64(x, "solver_calls", &s->solver_calls, 0);
	fr_field_list(x, "tiers", &s->tier, tier_stats);
	s->slicing.known = x->w ? s->slicing.known : fr_json_get(x->o, "slicing") != NULL;
	if (s->slicing.known)
		fr_field_object(x, "slicing", slicing_stats, &s->slicing);
	s->lattice.known = x->w ? s->lattice.known : fr_json_get(x->o, "lattice") != NULL;
	if (s->lattice.known)
		fr_field_object(x, "lattice", lattice_stats, &s->lattice);
}

static uint64_t count_folded(const struct fr_findings *f)
{
	uint64_t n = 0;

	FR_VEC_FOREACH (x, &f->finding)
		n += fr_finding_folded(x) && !fr_finding_left_out(x);
	return n;
}

static void summary(struct fr_json_fields *x, struct fr_findings *f)
{
	struct fr_summary *s = &f->summary;

	fr_field_bool(x, "complete", &s->complete, 0);
	fr_field_str(x, "reason", &s->reason, FR_FIELD_NULL);
	fr_field_u64(x, "candidates", &s->candidates, 0);
	fr_field_u64(x, "predicted", &s->predicted, 0);
	fr_field_u64(x, "refuted", /* a name that users know */
		     &s->infeasible, 0);
	fr_field_u64(x, "undecided", &s->undecided, 0);
	fr_field_u64(x, "untried", &s->untried, 0);
	if (x->w)
		fr_jw_pair_u64(x->w, "folded", count_folded(f));
	fr_field_u64(x, "instances", &s->instances, 0);
	fr_field_u64(x, "excluded", &s->excluded, 0);
	fr_field_f64(x, "solver_s", &s->solver_s);
	fr_field_list(x, "why", &s->why, count);
	fr_field_list(x, "missing", &s->missing, count);
	if (x->w ? s->obstacle.n > 0 : fr_json_get(x->o, "infeasible") != NULL)
		fr_field_list(x, "infeasible", &s->obstacle, obstacle);
	s->stats.known = x->w ? s->stats.known : fr_json_get(x->o, "stats") != NULL;
	if (s->stats.known)
		fr_field_object(x, "stats", stats, &s->stats);
}

static void control(struct fr_json_fields *x, struct fr_findings *f)
{
	fr_field_u64(x, "runs", &f->control_runs, 0);
	if (x->w && f->control_runs)
		fr_jw_pair_bool(x->w, "repeated", !f->control_reason);
	fr_field_str(x, "reason", &f->control_reason, FR_FIELD_NULL);
	fr_field_bool(x, "serial", &f->serial, 0);
	fr_field_bool(x, "box", &f->boxed, FR_FIELD_NEW);
}

/* `replay --expect fixed` passes these options to `forerun run`: allow no other option. */
static void check_named(struct fr_json_fields *x, const struct fr_finding_words *v)
{
	FR_VEC_FOREACH (s, v)
		if (strncmp(*s, "--atomic=", 9) != 0 && strncmp(*s, "--atomic-set=", 13) != 0 &&
		    strncmp(*s, "--pattern=", 10) != 0 && strncmp(*s, "--spec=", 7) != 0)
			fr_json_bad(&x->in, fr_json_get(x->o, "named"), "named");
}

static void run(struct fr_json_fields *x, struct fr_findings *f)
{
	fr_field_str(x, "program", &f->program, 0);
	fr_field_strings(x, "args", &f->args);
	if (x->w || fr_json_get(x->o, "named")) /* absent in old files */
		fr_field_strings(x, "named", &f->named);
	check_named(x, &f->named);
	fr_field_int_or(x, "exit", &f->exit, -1);
	fr_field_int_or(x, "signal", &f->signal, 0);
	fr_field_bool(x, "imported", &f->imported, 0);
	fr_field_u64(x, "threads", &f->threads, 0);
	fr_field_u64(x, "events", &f->events, 0);
	fr_field_f64(x, "record_s", &f->record_s);
	fr_field_f64(x, "predict_s", &f->predict_s);
	fr_field_f64(x, "confirm_s", &f->confirm_s);
	fr_field_u64(x, "confirm_runs", &f->confirm_runs, FR_FIELD_NEW);
	fr_field_u64(x, "confirm_saved", &f->confirm_saved, FR_FIELD_NEW);
	if (x->w || fr_json_get(x->o, "control")) /* absent in old files */
		fr_field_object(x, "control", control, f);
}

static void all_but_findings(struct fr_json_fields *x, struct fr_findings *f)
{
	fr_field_str(x, "forerun", &f->version, 0);
	fr_field_object(x, "run", run, f);
	fr_field_object(x, "summary", summary, f);
}

/* ---- writing ---- */

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

/* Not read again: it follows from the findings. */
static void listed_under(struct fr_jw *w, const struct fr_findings *f, const struct fr_finding *x)
{
	FR_VEC_FOREACH (of, &f->finding)
		if (fr_finding_under(x, of)) {
			fr_jw_pair_u64(w, "listed_under", of->id);
			return;
		}
}

int fr_findings_json(const struct fr_findings *f, bool all, int fd, struct fr_buf *out)
{
	struct fr_jw w = {.out = out};
	struct fr_json_fields x = {.w = &w};
	int r = 0;

	fr_jw_open(&w, '{');
	all_but_findings(&x, (struct fr_findings *)f); /* changes nothing while it writes */
	fr_jw_key(&w, "findings");
	fr_jw_open(&w, '[');
	for (size_t i = 0; i < f->finding.n && !r; i++) {
		if (all || !fr_finding_folded(&f->finding.v[i])) {
			fr_jw_open(&w, '{');
			finding(&x, &f->finding.v[i]);
			listed_under(&w, f, &f->finding.v[i]);
			fr_jw_close(&w, '}');
		}
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

/* ---- reading ---- */

static const char *keep(void *f, const char *s)
{
	return fr_findings_str(f, s);
}

int fr_findings_read(const char *dir, struct fr_findings *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json", dir);
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	FR_CLEANUP(fr_json_freep) struct fr_json *j = NULL;
	struct fr_json_fields x = {.in = {.name = path, .err = reterr}, .keep = keep, .arg = &f};
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
	x.o = j;
	all_but_findings(&x, &f);
	fr_field_list(&x, "findings", &f.finding, finding);
	if (x.in.r)
		return x.in.r;
	*ret = f;
	f = (struct fr_findings){0};
	return 0;
}
