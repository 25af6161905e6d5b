/*
 * The subcommands. A command is data: one `struct fr_cmd` in a file of its own, and one line in the
 * table fr_cmds of main.c. main() finds the command by name, parses the options of its table
 * (base/opt.h), and calls its `run` with the words that are left. A command without a table gets
 * all its arguments; argv[0] is then the command's name. `run` returns the exit status of the
 * process.
 *
 *   build    cc, c++ (cmd_cc.c; cc_args.c: the arguments, tsan_link.c: -fsanitize=thread)
 *   record   record (cmd_record.c; tuning.c: options of recorder and runtime), import
 *            (cmd_import.c)
 *   analyse  predict (cmd_predict.c; predict_opt.c: its options, spec_path.c: the files of --spec),
 *            confirm (cmd_confirm.c; trust.c: permission to start the program, watch.c: properties
 *            that judge), run = record + predict + confirm + report (cmd_run.c)
 *   show     report (cmd_report.c; show.c: the findings of folders), replay (cmd_replay.c;
 *            replay_fixed.c: --expect fixed), dump (cmd_dump.c, dump_model.c, dump_influence.c,
 *            event_text.c, event_text_input.c)
 *   help     check (cmd_check.c), doctor (cmd_doctor.c), completion (cmd_completion.c)
 *   all      main.c: the table; own_files.c: forerun's own files
 *
 * Commands call the modules below, and print. A module normally returns -errno with a message
 * (base/err.h), which the command prints with fr_say.
 *
 * Exit statuses: 0 fine, 1 something found, 2 usage error, 3 forerun itself failed, 128 + N if
 * signal N interrupted it. `cc`, `c++` and `record` return those of the compiler and of the
 * program, see their manual pages.
 */
#ifndef FR_CMD_CMD_H
#define FR_CMD_CMD_H

#include "base/message.h"
#include <stdbool.h>
#include <stddef.h>

struct fr_opt;

struct fr_cmd {
	const char *name;
	const char *summary; /* one line, lower case, no full stop */
	const char *usage;   /* "forerun NAME [options] ..." */
	int (*run)(int argc, char **argv);
	/* The option table, if there is one: drives parsing, --help and completion. */
	const struct fr_opt *options;
	bool ends_with_program;	 /* the first word ends the options, and begins a command line */
	const char *details;	 /* more text for --help, or NULL */
	void (*more_help)(void); /* prints text after the options, or NULL */
};

extern const struct fr_cmd fr_cmd_cc, fr_cmd_cxx; /* cmd_cc.c */
extern const struct fr_cmd fr_cmd_predict, fr_cmd_confirm, fr_cmd_report, fr_cmd_replay, fr_cmd_run;
extern const struct fr_cmd fr_cmd_record, fr_cmd_import, fr_cmd_dump, fr_cmd_check, fr_cmd_doctor,
    fr_cmd_completion;

/* cmd_replay.c: for gdb, not for users. */
int fr_replay_become(int argc, char **argv);

/* All commands, ending with NULL. */
extern const struct fr_cmd *const fr_cmds[];

/* Prints the help of a command on stdout. */
void fr_cmd_help(const struct fr_cmd *c);
/* Prints an error about the arguments, and the usage. Returns FR_EXIT_USAGE. */
int fr_cmd_usage(const struct fr_cmd *c, const char *what);

/*
 * Returns the path of one of forerun's own files as a new string, or NULL. Looks in the folder
 * FORERUN_LIBDIR if the environment sets it, then in the build tree
 * (BUILD/src/pass/forerun-pass.so, BUILD/src/runtime/..., BUILD/include/...) or in the installation
 * (PREFIX/lib/forerun/NAME). Names: forerun-pass.so hooks.bc libforerun_rt.a libforerun_rt_static.a
 * libforerun_rt_sanitizer.a dynamic.list wrap.list forerun.h.
 */
char *fr_artefact_find(const char *name);

/* Returns the absolute path of this executable as a new string, or NULL. Works without /proc. */
char *fr_artefact_self(void);
/* main calls this once, with argv[0]. */
void fr_artefact_init(const char *argv0);

#endif
