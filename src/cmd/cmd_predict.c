/*
 * forerun predict: finds bugs that did not happen in a recorded run, each with a schedule that the
 * checker accepted. Reads the run folder, writes the findings into it and prints them. The work is
 * in src/predict (predict.h).
 */
#include "predict/predict.h"
#include "generate/named.h"
#include "base/opt.h"
#include "cmd/cmd.h"
#include "record/folder.h"
#include "base/interrupt.h"
#include "cmd/predict_opt.h"
#include "cmd/show.h"
#include "report/text.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- reading the run, with progress ---- */

struct prepare {
	const char *dir;
	const struct fr_generator *const *kinds;
	struct fr_model *m;
	struct fr_causality *c;
	struct fr_work *w;
	struct fr_keeper *k;
	struct fr_load_progress read;
	_Atomic bool has_read;
	struct fr_err err;
	int r;
};

static bool no_memory(void *arg)
{
	(void)arg;
	fr_say("out of memory before the first candidate was checked: no prediction was made; "
	       "fewer --kinds need less memory");
	return false;
}

static void prepare(void *arg)
{
	struct prepare *p = arg;

	p->r = fr_model_load_watched(p->dir, &p->read, &p->m, &p->err);
	if (p->r < 0)
		return;
	p->has_read = true;
	p->c = fr_causality_new(p->m);
	p->w->m = p->m;
	p->w->c = p->c;
	p->w->guess = !fr_predict_opt.tier_given && p->m->trace && !p->m->trace->run.imported;
	fr_work_generate(p->w, p->kinds);
}

static void show_progress(struct prepare *p, struct fr_progress *progress, double seconds)
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

/* Prepares on another thread while this one shows progress. */
static void prepare_with_progress(struct prepare *p)
{
	struct fr_progress progress = {0};
	uint64_t start = fr_now_ns();
	struct fr_crew crew = {.total = 1};

	if (!isatty(STDERR_FILENO) || !fr_crew_start(&crew, 1, prepare, p)) {
		prepare(p);
		return;
	}
	while (!fr_crew_wait(&crew, 100))
		show_progress(p, &progress, (double)(fr_now_ns() - start) / 1e9);
	fr_crew_join(&crew);
	fr_progress_end(&progress);
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
			    .all = fr_predict_opt.all};
	int r = 0;

	for (size_t i = 0; i < f->finding.n && !r; i++) {
		fr_text_finding(&t, &f->finding.v[i]);
		r = flush_part(b);
	}
	fr_text_summary(&t, f);
	return r ? r : flush_part(b);
}

static void one_line(const struct fr_findings *f)
{
	const struct fr_summary *s = &f->summary;
	char n[32];

	fr_say("predicted %zu bug%s out of %s candidate%s in %.2f s%s%s", f->finding.n,
	       fr_plural(f->finding.n), fr_term_number(s->candidates, n), fr_plural(s->candidates),
	       f->predict_s,
	       s->complete ? "" : "; not finished: ", s->complete || !s->reason ? "" : s->reason);
}

/* Prints to standard output as the options say. Returns an exit status. */
static int print(const char *dir, const struct fr_findings *f)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	int r = 0;

	if (fr_predict_opt.quiet)
		one_line(f);
	else if (fr_predict_opt.json)
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

static int predict(const char *dir)
{
	struct fr_work w = {.opt = fr_predict_opt.oracle,
			    .total = fr_predict_opt.total,
			    .threads = fr_predict_opt.jobs,
			    .began = (double)fr_now_ns() / 1e9,
			    .all = fr_predict_opt.all,
			    .what = fr_predict_opt.what};
	struct fr_keeper k = {.dir = dir, .w = &w, .words = &fr_predict_words};
	struct prepare p = {.dir = dir, .kinds = fr_predict_opt.kinds, .w = &w, .k = &k};
	struct fr_findings f = {0};
	const char *reason;
	struct fr_err err;
	int r, status;

	fr_mem_on_exhaustion(no_memory, NULL);
	prepare_with_progress(&p);
	if (p.r < 0) {
		fr_say("%s", p.err.msg);
		return FR_EXIT_FAILED;
	}
	say_unmatched(&w);
	reason = fr_ask_all(&w, &k);
	r = fr_ask_save(&k, reason, &f, &err);
	if (r < 0)
		fr_say("%s", err.msg);
	status = print(dir, &f);
	if (w.stop) {
		fr_say("%s: the findings so far (%zu) are saved in '%s'",
		       w.exhausted ? "out of memory" : "interrupted", f.finding.n, dir);
		fflush(NULL);
		/* threads still exist */
		_exit(r < 0 || w.exhausted ? FR_EXIT_FAILED : 128 + fr_interrupted);
	}
	if (status == FR_EXIT_OK && fr_predict_opt.fail_on_predicted && f.finding.n)
		status = FR_EXIT_FOUND;
	fr_findings_free(&f);
	fr_keeper_free(&k);
	fr_work_free(&w);
	fr_causality_free(p.c);
	fr_model_free(p.m);
	return r < 0 ? FR_EXIT_FAILED : status;
}

static int cmd_predict(int argc, char **argv)
{
	FR_CLEANUP(fr_freep) char *dir = NULL;
	struct fr_err err;
	bool help = false;
	int status;

	signal(SIGPIPE, SIG_IGN);
	if (fr_opt_parse(fr_predict_options, argc, argv, false, &argc, &argv, &help, &err) < 0)
		return fr_cmd_usage(&fr_cmd_predict, err.msg);
	if (help) {
		fr_cmd_help(&fr_cmd_predict);
		return FR_EXIT_OK;
	}
	if (argc > 1)
		return fr_cmd_usage(&fr_cmd_predict, "more than one run folder");
	if (fr_predict_opt_patterns(&err) < 0) {
		/* in the format of compilers, so that editors can jump to the place */
		fr_say_bare(err.msg);
		return FR_EXIT_USAGE;
	}
	if (fr_predict_opt_check(&err) < 0)
		return fr_cmd_usage(&fr_cmd_predict, err.msg);
	status = fr_show_folder(argc ? argv[0] : NULL, &dir);
	if (status == FR_EXIT_OK)
		status = fr_folder_use(dir, true);
	if (status == FR_EXIT_OK)
		status = predict(dir);
	fr_predict_opt_free();
	return status;
}

const struct fr_cmd fr_cmd_predict = {
    .name = "predict",
    .summary = "find the bugs that other interleavings of a run would hit",
    .usage = "forerun predict [options] [DIR]",
    .run = cmd_predict,
    .options = fr_predict_options,
    .more_help = fr_predict_kinds_help,
    .details = "DIR is a run folder (default: the newest one in forerun.d). forerun prints the\n"
	       "findings and saves them in the folder: findings.json, and a schedule for each.\n",
};
