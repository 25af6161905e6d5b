/* Threads of the carrier, each of which carries a stream between the program and the outside world,
 * keeping a copy. */
#ifndef FR_RECORD_PUMP_H
#define FR_RECORD_PUMP_H

#include "record/stream.h"

/* Before any is started: the terminal passes everything on as it is, as the program's own has dealt
 * with it. */
void fr_pump_prepare(struct fr_pump *p);
void fr_pump_start(struct fr_pump *p);
/* In another process: closes what belongs to the pump alone. */
void fr_pump_close(struct fr_pump *p);
/* Copies what is ahead in a file, without moving its position. 0 or -errno. */
int fr_pump_copy(int from, int to, uint64_t *ret_bytes);

#endif
