/* Did the recorded run fail, and how? */
#ifndef FR_FINDINGS_RUN_FAILURE_H
#define FR_FINDINGS_RUN_FAILURE_H

#include "findings/verdict.h"
#include "trace/trace.h"

/* Is it a signal of a fault or an abort? */
bool fr_signal_of_crash(int sig);
/* Returns the signal with which the program crashed, 0 = it did not. A script may have another
   status than the program that it started. */
int fr_run_crash(const struct fr_run *r);
/* The exit status of a run that ends well. */
int fr_run_good_exit(const struct fr_run *r);
/* Returns how the run failed, FR_HARM_NOT_KNOWN: it did not. *ret_report: the assertion or the
   sanitizer's report, a new string, or unchanged. */
enum fr_harm fr_run_failure(const struct fr_trace *t, char **ret_report);

#endif
