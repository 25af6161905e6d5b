/* forerun predict as a step of another command (cmd_run.c). */
#ifndef FR_CMD_CMD_PREDICT_H
#define FR_CMD_CMD_PREDICT_H

#include "cmd/predict_opt.h"
#include "findings/finding.h"

/* Predicts the bugs of the run in a folder and writes the findings into it. Shows progress on
   standard error. *ret: the findings, if there are any. Returns an exit status, after a message if
   not FR_EXIT_OK: FR_EXIT_FAILED, or 128 + a signal. FR_EXIT_OK: *ret_run is for
   later steps. Otherwise threads may still run, unless the run could not be loaded: end the
   process with fr_predict_leave, and free nothing before. */
int fr_predict_folder(const char *dir, const struct fr_predict_opt *o, struct fr_findings *ret,
		      struct fr_analysis *ret_run);
/* Ends the process without exit handlers, which running threads would disturb. */
_Noreturn void fr_predict_leave(int status);
/* Prints one line about the findings on standard error. */
void fr_predict_print_line(const struct fr_findings *f);

#endif
