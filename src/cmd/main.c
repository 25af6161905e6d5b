/* forerun: one table, one dispatch. If called as forerun-cc or forerun-c++, it is that compiler. */
#include "cmd/cmd.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/escape.h"
#include "base/opt.h"
#include "cmd/replay_fixed.h"
#include "base/fr_config.h"
#include "process/ghost.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct fr_cmd *const fr_cmds[] = {
    &fr_cmd_cc,	     &fr_cmd_cxx,     &fr_cmd_run,	  &fr_cmd_record, &fr_cmd_import,
    &fr_cmd_predict, &fr_cmd_confirm, &fr_cmd_report,	  &fr_cmd_replay, &fr_cmd_dump,
    &fr_cmd_check,   &fr_cmd_doctor,  &fr_cmd_completion, NULL,
};

void fr_cmd_help(const struct fr_cmd *c)
{
	fr_assert(c->summary[0] >= 'a' && c->summary[0] <= 'z');
	printf("usage: %s\n\n%c%s.\n", c->usage, c->summary[0] - 'a' + 'A', c->summary + 1);
	if (c->details)
		printf("\n%s", c->details);
	if (c->options) {
		printf("\n");
		fr_opt_print(c->options);
	}
	if (c->more_help)
		c->more_help();
}

int fr_cmd_usage(const struct fr_cmd *c, const char *what)
{
	fr_say("%s: %s", c->name, what);
	fprintf(stderr, "usage: %s\nSee 'forerun %s --help' for details.\n", c->usage, c->name);
	return FR_EXIT_USAGE;
}

static void help(void)
{
	printf("usage: forerun COMMAND [ARGUMENTS]\n\n"
	       "Finds the concurrency bugs that did not happen in a recorded run of a C or C++\n"
	       "program, and proves each one by making it happen.\n\ncommands:\n");
	for (const struct fr_cmd *const *c = fr_cmds; *c; c++)
		printf("  %-10s %s\n", (*c)->name, (*c)->summary);
	printf("\nSee 'forerun COMMAND --help'. 'forerun --version' prints the "
	       "version.\n");
}

static const struct fr_cmd *find(const char *name)
{
	for (const struct fr_cmd *const *c = fr_cmds; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static int run(const struct fr_cmd *c, int argc, char **argv)
{
	struct fr_err err;
	bool help = false;

	fr_assert(argc && c->run && c->usage && (c->options || !c->ends_with_program));
	fr_assert(find(c->name) == c); /* no other command has its name */
	if (c->options && fr_opt_parse(c->options, argc, argv, c->ends_with_program, &argc, &argv,
				       &help, &err) < 0)
		return fr_cmd_usage(c, err.msg);
	if (!help)
		return c->run(argc, argv);
	fr_cmd_help(c);
	return ferror(stdout) || fflush(stdout) ? FR_EXIT_FAILED : FR_EXIT_OK;
}

#define FR_X(n, s) s ", "
static const char subsystems[] = FR_DEBUG_SUBSYSTEMS(FR_X) "all";
#undef FR_X

int main(int argc, char **argv)
{
	const char *base = argc ? strrchr(argv[0], '/') : NULL, *unknown;
	const struct fr_cmd *c;

	if (!argc)
		return FR_EXIT_USAGE;
	fr_artefact_init(argv[0]);
	unknown = fr_debug_init();
	if (unknown)
		fr_say("FORERUN_DEBUG: unknown subsystem '%.*s' (known: %s)",
		       (int)strcspn(unknown, ","), unknown, subsystems);
	base = base ? base + 1 : argv[0];
	if (!strcmp(base, "forerun-cc"))
		return fr_cmd_cc.run(argc, argv);
	if (!strcmp(base, "forerun-c++"))
		return fr_cmd_cxx.run(argc, argv);
	if (argc > 1 && !strcmp(argv[1], "exec-recorded")) /* for gdb only */
		return fr_replay_become(argc - 1, argv + 1);
	if (argc == 2 && !strcmp(argv[1], FR_GHOST_COMMAND)) /* for process/ghost.c only */
		return fr_ghost_main();
	if (argc > 3 && !strcmp(argv[1], FR_SAY_ALSO_TO)) { /* for replay_fixed.c only */
		fr_say_also_to(argv[2]);
		argv += 2;
		argc -= 2;
	}
	if (argc < 2) {
		fr_say("no command given: 'forerun --help' lists them");
		return FR_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		c = argc > 2 ? find(argv[2]) : NULL;
		if (c)
			return run(c, 2, (char *[]){(char *)c->name, (char *)"--help", NULL});
		help();
		return ferror(stdout) || fflush(stdout) ? FR_EXIT_FAILED : FR_EXIT_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("forerun %s\n", FR_VERSION);
		return fflush(stdout) ? FR_EXIT_FAILED : FR_EXIT_OK;
	}
	c = find(argv[1]);
	if (!c) {
		fr_say("unknown command '%s': 'forerun --help' lists them", argv[1]);
		return FR_EXIT_USAGE;
	}
	return run(c, argc - 1, argv + 1);
}
