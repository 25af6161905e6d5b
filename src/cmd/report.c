/*
 * forerun report: the findings of a run folder, printed again. Text shows what is confirmed, and
 * the rest when asked; json is findings.json as it is.
 */
#include "base/io.h"
#include "base/opt.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "cmd/folder.h"
#include "report/finding.h"
#include "report/text.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *format = "text", *fail_on = "confirmed";
static bool all;

static const struct fr_opt options[] = {
    {FR_OPT_STRING, 0, "format", "FORMAT", "text (the default) or json", &format},
    {FR_OPT_FLAG, 'a', "all", NULL,
     "every verdict, not confirmed findings alone, and every interleaving of each", &all},
    {FR_OPT_STRING, 0, "fail-on", "VERDICT",
     "exit with status 1 if there is a finding of this verdict or above:\n"
     "                               predicted, confirmed (the default) or never",
     &fail_on},
    {0},
};

static bool is(const struct fr_finding *x, const char *verdict)
{
	return !strcmp(x->way.v[0].verdict, verdict);
}

static void text(const char *dir, const struct fr_findings *f, struct fr_buf *out)
{
	struct fr_text t = {out, dir, fr_term_colour(stdout), all};
	size_t hidden = 0;

	FR_VEC_FOREACH (x, &f->finding)
		if (all || is(x, "confirmed"))
			fr_text_finding(&t, x);
		else
			hidden++;
	fr_text_summary(&t, f);
	if (hidden)
		fr_buf_printf(out, "%zu finding%s that %s not confirmed: --all shows %s\n", hidden,
			      fr_plural(hidden), hidden == 1 ? "is" : "are",
			      hidden == 1 ? "it" : "them");
}

static int report(const char *dir, bool json)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct fr_err err;
	bool fail = false;
	int r;

	if (fr_findings_read(dir, &f, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	if (json) {
		r = fr_findings_json(&f, STDOUT_FILENO, &b);
	} else {
		text(dir, &f, &b);
		r = fr_io_write_all(STDOUT_FILENO, b.s, b.n, NULL);
	}
	if (r < 0 && r != -EPIPE) {
		fr_say("cannot write the output: %s", strerror(-r));
		return FR_EXIT_FAILED;
	}
	FR_VEC_FOREACH (x, &f.finding)
		fail |= (is(x, "confirmed") && strcmp(fail_on, "never") != 0) ||
			(is(x, "predicted") && !strcmp(fail_on, "predicted"));
	return fail ? FR_EXIT_FOUND : FR_EXIT_OK;
}

static int cmd_report(int argc, char **argv)
{
	FR_CLEANUP(fr_freep) char *dir = NULL;
	struct fr_err err;
	struct stat st;
	bool help = false;

	signal(SIGPIPE, SIG_IGN);
	if (fr_opt_parse(options, argc, argv, false, &argc, &argv, &help, &err) < 0)
		return fr_cmd_usage(&fr_cmd_report, err.msg);
	if (help) {
		fr_cmd_help(&fr_cmd_report);
		return FR_EXIT_OK;
	}
	if (argc > 1)
		return fr_cmd_usage(&fr_cmd_report, "more than one run folder");
	if (strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
		return fr_cmd_usage(&fr_cmd_report, "the format is text or json");
	if (strcmp(fail_on, "predicted") != 0 && strcmp(fail_on, "confirmed") != 0 &&
	    strcmp(fail_on, "never") != 0)
		return fr_cmd_usage(&fr_cmd_report,
				    "--fail-on takes predicted, confirmed or never");
	if (argc) {
		dir = fr_xstrdup(argv[0]);
	} else if (fr_folder_newest(&dir, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_USAGE;
	}
	if (stat(dir, &st) < 0 || !S_ISDIR(st.st_mode)) {
		fr_say("there is no run folder '%s': 'forerun record' makes one", dir);
		return FR_EXIT_USAGE;
	}
	return report(dir, !strcmp(format, "json"));
}

const struct fr_cmd fr_cmd_report = {
    .name = "report",
    .summary = "print the findings of a run again",
    .usage = "forerun report [options] [DIR]",
    .run = cmd_report,
    .options = options,
    .details = "DIR is a run folder; without it, the newest one under forerun.d.\n",
};
