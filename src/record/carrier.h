/*
 * The carrier: a process of its own that runs the pumps, so that the program's output reaches its
 * place, and its input the program, even when the recorder is killed.
 */
#ifndef FR_RECORD_CARRIER_H
#define FR_RECORD_CARRIER_H

#include "record/stream.h"

/*
 * Makes the process, before there is a program; it does nothing until told, or until the caller has
 * died. `forget` is called in it, to let go of what belongs to the caller alone. Not needed, and
 * not made, where there are no pumps.
 */
int fr_carrier_fork(struct fr_streams *s, void (*forget)(void *), void *arg, struct fr_err *reterr);
/* The program runs: the carrier begins, and alone has the ends of the pumps. */
void fr_carrier_go(struct fr_streams *s);
/* There is no program after all, or nobody wants to wait any longer. Idempotent. */
void fr_carrier_kill(struct fr_streams *s);
/* Waits for the end of the carrier, or kills it when give_up says so. */
void fr_carrier_join(struct fr_streams *s, bool (*give_up)(void *), void *arg);

#endif
