/* forerun import: turns another tool's trace into a run folder. */
#include "base/escape.h"
#include "base/mem.h"
#include "base/opt.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "record/folder.h"
#include "base/fr_config.h"
#include "import/std.h"
#include <errno.h>
#include <stdio.h>

static const char *out;

static const struct fr_opt options[] = {
    {FR_OPT_STRING, 'o', "output", "DIR", "run folder to create (default: forerun.d/TRACE.N)",
     &out},
    {0},
};

static void print(const char *dir, const struct fr_std_stats *s)
{
	char a[32], b[32], c[32], d[32];

	FR_CLEANUP(fr_freep) char *name = fr_escape(dir);

	printf("%s: %s event%s of %s thread%s, %s lock%s, %s variable%s\n", name,
	       fr_term_number(s->events, a), fr_plural(s->events), fr_term_number(s->threads, b),
	       fr_plural(s->threads), fr_term_number(s->locks, c), fr_plural(s->locks),
	       fr_term_number(s->variables, d), fr_plural(s->variables));
	if (s->inner)
		printf("recursive acquisitions and their releases, left out: %s\n",
		       fr_term_number(s->inner, a));
	if (s->held)
		printf("locks still held at the end: %s, the first since line %s\n",
		       fr_term_number(s->held, a), fr_term_number(s->held_since, b));
	if (s->open)
		printf("regions still open at the end: %s\n", fr_term_number(s->open, a));
}

static int cmd_import(int argc, char **argv)
{
	FR_CLEANUP(fr_freep) char *dir = NULL;
	struct fr_std_stats stats;
	struct fr_err err;
	int r;

	if (argc != 1)
		return fr_cmd_usage(&fr_cmd_import,
				    argc ? "more than one trace" : "no trace given");
	r = fr_folder_make(out, argv[0], &dir, &err);
	if (r < 0) {
		fr_say("%s", err.msg);
		return r == -EEXIST || r == -EINVAL ? FR_EXIT_USAGE : FR_EXIT_FAILED;
	}
	r = fr_std_import(argv[0], dir, FR_VERSION, &stats, &err);
	if (r < 0) {
		fr_folder_discard(dir);
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	print(dir, &stats);
	return fflush(stdout) ? FR_EXIT_FAILED : FR_EXIT_OK;
}

const struct fr_cmd fr_cmd_import = {
    .name = "import",
    .summary = "create a run folder from a trace of another tool",
    .usage = "forerun import [options] TRACE",
    .run = cmd_import,
    .options = options,
    .details = "TRACE is a text file in the STD format of the RAPID tools, one event per line,\n"
	       "in the order of the run: thread|op(operand)|location. op is r or w (variable),\n"
	       "acq or rel (lock), fork or join (thread), begin or end (atomic region).\n"
	       "Accesses have no values, so a prediction keeps for each read the write that it\n"
	       "read from.\n",
};
