/*
 * Subcommands. A command is data: one `struct fr_cmd` in a file of its own, one line in the table
 * of main.c. `run` gets its own arguments with the command's name as argv[0] and returns the exit
 * status of the process.
 *
 * Exit statuses: 0 fine, 1 something found, 2 usage error, 3 forerun itself failed. `cc`, `c++` and
 * `record` return those of the compiler and of the program, see their manual pages.
 */
#ifndef FR_CMD_CMD_H
#define FR_CMD_CMD_H

#include "base/message.h"
#include <stddef.h>

struct fr_opt;

struct fr_cmd {
	const char *name;
	const char *summary; /* one line, lower case, no full stop */
	const char *usage;   /* "forerun NAME [options] ..." */
	int (*run)(int argc, char **argv);
	/* The option table where there is one: drives --help and completion (base/opt.h). */
	const struct fr_opt *options;
	const char *details;	 /* more text for --help, or NULL */
	void (*more_help)(void); /* prints what follows the options, or NULL */
};

extern const struct fr_cmd fr_cmd_cc, fr_cmd_cxx; /* cmd_cc.c */
extern const struct fr_cmd fr_cmd_predict, fr_cmd_confirm, fr_cmd_report, fr_cmd_replay, fr_cmd_run;
extern const struct fr_cmd fr_cmd_record, fr_cmd_import, fr_cmd_dump, fr_cmd_doctor,
    fr_cmd_completion;

/* cmd_replay.c: not a command for people, see there. */
int fr_replay_become(int argc, char **argv);

/* All commands, ending with NULL. */
extern const struct fr_cmd *const fr_cmds[];

/* Prints the help of a command on stdout. */
void fr_cmd_help(const struct fr_cmd *c);
/* Prints what is wrong with the arguments and how they should look; returns FR_EXIT_USAGE. */
int fr_cmd_usage(const struct fr_cmd *c, const char *what);

/*
 * Where a file that belongs to forerun is, as a new string, or NULL: from the build tree
 * (BUILD/src/pass/forerun-pass.so, BUILD/src/runtime/..., BUILD/include/...) or installed
 * (PREFIX/lib/forerun/NAME). The environment's FORERUN_LIBDIR comes first where set.
 * Names: forerun-pass.so hooks.bc libforerun_rt.a libforerun_rt_static.a libforerun_rt_sanitizer.a
 * dynamic.list wrap.list forerun.h.
 */
char *fr_artefact_find(const char *name);

/* Absolute path of this executable as a new string, or NULL. Works without /proc. */
char *fr_artefact_self(void);
/* To be called once from main with argv[0]. */
void fr_artefact_init(const char *argv0);

#endif
