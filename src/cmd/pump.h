/* Threads that carry a stream between the program and the outside world, keeping a copy. */
#ifndef FR_CMD_PUMP_H
#define FR_CMD_PUMP_H

#include "cmd/stream.h"

void fr_pump_start(struct fr_pump *p);
/* Waits for the end of a pump; false if give_up said so first. */
bool fr_pump_join(struct fr_pump *p, bool (*give_up)(void *), void *arg);
/* Copies what is ahead in a file, without moving its position. 0 or -errno. */
int fr_pump_copy(int from, int to, uint64_t *ret_bytes);

#endif
