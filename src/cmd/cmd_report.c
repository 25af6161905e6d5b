/*
 * forerun report: prints the findings of a run folder again. Text shows confirmed findings, and the
 * others on request; json is findings.json as it is.
 */
#include "base/opt.h"
#include "cmd/cmd.h"
#include "record/folder.h"
#include "cmd/show.h"
#include <signal.h>

static struct fr_show show = FR_SHOW_DEFAULTS;

static const struct fr_opt options[] = {
    FR_OPT_FORMAT(show),
    FR_OPT_SHOW_ALL(show),
    FR_OPT_FAIL_ON(show, ""),
    {0},
};

static int report(const char *dir)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	struct fr_err err;
	int status;

	if (fr_findings_read(dir, &f, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	show.dir = dir;
	status = fr_show_findings(&show, &f);
	return status == FR_EXIT_OK && fr_show_fails(&show, &f) ? FR_EXIT_FOUND : status;
}

static int cmd_report(int argc, char **argv)
{
	FR_CLEANUP(fr_freep) char *dir = NULL;
	int status;

	signal(SIGPIPE, SIG_IGN);
	if (argc > 1)
		return fr_cmd_usage(&fr_cmd_report, "more than one run folder");
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
