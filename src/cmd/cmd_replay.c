/*
 * forerun replay: re-executes the program under one schedule, on our own streams, and prints
 * whether the predicted bug happened. Without a finding, it replays the recorded schedule.
 */
#include "base/dir.h"
#include "base/assert.h"
#include "base/opt.h"
#include "cmd/cmd.h"
#include "cmd/cmd_confirm.h"
#include "base/interrupt.h"
#include "cmd/replay_fixed.h"
#include "record/folder.h"
#include "cmd/trust.h"
#include "cmd/watch.h"
#include "confirm/gdb.h"
#include "confirm/modules.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT_S 60
#define LIMIT_TIMES 20

static const char *const expect_words[] = {"fixed", NULL};
static struct fr_opt_choice expect = {expect_words, FR_OPT_NO_CHOICE};
static double limit, patience;
static bool gdb, verbose, trust, no_box;

static const struct fr_opt options[] = {
    {FR_OPT_SECONDS, 't', "time-limit", "S",
     "seconds for the execution (default: 60 plus 20 times the time of "
     "the recorded run)",
     &limit},
    FR_OPT_OUTSIDE(&patience),
    FR_OPT_NO_BOX(&no_box),
    {FR_OPT_FLAG, 'v', "verbose", NULL,
     "print the values at the targets, and the number of hooks that each "
     "thread executed",
     &verbose},
    {FR_OPT_FLAG, 0, "gdb", NULL, "run the program under gdb, stopped where the targets meet",
     &gdb},
    {FR_OPT_CHOICE, 0, "expect", "fixed",
     "test a repair: is the bug still there in the rebuilt program?", &expect},
    FR_OPT_TRUST(&trust),
    {0},
};

/* The thing to replay. */
struct replay_request {
	char *dir;	/* the run folder */
	char *schedule; /* path of the file; NULL = the recorded run */
	bool swapped, others;
	char *title; /* "data race on `x`" */
	char *kind;  /* kind of the finding; NULL = unknown */
	size_t events;
	bool harmless; /* confirm saw no harm, compared with controls */
	bool recorded; /* it is a bug of the recorded run, without a schedule */
};

static void what_free(struct replay_request *w)
{
	free(w->dir);
	free(w->schedule);
	free(w->title);
	free(w->kind);
}

static bool has(const char *dir, const char *name)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", dir, name);

	return fr_dir_stat(path, NULL) == 0;
}

/* Removes the last component: "a/b" -> "a", "b" -> ".". */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return fr_xstrdup(".");
	return slash == path ? fr_xstrdup("/") : fr_xstrndup(path, (size_t)(slash - path));
}

static bool number_of(const char *path, uint32_t *ret)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	uint64_t v;

	if (*name < '1' || *name > '9' || !fr_opt_u64(name, &v) || v > UINT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

/* Finds the run folder that contains `given`, and the id of the finding. */
static int find(const char *given, struct replay_request *w, uint32_t *ret_id)
{
	FR_CLEANUP(fr_freep) char *path = fr_folder_plain(given), *above = NULL;
	struct stat st;

	*ret_id = 0;
	if (has(path, "run.json")) {
		w->dir = fr_steal(path);
		return FR_EXIT_OK;
	}
	above = parent_of(path);
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode)) { /* RUN/N/schedule */
		const char *slash = strrchr(path, '/');
		FR_CLEANUP(fr_freep) char *finding = realpath(above, NULL);

		if (!finding)
			finding = fr_xstrdup("");
		w->dir = parent_of(finding);
		w->schedule = fr_xasprintf("%s/%s", finding, slash ? slash + 1 : path);
		if (!has(w->dir, "run.json") || !number_of(finding, ret_id)) {
			fr_say("'%s' is not a schedule in a run folder", given);
			return FR_EXIT_USAGE;
		}
		return FR_EXIT_OK;
	}
	if (!has(above, "run.json")) {
		fr_say("'%s' is neither a run folder nor a finding in one", given);
		return FR_EXIT_USAGE;
	}
	if (!number_of(path, ret_id)) {
		fr_say("'%s' is not a finding: give its number", given);
		return FR_EXIT_USAGE;
	}
	w->dir = fr_steal(above);
	return FR_EXIT_OK;
}

static char *title_of(const struct fr_finding *x)
{
	char *s =
	    *x->subject ? fr_xasprintf("%s on `%s`", x->kind, x->subject) : fr_xstrdup(x->kind);

	for (size_t i = 0; i < strlen(x->kind); i++)
		s[i] = s[i] == '-' ? ' ' : s[i];
	return s;
}

/* Reads from the findings which schedule to replay, and its bug. */
static int look_up(struct replay_request *w, uint32_t id)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	const char *name = NULL;
	struct fr_err err;

	if (fr_findings_read(w->dir, &f, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	FR_VEC_FOREACH (x, &f.finding) {
		if (x->id != id)
			continue;
		if (x->recorded && !x->interleaving.v[0].schedule) {
			w->recorded = true;
			w->title = fr_finding_recorded_failure(x)
				       ? fr_xstrdup("the failure of the recorded run")
				       : title_of(x);
			return FR_EXIT_OK;
		}
		FR_VEC_FOREACH (i, &x->interleaving) {
			FR_CLEANUP(fr_freep)
			char *path =
			    i->schedule ? fr_xasprintf("%s/%s", w->dir, i->schedule) : NULL;

			if (!path || (w->schedule && strcmp(path, w->schedule) != 0))
				continue;
			name = x->kind;
			w->kind = fr_xstrdup(x->kind);
			w->events = fr_interleaving_events(i);
			w->swapped = i->swapped;
			w->others = i->others_first;
			w->harmless = !fr_harm_seen(i->harm);
			w->title = title_of(x);
			free(w->schedule);
			w->schedule = fr_steal(path);
			break;
		}
	}
	if (!name && !w->schedule) {
		fr_say("no finding %u in '%s'", id, w->dir);
		return FR_EXIT_USAGE;
	}
	fr_assert(!name || (w->kind && w->schedule));
	if (!w->title)
		w->title = fr_xstrdup("the predicted bug");
	return FR_EXIT_OK;
}

/* ---- the replay ---- */

static int say(const struct replay_request *w, const struct fr_proof *p)
{
	const char *why = p->j.detail ? p->j.detail : "";

	fr_assert(w->title || !w->schedule);
	switch (p->j.verdict) {
	case FR_VERDICT_CONFIRMED:
		if (w->recorded && p->j.harm == FR_HARM_NONE) {
			fr_say("%s happened again%s%s", w->title, *why ? ": " : "", why);
			return FR_EXIT_FOUND;
		}
		if (!w->schedule && p->j.harm != FR_HARM_NONE) {
			fr_say("the recorded run was not repeated: %s", why);
			return FR_EXIT_FAILED;
		}
		if (!w->schedule)
			fr_say("the recorded run was repeated%s%s",
			       !*why			   ? ""
			       : p->j.harm != FR_HARM_NONE ? ", but "
							   : ": ",
			       why);
		else
			fr_say("%s happened: %s%s%s", w->title, fr_harm_text(p->j.harm),
			       *why ? ": " : "", why);
		return w->schedule ? FR_EXIT_FOUND : FR_EXIT_OK;
	case FR_VERDICT_REFUTED:
		fr_say("%s%s", w->schedule ? w->title : "the recorded run",
		       w->schedule ? " did not happen" : " was not repeated");
		fr_say("%s: %s",
		       fr_harm_seen(p->j.harm) ? "the program failed before"
					       : "the program left the schedule",
		       why);
		return w->schedule ? FR_EXIT_OK : FR_EXIT_FAILED;
	default:
		fr_say("cannot tell: %s", why);
		return FR_EXIT_FAILED;
	}
}

static int read_schedule(const struct fr_prover *p, const struct replay_request *w,
			 struct fr_schedule_file *ret, struct fr_err *reterr)
{
	int r = fr_prover_read(p, w->schedule, ret, reterr);

	return r || !w->kind
		   ? r
		   : fr_schedule_file_of_bug(ret, w->kind, w->events, w->schedule, reterr);
}

static int replay(const struct replay_request *w);

static int debug(const struct replay_request *w)
{
	FR_CLEANUP(fr_prover_close) struct fr_prover p = {0};
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
	FR_CLEANUP(fr_freep) char *self = fr_artefact_self();
	bool met = false;
	struct fr_err err;
	int r = fr_prover_open(&p, w->dir, fr_trust_ask, trust, !no_box, &err);

	if (!r)
		r = read_schedule(&p, w, &s, &err);
	if (!r)
		r = fr_gdb(&p, &s, w->swapped, w->others, self ? self : "forerun", &met, &err);
	if (r < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	fr_say("%s%s", w->title, met ? " happened" : " did not happen");
	return met ? FR_EXIT_FOUND : FR_EXIT_OK;
}

/* After a repair: is the bug still there? Replays as usual if the program has not changed. */
static int fixed(const struct replay_request *w, uint32_t id)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	FR_CLEANUP(fr_run_clear) struct fr_run run = {0};
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/run.json", w->dir), *token = NULL;
	struct fr_err err;
	int r = fr_run_read(path, &run, &err);

	if (!r)
		r = fr_findings_read(w->dir, &f, &err);
	if (r < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	if (run.imported) {
		fr_say("cannot tell: the trace was imported, so there is no program to run");
		return FR_EXIT_FAILED;
	}
	if (fr_modules_check(run.modules.v, run.modules.n, &err) == 0) {
		fr_say("the program has not changed since the recording: replaying the schedule");
		return replay(w);
	}
	/* It starts the same program as replay, with the same question and environment. */
	if (fr_trust_ask(w->dir, trust, &run, &token, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	FR_VEC_FOREACH (x, &f.finding)
		if (x->id == id)
			return fr_fixed(w->dir, &run, &f, x, limit);
	fr_say("no finding %u in '%s'", id, w->dir);
	return FR_EXIT_USAGE;
}

/* gdb runs this instead of the program, which it becomes: exec-recorded POOL RUN TOKEN ... The
   caller is confirm/gdb.c. */
int fr_replay_become(int argc, char **argv)
{
	struct fr_trace *trace = NULL;
	struct fr_launch s;
	struct fr_err err;
	int r = argc < 4 ? -1 : fr_dir_enter(argv[2], &err);

	if (argc < 4)
		return FR_EXIT_USAGE;
	if (!r)
		r = fr_trace_open(argv[2], &trace, &err);
	if (!r)
		r = fr_trust_same(&trace->run, argv[3], &err);
	if (!r)
		r = fr_launch_prepare(&s, argv[2], &trace->run, &err);
	if (!r)
		fr_launch_become(&s, argv[1], &err);
	fr_say("%s", err.msg);
	return FR_EXIT_FAILED;
}

static void say_lines(char *s)
{
	char *eol;

	for (; s && (eol = strchr(s, '\n')); s = eol + 1) {
		*eol = 0;
		fr_say("%s", s);
	}
}

static int replay(const struct replay_request *w)
{
	struct fr_buf seen = {0};
	FR_CLEANUP(fr_watched_properties_free)
	struct fr_watched_properties watched = {.dir = w->dir, .lock = PTHREAD_MUTEX_INITIALIZER};
	FR_CLEANUP(fr_prover_close) struct fr_prover p = {0};
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
	struct fr_execution_how how = {
	    .pass = true, .stop = &fr_interrupt_stop, .seen = verbose ? &seen : NULL};
	struct fr_proof proof;
	struct fr_err err;
	int r = fr_prover_open(&p, w->dir, fr_trust_ask, trust, !no_box, &err), status;

	if (!r && w->schedule)
		r = read_schedule(&p, w, &s, &err);
	if (!r) {
		fr_interrupt_catch();
		p.patience = patience;
		fr_watch_by(&p, &watched);
		how.others = w->others;
		how.control = w->harmless;
		fr_assert(p.trace);
		how.limit = limit > 0 ? limit : LIMIT_S + LIMIT_TIMES * p.trace->run.record_s;
		r = w->schedule ? fr_prover_run(&p, &s, w->swapped, &how, &proof, &err)
				: fr_prover_recorded(&p, &how, &proof, &err);
	}
	if (r < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	say_lines(seen.s);
	if (verbose)
		fr_say("the program ran for %.6f s", proof.seconds);
	fr_buf_free(&seen);
	status = fr_interrupted ? 128 + fr_interrupted : say(w, &proof);
	fr_proof_clear(&proof);
	return status;
}

static int cmd_replay(int argc, char **argv)
{
	FR_CLEANUP(what_free) struct replay_request w = {0};
	const bool repair = expect.chosen != FR_OPT_NO_CHOICE;
	uint32_t id;
	int status;

	signal(SIGPIPE, SIG_IGN);
	if (argc != 1)
		return fr_cmd_usage(&fr_cmd_replay,
				    "no finding given: expected DIR/FINDING or DIR");
	if (repair && gdb)
		return fr_cmd_usage(&fr_cmd_replay, "--expect and --gdb cannot be combined");
	status = find(argv[0], &w, &id);
	if (status == FR_EXIT_OK)
		status = fr_folder_use(w.dir, false);
	if (status == FR_EXIT_OK && id)
		status = look_up(&w, id);
	if (status == FR_EXIT_OK && (gdb || repair) && !w.schedule)
		return fr_cmd_usage(
		    &fr_cmd_replay,
		    "--gdb and --expect need a finding with a schedule: DIR/FINDING");
	if (status != FR_EXIT_OK)
		return status;
	if (repair)
		return fixed(&w, id);
	return gdb ? debug(&w) : replay(&w);
}

const struct fr_cmd fr_cmd_replay = {
    .name = "replay",
    .summary = "make a bug happen again, or repeat a recorded run",
    .usage = "forerun replay [options] DIR/FINDING | DIR",
    .run = cmd_replay,
    .options = options,
    .details = "DIR is a run folder. FINDING is the number of a finding, or one of its schedule\n"
	       "files. The program gets the recorded input; its output is passed on.\n"
	       "Exit status: 1 the bug happened, 0 it did not, 3 forerun cannot tell.\n"
	       "\n"
	       "DIR alone repeats the recorded run. Exit status: 0 repeated, 3 not repeated.\n"
	       "\n"
	       "--expect fixed tests a repair. forerun records, predicts and confirms the\n"
	       "rebuilt program in the same way.\n"
	       "Exit status: 0 fixed, 1 still there, 3 forerun cannot tell.\n"};
