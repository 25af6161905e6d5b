/* Commands that keep what they have when they are interrupted: the first signal is noted, the
 * second one ends the process at once. */
#ifndef FR_BASE_INTERRUPT_H
#define FR_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* The signal that came: SIGINT, SIGTERM, SIGHUP; 0: none. */
extern volatile sig_atomic_t fr_interrupted;
/* The same for other threads. */
extern _Atomic bool fr_interrupt_stop;
/* From now on. What was ignored stays ignored. */
void fr_interrupt_catch(void);

#endif
