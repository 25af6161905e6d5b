/* Blocks of the pool, seen from the program. See format/pool.h. */
#ifndef FRT_RT_POOL_H
#define FRT_RT_POOL_H

#include "rt.h"

/* At start: who the recorder is. */
void frt_pool_attached(void);
/* Hands the open block over and opens the next one. False when recording has stopped. */
bool frt_block_next(struct frt_thread *t);
/* Hands the open block over; the thread has none afterwards. */
void frt_block_close(struct frt_thread *t);

#endif
