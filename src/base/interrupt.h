/*
 * Interruption by SIGINT, SIGTERM or SIGHUP. The first signal only sets flags, so that a command
 * can save its results so far. A second one of the same number ends the process at once.
 *
 * Signals of children do not count: a process whose parent has ended becomes a child of this one,
 * and may send a signal to the process that it takes for its parent.
 */
#ifndef FR_BASE_INTERRUPT_H
#define FR_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* The number of the last signal caught, 0 = none. */
extern volatile sig_atomic_t fr_interrupted;
/* Set with it: for threads that did not run the signal handler. */
extern _Atomic bool fr_interrupt_stop;
/* Installs the handlers. Signals that the process ignores stay ignored. */
void fr_interrupt_catch(void);
/* From now on, other signals that would end this process do so only if no child sent them. */
void fr_interrupt_shield(void);

#endif
