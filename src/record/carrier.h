/*
 * The carrier: a separate process that runs the pumps. Because of it, the program's output and
 * input keep flowing even if the recorder is killed. session.c starts and ends it.
 */
#ifndef FR_RECORD_CARRIER_H
#define FR_RECORD_CARRIER_H

#include "record/stream.h"

/*
 * Starts the carrier, before the program starts. The carrier waits for fr_carrier_go or for the
 * caller's death. It calls `forget` first, to release resources that belong to the caller alone.
 * Does nothing if there are no pumps.
 */
int fr_carrier_fork(struct fr_streams *s, void (*forget)(void *), void *arg, struct fr_err *reterr);
/* After the program has started: lets the carrier begin, and closes the caller's ends of the pumps.
 */
void fr_carrier_go(struct fr_streams *s);
/* Kills the carrier: the program did not start, or the user gave up. Idempotent. */
void fr_carrier_kill(struct fr_streams *s);
/* Waits for the carrier to end; kills it when give_up(arg) returns true. */
void fr_carrier_join(struct fr_streams *s, bool (*give_up)(void *), void *arg);

#endif
