/*
 * forerun confirm: re-executes the program under each predicted schedule, and stores the verdict
 * and harm of each finding. The work is in src/confirm (confirm.h).
 */
#include "cmd/cmd_confirm.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/opt.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "base/interrupt.h"
#include "record/folder.h"
#include "cmd/show.h"
#include "cmd/trust.h"
#include "cmd/predict_opt.h"
#include "cmd/watch.h"
#include "confirm/confirm.h"
#include "predict/ask_again.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_JOBS 1024
#define SAVE_S 0.2 /* seconds between two saves of the verdicts */
/* A controlled program is slower, and one that hangs must not take long. */
#define LIMIT_S 10
#define LIMIT_TIMES 20

static struct fr_show show = FR_SHOW_DEFAULTS;
static struct fr_confirm_opt opt = {.relax = FR_RELAX_DEFAULT};
static uint64_t jobs, only;

static const struct fr_opt options[] = {
    {FR_OPT_U64, 'j', "jobs", "N", "number of executions at a time (default: number of cores)",
     &jobs},
    {FR_OPT_SECONDS, 't', "time-limit", "S",
     "seconds for one execution (default: 10 plus 20 times the time of "
     "the recorded run)",
     &opt.limit},
    FR_OPT_OUTSIDE(&opt.outside),
    FR_OPT_NO_BOX(&opt.no_box),
    {FR_OPT_U64, 0, "only", "ID", "confirm only the finding with this number", &only},
    {FR_OPT_FLAG, 0, "alone", NULL,
     "run each schedule in an execution of its own; otherwise findings "
     "that do not interfere share one",
     &opt.alone},
    {FR_OPT_FLAG, 0, "exact", NULL,
     "refute a finding as soon as the program leaves the hooks of its "
     "schedule, instead of following the schedule by place",
     &opt.exact},
    FR_OPT_FORMAT(show),
    FR_OPT_SHOW_ALL(show),
    FR_OPT_FAIL_ON(show, ""),
    FR_OPT_TRUST(&opt.trust),
    {0},
};

/* ---- the work ---- */

/* Disk space reserved for the findings with their verdicts, until it is needed. */
struct room {
	int fd; /* -1 = none available */
};

static void make_room(const char *dir, struct room *room)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json", dir);
	struct stat st;

	fr_closep(&room->fd);
	if (fr_dir_stat(path, &st) < 0)
		return;
	room->fd = fr_io_reserve(dir, 2 * (uint64_t)st.st_size + (64 << 10));
	if (room->fd < 0)
		room->fd = fr_io_reserve(dir, (uint64_t)st.st_size + (16 << 10));
}

static int save(const char *dir, struct fr_confirm *c, double began, struct room *room,
		struct fr_err *err)
{
	bool had_room = room->fd >= 0;
	struct fr_dir_new new;
	int r;

	fr_assert(c->f && c->prover);
	pthread_mutex_lock(&c->lock);
	c->f->confirm_s = fr_now_s() - began;
	c->f->confirm_runs = c->prover->runs;
	c->f->confirm_saved = c->shared > c->together ? c->shared - c->together : 0;
	r = fr_findings_write(dir, c->f, &new, err);
	if (r < 0 && had_room) { /* the disk is full: use the reserved space */
		fr_closep(&room->fd);
		r = fr_findings_write(dir, c->f, &new, err);
	}
	pthread_mutex_unlock(&c->lock);
	if (!r)
		r = fr_findings_publish(dir, &new, err);
	if (had_room && room->fd < 0)
		make_room(dir, room);
	return r;
}

static void say_missing(void *dir)
{
	fr_say("out of memory: '%s/findings.json' contains only the verdicts saved before; run "
	       "'forerun confirm --jobs 1 %s', which needs less memory",
	       (const char *)dir, (const char *)dir);
}

static void work(const char *dir, struct fr_confirm *c, double began, struct room *room)
{
	struct fr_progress progress = {0};
	size_t saved = 0;
	double last = 0;
	struct fr_err err;

	fr_confirm_start(c);
	while (!fr_crew_wait(&c->crew, 50)) {
		double now = fr_now_s();
		char what[64];

		snprintf(what, sizeof(what), "%u confirmed; schedules run", (unsigned)c->confirmed);
		fr_progress_step(&progress, what, c->crew.done, c->crew.total);
		/* An error would occur again at the end, and is reported then. */
		if (c->crew.done != saved && now - last > SAVE_S) {
			saved = c->crew.done;
			save(dir, c, began, room, &err);
			last = fr_now_s();
		}
	}
	fr_progress_end(&progress);
	fr_confirm_finish(c);
}

static void say_counts(const struct fr_findings *f, double seconds)
{
	size_t n[FR_VERDICT_COUNT] = {0}, all = 0;

	FR_VEC_FOREACH (x, &f->finding) {
		fr_assert(x->interleaving.n && x->interleaving.v[0].verdict < FR_VERDICT_COUNT);
		if (!fr_finding_left_out(x)) {
			n[x->interleaving.v[0].verdict]++;
			all++;
		}
	}
	fr_say("confirmed %zu of %zu finding%s in %.2f s (%zu refuted, %zu unknown, %zu not "
	       "tried)",
	       n[FR_VERDICT_CONFIRMED], all, fr_plural(all), seconds, n[FR_VERDICT_REFUTED],
	       n[FR_VERDICT_UNKNOWN], n[FR_VERDICT_PREDICTED]);
	if (f->control_reason)
		fr_say("the control did not repeat the recorded run, and no finding is blamed "
		       "for that: %s",
		       f->control_reason);
	if (f->confirm_saved)
		fr_say("%llu executions; sharing saved %llu", (unsigned long long)f->confirm_runs,
		       (unsigned long long)f->confirm_saved);
}

/* The program cannot be run: stores the reason in the findings. An imported trace is no error. */
static int cannot(const char *dir, struct fr_findings *f, int r, struct fr_err *err)
{
	struct fr_dir_new new;
	struct fr_err e;

	fr_assert(r < 0);
	fr_say("%s", err->msg);
	if (r == -ECANCELED) { /* the user does not trust the folder: leave it as it is */
		fr_findings_free(f);
		*f = (struct fr_findings){0};
		return FR_EXIT_FAILED;
	}
	fr_confirm_none(f, err->msg);
	if (fr_findings_write(dir, f, &new, &e) < 0 || fr_findings_publish(dir, &new, &e) < 0) {
		fr_say("%s", e.msg);
		return FR_EXIT_FAILED;
	}
	return r == -ENOTSUP ? FR_EXIT_OK : FR_EXIT_FAILED;
}

/* Is there a finding that a re-execution can confirm or explain? */
static bool has_work(const struct fr_findings *f)
{
	FR_VEC_FOREACH (x, &f->finding)
		if (!fr_finding_recorded_failure(x))
			return true;
	return false;
}

static bool has_finding(const struct fr_findings *f, uint32_t id)
{
	FR_VEC_FOREACH (x, &f->finding)
		if (x->id == id)
			return true;
	return false;
}

/* Reads the findings, unless the caller has them. only: the id of one that must exist, or 0.
   Returns an exit status, after a message if not FR_EXIT_OK. */
static int read_findings(const char *dir, uint32_t only, struct fr_findings *ret)
{
	struct fr_err err;

	if (!ret->version && fr_findings_read(dir, ret, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	if (only && !has_finding(ret, only)) {
		fr_say("no finding %u in '%s'", only, dir);
		return FR_EXIT_USAGE;
	}
	return FR_EXIT_OK;
}

/* Warns about differences between the re-executions and the recorded run. */
static void warn(const struct fr_prover *p, bool no_box)
{
	if (!p->start.fixed)
		fr_say("warning: cannot switch off address randomisation");
	if (p->world.reason && !no_box)
		fr_say("warning: re-executions run without a box, one at a time, in the world as "
		       "it is "
		       "now: %s",
		       p->world.reason);
	if (p->world.no_ghosts && !no_box)
		fr_say("warning: forerun cannot simulate the clients and servers of the recorded "
		       "run (%s); findings that need them stay unknown",
		       p->world.no_ghosts);
}

/* Says how the confirmation ended. saved: 0, or -errno with the reason in err. Returns an exit
   status. */
static int say_end(const char *dir, const struct fr_confirm *c, int saved, const struct fr_err *err)
{
	fr_assert(saved <= 0);
	say_counts(c->f, c->f->confirm_s);
	if (saved < 0)
		fr_say("%s: '%s/findings.json' contains only the verdicts saved before", err->msg,
		       dir);
	if (c->errors)
		fr_say("%u schedule%s could not be run: %s", c->errors, fr_plural(c->errors),
		       c->err.msg);
	if (fr_interrupted) {
		fr_say("interrupted: the verdicts so far are saved in '%s'", dir);
		return 128 + fr_interrupted;
	}
	return saved < 0 || c->errors ? FR_EXIT_FAILED : FR_EXIT_OK;
}

int fr_confirm_folder(const char *dir, const struct fr_confirm_opt *o, struct fr_analysis *run,
		      struct fr_findings *ret)
{
	double began = fr_now_s();
	FR_CLEANUP(fr_prover_close) struct fr_prover p = {.model = fr_steal(run->m)};
	FR_CLEANUP(fr_pure_freep) struct fr_pure *pure = NULL;
	FR_CLEANUP(fr_again_free)
	struct fr_again again = {.relax = o->relax, .lock = PTHREAD_MUTEX_INITIALIZER, .run = *run};
	FR_CLEANUP(fr_watched_properties_free)
	struct fr_watched_properties watched = {.dir = dir, .lock = PTHREAD_MUTEX_INITIALIZER};
	struct fr_confirm c = {.prover = &p,
			       .f = ret,
			       .only = o->only,
			       .alone = o->alone,
			       .exact = o->exact,
			       .limit = o->limit,
			       .stop = &fr_interrupt_stop};
	void (*old_xfsz)(int);
	struct room room = {-1};
	struct fr_err err;
	int r;

	*run = (struct fr_analysis){0};
	r = fr_folder_use(dir, true);
	if (r != FR_EXIT_OK)
		return r;
	r = read_findings(dir, o->only, ret);
	if (r != FR_EXIT_OK)
		return r;
	if (!has_work(ret)) {
		say_counts(ret, 0);
		return FR_EXIT_OK;
	}
	if (fr_predict_pure(o->pure, &pure, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	again.pure = pure;
	r = fr_prover_open(&p, dir, fr_trust_ask, o->trust, !o->no_box, &err);
	if (r < 0)
		return cannot(dir, ret, r, &err);
	warn(&p, o->no_box);
	p.patience = o->outside;
	p.again = (struct fr_prover_again){fr_again_ask, fr_again_describe, &again};
	fr_watch_by(&p, &watched);
	c.jobs = o->jobs ? o->jobs : fr_crew_cores();
	if (c.limit <= 0)
		c.limit = LIMIT_S + LIMIT_TIMES * p.trace->run.record_s;
	fr_assert(c.jobs && c.limit > 0);
	fr_interrupt_catch();
	fr_mem_on_exhaustion(say_missing, (void *)dir);
	old_xfsz = signal(SIGXFSZ, SIG_IGN);
	make_room(dir, &room);
	work(dir, &c, began, &room);
	r = save(dir, &c, began, &room, &err);
	fr_mem_on_exhaustion(NULL, NULL);
	fr_closep(&room.fd);
	signal(SIGXFSZ, old_xfsz);
	return say_end(dir, &c, r, &err);
}

/* ---- the command ---- */

static int confirm(const char *dir)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	struct fr_analysis run = {0};
	int status = fr_confirm_folder(dir, &opt, &run, &f), shown;

	if (status == FR_EXIT_USAGE || !f.version)
		return status;
	show.dir = dir;
	shown = fr_show_findings(&show, &f);
	if (status != FR_EXIT_OK || shown != FR_EXIT_OK)
		return status != FR_EXIT_OK ? status : shown;
	return fr_show_fails(&show, &f) ? FR_EXIT_FOUND : FR_EXIT_OK;
}

static int cmd_confirm(int argc, char **argv)
{
	FR_CLEANUP(fr_freep) char *dir = NULL;
	int status;

	signal(SIGPIPE, SIG_IGN);
	if (argc > 1)
		return fr_cmd_usage(&fr_cmd_confirm, "more than one run folder");
	if (jobs > MAX_JOBS || only > UINT32_MAX)
		return fr_cmd_usage(&fr_cmd_confirm, jobs > MAX_JOBS
							 ? "--jobs: at most 1024"
							 : "--only: no finding has this number");
	opt.jobs = (uint32_t)jobs;
	opt.only = (uint32_t)only;
	status = fr_show_folder(argc ? argv[0] : NULL, &dir);
	return status == FR_EXIT_OK ? confirm(dir) : status;
}

const struct fr_cmd fr_cmd_confirm = {
    .name = "confirm",
    .summary = "run the program under each predicted schedule",
    .usage = "forerun confirm [options] [DIR]",
    .run = cmd_confirm,
    .options = options,
    .details = "DIR is a run folder with findings (default: the newest one in forerun.d).\n"
	       "forerun prints the verdicts and saves them in findings.json of the folder.\n",
};
