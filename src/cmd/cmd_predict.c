/*
 * forerun predict: finds bugs that did not happen in a recorded run, each with a schedule that the
 * checker accepted. Reads the run folder, writes the findings into it and prints them. The work is
 * in src/predict (predict.h).
 */
#include "cmd/cmd_predict.h"
#include "generate/named_call.h"
#include "cmd/spec_path.h"
#include "spec/occurrence.h"
#include "base/assert.h"
#include "base/opt.h"
#include "cmd/cmd.h"
#include "record/folder.h"
#include "base/interrupt.h"
#include "cmd/show.h"
#include "predict/watch_properties.h"
#include "report/text.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct fr_predict_args args = {.tier = FR_TIER_NO_CHOICE, .relax = FR_RELAX_DEFAULT};
static struct fr_show show = FR_SHOW_DEFAULTS;
static bool quiet;

static const struct fr_opt options[] = {
    FR_PREDICT_SELECT(args, 't'),
    {FR_OPT_STRING, 0, "solver", "NAME", "solver: " FR_PREDICT_SOLVERS, &args.solver},
    {FR_OPT_STRING, 'b', "budget", "S[,TOTAL]",
     "seconds for each candidate (default 5) and for all of them "
     "(default 300)",
     &args.budget},
    {FR_OPT_U64, 'j', "jobs", "N", "number of threads (default: number of cores)", &args.jobs},
    FR_OPT_FORMAT(show),
    FR_OPT_FAIL_ON(show, "; only forerun confirm confirms"),
    {FR_OPT_FLAG, 'a', "all", NULL, "search for every interleaving of each bug, not only one",
     &args.all},
    {FR_OPT_FLAG, 'q', "quiet", NULL, "print one line on standard error instead of the findings",
     &quiet},
    {0},
};

/* ---- reading the run, with progress ---- */

struct prediction {
	const char *dir;
	const struct fr_predict_opt *o;
	const struct fr_generator **kinds; /* those of o, then those of attributes, then NULL */
	struct fr_analysis a;
	struct fr_work w;
	struct fr_predict_saver k;
	struct fr_crew crew; /* one thread, which prepares the work */
	struct fr_load_progress read;
	_Atomic bool has_read;
	struct fr_err err;
	int r;
};

static void no_memory(void *arg)
{
	(void)arg;
	fr_say("out of memory before the first candidate was checked: no prediction was made; "
	       "fewer --kinds need less memory");
}

/* Sets p->kinds, when the run has been read. */
static void choose_kinds(struct prediction *p)
{
	struct fr_property_kinds none = {0}, *more = p->o->attributes ? p->o->attributes : &none;
	size_t n = 0;

	if (p->o->attributes && p->a.m->trace)
		fr_property_kinds_of_attributes(p->a.m->trace->sites, more);
	while (p->o->kinds[n])
		n++;
	p->kinds = fr_xcalloc(n + fr_property_kinds_generators(more, NULL) + 1, sizeof(*p->kinds));
	memcpy(p->kinds, p->o->kinds, n * sizeof(*p->kinds));
	fr_property_kinds_generators(more, p->kinds + n);
}

static void prepare(void *arg)
{
	struct prediction *p = arg;

	p->r = fr_analysis_load(&p->a, p->dir, &p->read, &p->err);
	if (p->r < 0)
		return;
	p->has_read = true;
	fr_work_prepare(&p->w, &p->a, !p->o->tier_given, p->o->pure);
	choose_kinds(p);
	fr_work_generate(&p->w, p->kinds);
}

static void show_progress(struct prediction *p, struct fr_progress *progress, double seconds)
{
	uint64_t done = p->read.done, total = p->read.total;
	char what[64];

	if (p->has_read) {
		fr_progress_step(progress, "looking for candidates; seconds", (uint64_t)seconds, 0);
		return;
	}
	/* Assumes the same time for each remaining event. Predicts nothing beyond the reading. */
	snprintf(what, sizeof(what), "about %.0f s left; events read",
		 done ? seconds / (double)done * (double)(total - fr_min(done, total)) : 0);
	if (done)
		fr_progress_step(progress, what, done, total);
}

/* Prepares on another thread while this one shows progress. Returns 0, or -errno after a message;
   if interrupted, -EINTR, and the other thread still runs. */
static int prepare_with_progress(struct prediction *p)
{
	struct fr_progress progress = {0};
	uint64_t start = fr_now_ns();

	fr_interrupt_catch();
	fr_mem_on_exhaustion(no_memory, NULL);
	p->crew.total = 1;
	if (!fr_crew_start(&p->crew, 1, prepare, p))
		prepare(p);
	while (!fr_crew_wait(&p->crew, 100) && !fr_interrupted)
		show_progress(p, &progress, (double)(fr_now_ns() - start) / 1e9);
	fr_progress_end(&progress);
	if (fr_interrupted) {
		fr_say(
		    "interrupted before the first candidate was checked: no prediction was made");
		return -EINTR;
	}
	fr_crew_join(&p->crew);
	if (p->r < 0)
		fr_say("%s", p->err.msg);
	return p->r;
}

/* ---- predicting ---- */

/* Warns about names of the user that match nothing. */
static void say_unmatched(const struct fr_work *w)
{
	FR_VEC_FOREACH (glob, &w->what.atomic)
		if (!fr_named_fits_any(w->m, *glob))
			fr_say("--atomic: the program has no function and no file '%s'", *glob);
	FR_VEC_FOREACH (g, &w->groups)
		FR_VEC_FOREACH (name, &g->unmatched)
			fr_say("--atomic-set: no shared location named '%s' in this run", *name);
}

static const char *spec_of(const struct prediction *p, const struct fr_property *property)
{
	FR_VEC_FOREACH (s, &p->o->properties.spec)
		FR_VEC_FOREACH (q, &(*s)->property)
			if (*q == property)
				return (*s)->path;
	return "FILE";
}

/* Returns false, after a message, if a property is about calls that were not recorded. Warns about
   names of the user that no function of the program has. */
static bool has_calls(const struct prediction *p)
{
	FR_VEC_FOREACH (k, &p->o->properties.v) {
		const char *path = spec_of(p, (*k)->property), *glob;

		glob = fr_occurrences_missing(p->a.m, (*k)->property, true);
		if (glob) {
			fr_say("%s: the calls of '%s' were not recorded, because '%s' was built "
			       "without the property file; rebuild it: forerun cc --spec %s ...",
			       (*k)->generator.name, glob, p->a.m->trace->run.program, path);
			return false;
		}
		glob = fr_spec_is_ready(path)
			   ? NULL
			   : fr_occurrences_missing(p->a.m, (*k)->property, false);
		if (glob)
			fr_say("%s: '%s' has no recorded call or execution of '%s'",
			       (*k)->generator.name, p->a.m->trace->run.program, glob);
	}
	return true;
}

/* Asks the oracle, and saves. Returns an exit status, after a message if not FR_EXIT_OK. */
static int ask(struct prediction *p, struct fr_findings *ret)
{
	const char *reason;
	struct fr_err err;
	int r;

	fr_assert(p->w.m && p->w.m == p->a.m); /* prepared */
	reason = fr_ask_all(&p->w, &p->k);
	r = fr_predict_save(&p->k, true, reason, ret, &err);
	if (!r)
		r = fr_watched_properties_save(p->dir, &p->o->properties, &err);
	fr_assert(!p->w.stop || reason);
	if (r < 0)
		fr_say("%s", err.msg);
	if (p->w.stop)
		fr_say("interrupted: the findings so far (%zu) are saved in '%s'", ret->finding.n,
		       p->dir);
	if (r < 0)
		return FR_EXIT_FAILED;
	return p->w.stop ? 128 + fr_interrupted : FR_EXIT_OK;
}

static void free_prediction(struct prediction *p)
{
	fr_predict_saver_free(&p->k);
	fr_work_free(&p->w);
	fr_analysis_free(&p->a);
	free(p->kinds);
	free(p);
}

int fr_predict_folder(const char *dir, const struct fr_predict_opt *o, struct fr_findings *ret,
		      struct fr_analysis *ret_run)
{
	struct prediction *p = fr_xmalloc(sizeof(*p));
	int status = FR_EXIT_FAILED, r;

	fr_assert(o->jobs && o->kinds && !ret_run->m);
	*p = (struct prediction){.dir = dir,
				 .o = o,
				 .w = {.opt = o->oracle,
				       .total = o->total,
				       .threads = o->jobs,
				       .began = fr_now_s(),
				       .all = o->all,
				       .what = o->what},
				 .k = {.dir = dir, .w = &p->w, .args = o->args}};
	r = prepare_with_progress(p);
	if (r == -EINTR)
		return 128 + fr_interrupted;
	if (!r && !has_calls(p)) {
		status = FR_EXIT_USAGE;
	} else if (!r) {
		say_unmatched(&p->w);
		status = ask(p, ret);
	}
	if (p->w.stop)
		return status;
	fr_mem_on_exhaustion(NULL, NULL);
	if (status == FR_EXIT_OK) {
		*ret_run = p->a;
		p->a = (struct fr_analysis){0};
	}
	free_prediction(p);
	return status;
}

void fr_predict_leave(int status)
{
	fflush(NULL);
	_exit(status);
}

void fr_predict_print_line(const struct fr_findings *f)
{
	const struct fr_summary *s = &f->summary;
	size_t bugs = 0;
	char n[32];

	FR_VEC_FOREACH (x, &f->finding)
		bugs += !fr_finding_recorded_failure(x) && !fr_finding_folded(x);
	fr_assert(bugs <= f->finding.n);
	fr_say("predicted %zu bug%s out of %s candidate%s in %.2f s%s%s", bugs, fr_plural(bugs),
	       fr_term_number(s->candidates, n), fr_plural(s->candidates), f->predict_s,
	       s->complete ? "" : "; not finished: ", s->complete || !s->reason ? "" : s->reason);
}

/* ---- printing ---- */

/* Writes out one part at a time: there may be thousands of findings. */
static int flush_part(struct fr_buf *b)
{
	size_t n = fwrite(b->s, 1, b->n, stdout);
	int r = n == b->n ? 0 : -errno;

	b->n = 0;
	return r;
}

static int print_text(const char *dir, const struct fr_findings *f, struct fr_buf *b)
{
	struct fr_text t = {.out = b,
			    .dir = dir,
			    .colour = fr_term_colour(stdout),
			    .imported = f->imported,
			    .all = args.all};
	size_t hidden = 0;
	int r = 0;

	for (size_t i = 0; i < f->finding.n && !r; i++) {
		if (!args.all && fr_finding_folded(&f->finding.v[i])) {
			hidden++;
			continue;
		}
		fr_text_finding(&t, &f->finding.v[i]);
		r = flush_part(b);
	}
	fr_text_summary(&t, f);
	if (hidden)
		fr_buf_printf(
		    b, "%zu order%s of accesses that count%s only with harm: --all shows %s\n",
		    hidden, fr_plural(hidden), hidden == 1 ? "s" : "", hidden == 1 ? "it" : "them");
	if (args.stats)
		fr_text_stats(b, f);
	return r ? r : flush_part(b);
}

/* Prints to standard output as the options say. Returns an exit status. */
static int print(const char *dir, const struct fr_findings *f)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	int r = 0;

	if (quiet)
		fr_predict_print_line(f);
	else if (show.format.chosen == FR_SHOW_JSON)
		r = fr_findings_json(f, true, STDOUT_FILENO, &b);
	else
		r = print_text(dir, f, &b);
	if (!r && fflush(stdout))
		r = -errno;
	if (!r || r == -EPIPE)
		return FR_EXIT_OK;
	fr_say("cannot write the output: %s", strerror(-r));
	return FR_EXIT_FAILED;
}

static int predict(const char *dir, const struct fr_predict_opt *o)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	FR_CLEANUP(fr_analysis_free) struct fr_analysis run = {0};
	int status = fr_predict_folder(dir, o, &f, &run);
	int printed = f.version ? print(dir, &f) : FR_EXIT_OK;

	if (f.version ? status != FR_EXIT_OK : fr_interrupted)
		fr_predict_leave(status);
	if (status != FR_EXIT_OK)
		return status;
	if (printed != FR_EXIT_OK)
		return printed;
	return fr_show_fails(&show, &f) ? FR_EXIT_FOUND : FR_EXIT_OK;
}

static int cmd_predict(int argc, char **argv)
{
	FR_CLEANUP(fr_predict_opt_free) struct fr_predict_opt o = {0};
	FR_CLEANUP(fr_freep) char *dir = NULL;
	int status;

	signal(SIGPIPE, SIG_IGN);
	show.predictions = true;
	if (argc > 1)
		return fr_cmd_usage(&fr_cmd_predict, "more than one run folder");
	status = fr_predict_opt_read(&fr_cmd_predict, &args, &o);
	if (status == FR_EXIT_OK)
		status = fr_show_folder(argc ? argv[0] : NULL, &dir);
	if (status == FR_EXIT_OK)
		status = fr_folder_use(dir, true);
	if (status == FR_EXIT_OK)
		status = predict(dir, &o);
	return status;
}

const struct fr_cmd fr_cmd_predict = {
    .name = "predict",
    .summary = "find the bugs that other interleavings of a run would hit",
    .usage = "forerun predict [options] [DIR]",
    .run = cmd_predict,
    .options = options,
    .more_help = fr_predict_kinds_help,
    .details = "DIR is a run folder (default: the newest one in forerun.d). forerun prints the\n"
	       "findings and saves them in the folder: findings.json, and a schedule for each.\n",
};
