/*
 * forerun run: record, predict, confirm and report, each step with a line on standard error.
 *
 * Recording runs in a separate process, because it changes signals and terminals. Prediction loads
 * the model of the run, and confirmation uses the same model.
 */
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "cmd/cmd_confirm.h"
#include "record/folder.h"
#include "cmd/cmd_predict.h"
#include "cmd/cmd_record.h"
#include "cmd/show.h"
#include "findings/merged.h"
#include "report/text.h"
#include "trace/run_info.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_RUNS 1000

static const char *out, *json, *order, *expect_exit;
static struct fr_show show = FR_SHOW_DEFAULTS;
static struct fr_confirm_opt confirm_opt;
static struct fr_predict_args args = {.tier = FR_TIER_CHOICE(FR_TIER_HYBRID),
				      .relax = FR_RELAX_DEFAULT};
static struct fr_opt_list tuning;
static uint64_t runs = 1;
static struct fr_service_end service;

static const struct fr_opt options[] = {
    {FR_OPT_STRING, 'o', "output", "DIR",
     "run folder (default: forerun.d/PROG.N); with --runs: DIR.1, DIR.2, "
     "...",
     &out},
    {FR_OPT_STRING, 0, "json", "FILE",
     "also write the findings to FILE as JSON; - is standard output", &json},
    {FR_OPT_U64, 'n', "runs", "N", "record N runs and report the bugs of all of them (default 1)",
     &runs},
    FR_PREDICT_SELECT(args, 0),
    {FR_OPT_SECONDS, 't', "time-limit", "S",
     "seconds for one execution under a schedule (default: 10 plus 20 "
     "times the time of the recorded run)",
     &confirm_opt.limit},
    FR_OPT_OUTSIDE(&confirm_opt.outside),
    FR_OPT_NO_BOX(&confirm_opt.no_box),
    {FR_OPT_STRING, 0, "order", "ORDER",
     "fix the order of the threads (see 'forerun record --help')", &order},
    FR_OPT_SERVICE(service),
    FR_OPT_EXPECT_EXIT(&expect_exit),
    {FR_OPT_LIST, 0, "option", "KEY=VALUE",
     "set an option of the recorder (see 'forerun record --help'); may "
     "be given again",
     &tuning},
    FR_OPT_SHOW_ALL(show),
    FR_OPT_FAIL_ON(show, ""),
    {0},
};

/* ---- the steps ---- */

struct job {
	char *dir;
	const struct fr_predict_opt *predict;
	const struct fr_confirm_opt *confirm;
	char **argv; /* of the program */
	const struct fr_tuning *tuning;
	const struct fr_run_order *order;
	struct fr_findings f;
};

static void (*old_pipe)(int);

/* Records in a separate process and returns its exit status. The terminal's signals reach that
   process too, so this one ignores them and waits. */
static int record(const struct job *j)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old[2];
	int status = 0;
	pid_t pid;

	fr_assert(j->dir && j->argv && j->argv[0]);
	fflush(NULL);
	sigaction(SIGINT, &ignore, &old[0]);
	sigaction(SIGQUIT, &ignore, &old[1]);
	pid = fork();
	if (!pid) {
		sigaction(SIGINT, &old[0], NULL);
		sigaction(SIGQUIT, &old[1], NULL);
		signal(SIGPIPE, old_pipe);
		status = fr_record_into(j->dir, j->argv, j->tuning, j->order);
		fflush(NULL);
		_exit(status);
	}
	if (pid < 0) {
		fr_say("cannot start a process: %s", strerror(errno));
		status = FR_EXIT_FAILED;
	} else {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	sigaction(SIGINT, &old[0], NULL);
	sigaction(SIGQUIT, &old[1], NULL);
	return status;
}

/* Leaves no findings in j if it fails: the later steps are missing. */
static int predict(struct job *j, struct fr_analysis *ret_run)
{
	int status = fr_predict_folder(j->dir, j->predict, &j->f, ret_run);

	if (j->f.version)
		fr_predict_print_line(&j->f);
	if (status != FR_EXIT_OK)
		fr_findings_free(&j->f);
	return status;
}

/* Was anything recorded? The exit status of the step is the program's, so it does not tell. */
static bool recorded(const struct job *j)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/run.json", j->dir);
	struct fr_run run;
	bool any;

	if (fr_run_read(path, &run, NULL) < 0)
		return false;
	any = run.events > 0;
	fr_run_clear(&run);
	return any;
}

/* Confirms, and numbers the findings in the order of the report: no user has seen a number yet. */
static int confirm(struct job *j, struct fr_analysis *run)
{
	int status = fr_confirm_folder(j->dir, j->confirm, run, &j->f);
	struct fr_err err;

	if (j->f.version && fr_ranked_number(j->dir, &j->f, &err) < 0) {
		fr_say("%s", err.msg);
		status = FR_EXIT_FAILED;
	}
	return status;
}

/* One recording with all following steps. */
static int one(struct job *j)
{
	struct fr_analysis run = {0};
	int status;

	fr_assert(!j->f.version && j->predict && j->confirm);
	status = record(j);
	if (!recorded(j))
		return status == FR_EXIT_USAGE ? status : FR_EXIT_FAILED;
	status = fr_folder_use(j->dir, true);
	if (status == FR_EXIT_OK)
		status = predict(j, &run);
	return status == FR_EXIT_OK ? confirm(j, &run) : status;
}

/* ---- findings of all runs ---- */

static int write_json(const struct fr_findings *f)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct fr_err err;
	int r;

	fr_assert(json);
	fr_findings_json(f, show.all, -1, &b);
	if (!strcmp(json, "-"))
		r = fr_io_write_all(STDOUT_FILENO, b.s, b.n, NULL);
	else
		r = fr_output_write(json, b.s, b.n, &err);
	if (r < 0 && strcmp(json, "-") != 0)
		fr_say("%s", err.msg);
	return r < 0 ? FR_EXIT_FAILED : FR_EXIT_OK;
}

static int show_merged(struct job *jobs, uint64_t n)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct fr_findings f;
	struct fr_merged m = {0};
	int status = FR_EXIT_OK;
	struct fr_hidden hidden;

	fr_assert(n && n <= runs);
	for (uint64_t i = 0; i < n; i++)
		fr_merged_add(&m, jobs[i].dir, &jobs[i].f, n);
	hidden = fr_show_items(m.item.v, m.item.n, show.all, &b);
	fr_show_hidden(hidden, &b);
	if (hidden.harmless == m.item.n)
		fr_buf_printf(&b, "no bug was found in %llu run%s\n", (unsigned long long)n,
			      fr_plural(n));
	for (uint64_t i = 0; args.stats && i < n; i++) {
		fr_buf_printf(&b, "prediction in %s:\n", jobs[i].dir);
		fr_text_stats(&b, &jobs[i].f);
	}
	fr_merged_findings(&m, &jobs[0].f, &f);
	if (!json || strcmp(json, "-") != 0)
		fr_io_write_all(STDOUT_FILENO, b.s ? b.s : "", b.n, NULL);
	if (json)
		status = write_json(&f);
	if (status == FR_EXIT_OK && fr_show_fails(&show, &f))
		status = FR_EXIT_FOUND;
	fr_merged_free(&m, &f);
	return status;
}

static int show_one(struct job *j)
{
	int status = FR_EXIT_OK;

	show.dir = j->dir;
	show.stats = args.stats;
	if (!json || strcmp(json, "-") != 0)
		status = fr_show_findings(&show, &j->f);
	if (json && write_json(&j->f) != FR_EXIT_OK)
		status = FR_EXIT_FAILED;
	return status == FR_EXIT_OK && fr_show_fails(&show, &j->f) ? FR_EXIT_FOUND : status;
}

/* ---- the command ---- */

static int make_folder(struct job *j, uint64_t i)
{
	FR_CLEANUP(fr_freep)
	char *name =
	    out && runs > 1 ? fr_xasprintf("%s.%llu", out, (unsigned long long)i + 1) : NULL;
	struct fr_err err;
	int r = fr_folder_make(name ? name : out, j->argv[0], &j->dir, &err);

	if (!r)
		return FR_EXIT_OK;
	fr_say("%s", err.msg);
	return r == -EEXIST || r == -EINVAL ? FR_EXIT_USAGE : FR_EXIT_FAILED;
}

/* Does all runs. `each` holds their common options. */
static int run_all(const struct job *each)
{
	struct job *jobs = fr_xcalloc(runs, sizeof(*jobs));
	int status = FR_EXIT_OK, shown;
	uint64_t done = 0;

	fr_assert(runs && runs <= MAX_RUNS && !each->dir);
	for (uint64_t i = 0; i < runs && status == FR_EXIT_OK; i++) {
		jobs[i] = *each;
		status = make_folder(&jobs[i], i);
		if (status == FR_EXIT_OK && runs > 1)
			fr_say("run %llu of %llu, in %s", (unsigned long long)i + 1,
			       (unsigned long long)runs, jobs[i].dir);
		if (status == FR_EXIT_OK) {
			status = one(&jobs[i]);
			fr_dir_leave(jobs[i].dir);
		}
		done += jobs[i].f.version != 0;
	}
	if (done) { /* show the results so far, even after a failure or an interrupt */
		shown = runs > 1 ? show_merged(jobs, done) : show_one(&jobs[0]);
		status = status == FR_EXIT_OK ? shown : status;
	}
	for (uint64_t i = 0; i < runs; i++) {
		fr_findings_free(&jobs[i].f);
		free(jobs[i].dir);
	}
	free(jobs);
	return status;
}

static int cmd_run(int argc, char **argv)
{
	FR_CLEANUP(fr_freep) char *path = NULL;
	FR_CLEANUP(fr_predict_opt_free) struct fr_predict_opt p = {0};
	FR_CLEANUP(fr_run_order_free) struct fr_run_order turns = {0};
	struct fr_tuning t;
	struct fr_err err;
	bool script;
	int status;

	if (!argc)
		return fr_cmd_usage(&fr_cmd_run, "no program given");
	if (!runs || runs > MAX_RUNS)
		return fr_cmd_usage(&fr_cmd_run, "--runs: expected a number from 1 to 1000");
	if (fr_tuning_parse(&tuning, &t, &err) < 0 || fr_run_order_parse(order, &turns, &err) < 0 ||
	    fr_tuning_expect_exit(expect_exit, &t, &err) < 0)
		return fr_cmd_usage(&fr_cmd_run, err.msg);
	t.end = service;
	if (fr_predict_opt_read(&fr_cmd_run, &args, &p) != FR_EXIT_OK)
		return FR_EXIT_USAGE;
	if (fr_record_check(argv[0], &path, &script) < 0)
		return FR_EXIT_USAGE;
	old_pipe = signal(SIGPIPE, SIG_IGN);
	confirm_opt.relax = p.oracle.relax;
	confirm_opt.pure = &args.pure;
	status = run_all(&(struct job){
	    .argv = argv, .tuning = &t, .order = &turns, .predict = &p, .confirm = &confirm_opt});
	if (status == FR_EXIT_FAILED || status > 128)
		fr_predict_leave(status);
	return status;
}

const struct fr_cmd fr_cmd_run = {
    .name = "run",
    .summary = "record a program, predict, confirm and report its bugs",
    .usage = "forerun run [options] [--] PROG [ARGS]",
    .run = cmd_run,
    .options = options,
    .ends_with_program = true,
    .more_help = fr_predict_kinds_help,
    .details = "Exit status: 0 nothing found, 1 a bug was confirmed, 2 usage error, 3 forerun\n"
	       "failed. run.json in the run folder contains the exit status of the program.\n"
	       "Ctrl-C during the recording ends the program; forerun continues with the\n"
	       "events recorded so far.\n",
};
