/*
 * forerun record: runs a program and writes its threads' events into a run folder. The work is in
 * src/record (record/session.h).
 */
#include "cmd/cmd_record.h"
#include "base/assert.h"
#include "base/io.h"
#include "base/opt.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "record/folder.h"
#include "record/program.h"
#include "record/session.h"
#include "symbols/sites.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *out, *order, *expect_exit;
static struct fr_opt_list tuning;
static bool quiet;
static struct fr_service_end service;

static const struct fr_opt options[] = {
    {FR_OPT_STRING, 'o', "output", "DIR", "run folder (default: forerun.d/PROG.N)", &out},
    {FR_OPT_STRING, 0, "order", "ORDER",
     "fix the order of the threads: 'creation', 'random:SEED', or turns, such as 0+,1,0", &order},
    FR_OPT_SERVICE(service),
    FR_OPT_EXPECT_EXIT(&expect_exit),
    {FR_OPT_LIST, 0, "option", "KEY=VALUE",
     "set an option of the recorder (listed below); may be given again", &tuning},
    {FR_OPT_FLAG, 'q', "quiet", NULL, "print only warnings and errors", &quiet},
    {0},
};

extern char **environ;

static void fill_run(struct fr_session *s, char **argv)
{
	char *cwd = getcwd(NULL, 0);

	fr_assert(s->path && argv[0] && !s->run.program);
	s->run.program = fr_xstrdup(argv[0]);
	s->run.path =
	    s->path[0] == '/' || !cwd ? fr_xstrdup(s->path) : fr_xasprintf("%s/%s", cwd, s->path);
	for (char **a = argv + 1; *a; a++)
		fr_vec_push(&s->run.args, fr_xstrdup(*a));
	for (char **e = environ; *e; e++)
		fr_vec_push(&s->run.env, fr_xstrdup(*e));
	s->run.cwd = cwd ? cwd : fr_xstrdup("");
	s->argv = argv;
}

/* Warns about losses, one line each. */
static void warn(const struct fr_session *s)
{
	FR_CLEANUP(fr_freep) char *order_warning = fr_run_order_warning(&s->ordered);
	const char *missing;
	char n[32];

	if (order_warning)
		fr_say("warning: %s", order_warning);

	fr_assert(s->attached && s->sites);
	for (int i = 0; i < FR_RTC_COUNT; i++)
		if (s->run.counters[i] && fr_rt_counter_loss[i] & FR_LOSS_WARNED)
			fr_say("warning: %s: %s", fr_rt_counter_text[i],
			       fr_term_number(s->run.counters[i], n));
	FR_VEC_FOREACH (u, &s->run.unmodelled)
		fr_say("warning: %s() is not modelled (%s call%s): forerun does not know which "
		       "order it imposes",
		       u->name, fr_term_number(u->calls, n), fr_plural(u->calls));
	for (size_t i = 0; (missing = fr_sites_missing(s->sites, i)); i++)
		fr_say("warning: %s", missing);
	for (int i = 0; i < 3; i++)
		if (!s->run.stream[i].kept && i != FR_STDIN)
			fr_say("warning: the copy of standard %s is incomplete",
			       i == FR_STDOUT ? "output" : "error");
	if (s->run.aslr)
		fr_say("warning: cannot switch off address randomisation, so replays may not be "
		       "exact ('forerun doctor' says how to fix this)");
}

static int report(const struct fr_session *s)
{
	char events[32], threads[32], status[64];

	fr_assert(s->dir && s->run.program);
	if (!s->attached) {
		fr_say("'%s' was not recorded: no instrumented program attached to the recorder. "
		       "Build it with 'forerun-cc', and see 'forerun doctor %s'",
		       s->run.program, s->run.program);
		return FR_EXIT_FAILED;
	}
	warn(s);
	if (s->run.reason)
		fr_say("warning: the trace is incomplete: %s", s->run.reason);
	if (s->run.hang)
		snprintf(status, sizeof(status), "it hung");
	else if (s->run.signal)
		snprintf(status, sizeof(status), "killed by signal %d, %s", s->run.signal,
			 strsignal(s->run.signal));
	else
		snprintf(status, sizeof(status), "exit status %d", s->run.exit);
	if (!quiet)
		fr_say("recorded %s event%s of %s thread%s in %s (%s)",
		       fr_term_number(s->run.events, events), fr_plural(s->run.events),
		       fr_term_number(s->run.threads, threads), fr_plural(s->run.threads), s->dir,
		       status);
	fr_assert(s->run.signal || (s->run.exit >= 0 && s->run.exit <= 255));
	return s->run.signal ? 128 + s->run.signal : s->run.exit;
}

static int run_session(struct fr_session *s, const struct fr_tuning *t,
		       const struct fr_run_order *o)
{
	struct fr_err err;

	fr_assert(s->dir && s->argv && !s->attached);
	s->run.expects_exit = t->expects_exit;
	s->service.end = t->end;
	s->run.expect_exit = t->expect_exit;
	if (fr_session_prepare(s, t->text, t->pool_blocks, o, &err) < 0 ||
	    fr_session_start(s, &err) < 0) {
		fr_say("%s", err.msg);
		fr_folder_discard(s->dir);
		return FR_EXIT_FAILED;
	}
	fr_session_wait(s);
	if (fr_session_finish(s, &err) < 0) {
		fr_say("%s", err.msg);
		fr_say("the run folder '%s' is incomplete", s->dir);
		return FR_EXIT_FAILED;
	}
	return report(s);
}

int fr_record_check(const char *name, char **ret_path, bool *ret_script)
{
	FR_CLEANUP(fr_freep) char *path = NULL;
	struct fr_program p;
	struct fr_err err;

	if (fr_program_find(name, &path, &err) < 0 || fr_program_inspect(path, &p, &err) < 0) {
		fr_say("%s", err.msg);
		return -1;
	}
	if (p.elf && !p.instrumented) {
		fr_say("'%s' was not instrumented: build it with 'forerun-cc' (instead of the C "
		       "compiler) or 'forerun-c++'",
		       path);
		return -1;
	}
	*ret_path = fr_steal(path);
	*ret_script = !p.elf;
	return 0;
}

int fr_record_into(const char *dir, char **argv, const struct fr_tuning *t,
		   const struct fr_run_order *o)
{
	FR_CLEANUP(fr_session_clear) struct fr_session s;

	fr_session_init(&s);
	if (fr_record_check(argv[0], &s.path, &s.script) < 0)
		return FR_EXIT_USAGE;
	s.dir = fr_xstrdup(dir);
	fill_run(&s, argv);
	return run_session(&s, t, o);
}

static int cmd_record(int argc, char **argv)
{
	FR_CLEANUP(fr_session_clear) struct fr_session s;
	FR_CLEANUP(fr_run_order_free) struct fr_run_order o = {0};
	struct fr_tuning t;
	struct fr_err err;
	int r;

	fr_session_init(&s);
	if (!argc)
		return fr_cmd_usage(&fr_cmd_record, "no program given");
	if (fr_tuning_parse(&tuning, &t, &err) < 0 || fr_run_order_parse(order, &o, &err) < 0 ||
	    fr_tuning_expect_exit(expect_exit, &t, &err) < 0)
		return fr_cmd_usage(&fr_cmd_record, err.msg);
	t.end = service;
	if (fr_record_check(argv[0], &s.path, &s.script) < 0)
		return FR_EXIT_USAGE;
	r = fr_folder_make(out, argv[0], &s.dir, &err);
	if (r < 0) {
		fr_say("%s", err.msg);
		return r == -EEXIST || r == -EINVAL ? FR_EXIT_USAGE : FR_EXIT_FAILED;
	}
	fill_run(&s, argv);
	return run_session(&s, &t, &o);
}

const struct fr_cmd fr_cmd_record = {
    .name = "record",
    .summary = "run a program and record the actions of its threads",
    .usage = "forerun record [options] [--] PROG [ARGS]",
    .run = cmd_record,
    .options = options,
    .ends_with_program = true,
    .more_help = fr_tuning_help,
    .details = "With --order, threads run one at a time. Each runs until it must wait, yields or\n"
	       "ends; then the next one in the order of creation runs. A list of turns comes\n"
	       "first: 0 is the main thread, N the N-th thread that the program creates. The\n"
	       "turn N+ also ends when thread N has created a thread. With random:SEED, a random\n"
	       "thread is next, and it runs for a random time. Sleeps take no real time.\n\n"
	       "Exit status: that of the program, or 128 + N if signal N killed it; 2 usage\n"
	       "error; 3 forerun failed, with a message that begins with 'forerun: '. run.json\n"
	       "in the run folder contains the exit status of the program.\n",
};
