/* forerun confirm as a step of another command (cmd_run.c). */
#ifndef FR_CMD_CMD_CONFIRM_H
#define FR_CMD_CMD_CONFIRM_H

#include "base/opt.h"
#include "findings/finding.h"
#include "predict/analysis.h"

struct fr_confirm_opt {
	uint32_t jobs; /* 0 = one per core */
	uint32_t only; /* id of a finding, 0 = all */
	bool alone;    /* one schedule per re-execution */
	bool exact;    /* do not follow schedules by place */
	/* Reads that may differ in schedules that the oracle makes anew; 0 = none. */
	uint32_t relax;
	const struct fr_opt_list *pure; /* purity tables of the user; NULL = none */
	bool no_box;			/* run the program in the world as it is now */
	bool trust;			/* start the program of a foreign folder without asking */
	double limit;	/* seconds for one re-execution; 0 = derived from the recorded run */
	double outside; /* seconds to wait for other processes and input; 0 = likewise */
};

/* Confirms the findings of a folder and writes the verdicts into it. Prints progress, and one line
   at the end, on standard error. run: the parts of the analysis that the caller has; this function
   frees them. *ret: the findings, which are read from the folder if it is empty. Returns an exit
   status after a message: FR_EXIT_OK, FR_EXIT_USAGE, FR_EXIT_FAILED, or 128 + a signal. */
int fr_confirm_folder(const char *dir, const struct fr_confirm_opt *o, struct fr_analysis *run,
		      struct fr_findings *ret);

/* The option of all commands that re-execute the program. */
#define FR_OPT_OUTSIDE(to)                                                   \
	{FR_OPT_SECONDS,                                                     \
	 0,                                                                  \
	 "outside-limit",                                                    \
	 "S",                                                                \
	 "seconds to wait for other processes and input when no thread can " \
	 "run (default: 5 plus twice the time of the recorded run)",         \
	 to}
#define FR_OPT_NO_BOX(to)                                                        \
	{FR_OPT_FLAG,                                                            \
	 0,                                                                      \
	 "no-box",                                                               \
	 NULL,                                                                   \
	 "run the program in the world as it is now, one execution at a time; "  \
	 "otherwise, if the recorded run changed files, each execution has its " \
	 "own copies of them",                                                   \
	 to}

#endif
