/* Pumps: threads of the carrier. Each forwards one stream between the program and the outside world
   and keeps a copy. */
#ifndef FR_RECORD_PUMP_H
#define FR_RECORD_PUMP_H

#include "record/stream.h"

/* Called before any pump starts: switches the real terminal to raw mode, because the program's
   pseudo-terminal does its work. */
void fr_pump_prepare(struct fr_pump *p);
/* Starts the pump's thread, which closes the pump and sets flow->ended when it ends. */
void fr_pump_start(struct fr_pump *p);
/* Closes the descriptors that belong to the pump alone. Also called by the recorder, which has
   copies of them. */
void fr_pump_close(struct fr_pump *p);
/* Copies a file from its position to its end, without moving the position. Returns 0 or -errno. */
int fr_pump_copy(int from, int to, uint64_t *ret_bytes);

#endif
