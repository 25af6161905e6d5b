/*
 * forerun report: prints the findings of a run folder again. Text shows confirmed findings, and the
 * others on request; json is findings.json as it is.
 */
#include "base/opt.h"
#include "cmd/cmd.h"
#include "record/folder.h"
#include "cmd/show.h"
#include <signal.h>
#include <string.h>

static const char *format = "text", *fail_on = "confirmed";
static bool all;

static const struct fr_opt options[] = {
    {FR_OPT_STRING, 0, "format", "FORMAT", "output format: text (default) or json", &format},
    {FR_OPT_FLAG, 'a', "all", NULL,
     "print findings of every verdict, not only confirmed ones, and "
     "every interleaving",
     &all},
    {FR_OPT_STRING, 0, "fail-on", "VERDICT",
     "exit with status 1 if a finding has this verdict or a stronger "
     "one: predicted, confirmed (default), or never",
     &fail_on},
    {0},
};

static int report(const char *dir)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	struct fr_show show = {.dir = dir, .json = !strcmp(format, "json"), .all = all};
	struct fr_err err;
	int status;

	if (fr_findings_read(dir, &f, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	status = fr_show_findings(&show, &f);
	return status == FR_EXIT_OK && fr_show_fails(&f, fail_on) ? FR_EXIT_FOUND : status;
}

static int cmd_report(int argc, char **argv)
{
	FR_CLEANUP(fr_freep) char *dir = NULL;
	struct fr_err err;
	bool help = false;
	int status;

	signal(SIGPIPE, SIG_IGN);
	if (fr_opt_parse(options, argc, argv, false, &argc, &argv, &help, &err) < 0)
		return fr_cmd_usage(&fr_cmd_report, err.msg);
	if (help) {
		fr_cmd_help(&fr_cmd_report);
		return FR_EXIT_OK;
	}
	if (argc > 1)
		return fr_cmd_usage(&fr_cmd_report, "more than one run folder");
	if (fr_show_check(format, fail_on))
		return fr_cmd_usage(&fr_cmd_report, fr_show_check(format, fail_on));
	status = fr_show_folder(argc ? argv[0] : NULL, &dir);
	if (status == FR_EXIT_OK)
		status = fr_folder_use(dir, false);
	return status == FR_EXIT_OK ? report(dir) : status;
}

const struct fr_cmd fr_cmd_report = {
    .name = "report",
    .summary = "print the findings of a run again",
    .usage = "forerun report [options] [DIR]",
    .run = cmd_report,
    .options = options,
    .details = "DIR is a run folder (default: the newest one in forerun.d).\n",
};
