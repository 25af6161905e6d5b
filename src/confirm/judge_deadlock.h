/*
 * Whether the threads of a deadlock or a lost wakeup wait for ever, as far as the control file of a
 * re-execution shows it. judge.c asks when the targets have met.
 */
#ifndef FR_CONFIRM_JUDGE_DEADLOCK_H
#define FR_CONFIRM_JUDGE_DEADLOCK_H

#include "confirm/execution.h"

/* Does a thread wait in a loop of its own at the target? */
bool fr_judge_polls(const struct fr_control_file *c, uint32_t target);
/* Returns a thread that did not stay blocked at its target, and the kind of that event; 0 = all
   threads did, or it is no deadlock. */
uint32_t fr_judge_unblocked(const struct fr_control_file *c, uint8_t *ret_kind);
/* Was a process or thread alive that can release a lock of the cycle or interrupt a thread? */
bool fr_judge_may_be_freed(const struct fr_execution *r);
/* Is it a deadlock that hangs like the recorded run, or left only a timer, which ended the
   program? */
bool fr_judge_hung(const struct fr_control_file *c);

#endif
