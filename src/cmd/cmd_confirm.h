/* forerun confirm, for those who do it as a step of more. */
#ifndef FR_CMD_CMD_CONFIRM_H
#define FR_CMD_CMD_CONFIRM_H

#include "findings/finding.h"

struct fr_confirm_opt {
	uint32_t jobs;	/* 0: as many as there are cores */
	uint32_t only;	/* id of a finding, 0: all */
	bool alone;	/* one schedule a run */
	double limit;	/* seconds for one run of the program; 0: by the recorded run */
	double outside; /* seconds that it waits for other processes and input; 0: ditto */
};

/*
 * Confirms the findings of a folder and writes the verdicts into it, with progress and one line at
 * the end on standard error. ret: the findings. An exit status: FR_EXIT_OK, FR_EXIT_USAGE,
 * FR_EXIT_FAILED, 128 + a signal; with a message, and findings if there are any.
 */
int fr_confirm_folder(const char *dir, const struct fr_confirm_opt *o, struct fr_findings *ret);

/* The option of all commands that run the program under a schedule. */
#define FR_OPT_OUTSIDE(to)                                                           \
	{FR_OPT_STRING,                                                              \
	 0,                                                                          \
	 "outside-limit",                                                            \
	 "S",                                                                        \
	 "seconds to wait for other processes and input when no thread can run\n"    \
	 "                               (5, and twice what the recorded run took)", \
	 to}
/* "10", "0.5": seconds above zero. */
bool fr_confirm_seconds(const char *s, double *ret);

#endif
