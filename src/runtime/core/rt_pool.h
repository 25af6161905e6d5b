/* The program's side of the blocks of the pool. See format/pool.h. */
#ifndef FRT_RT_POOL_H
#define FRT_RT_POOL_H

#include "rt.h"

/* At start: finds out whether the recorder is the parent process. */
void frt_pool_attached(void);
/* Has the recorder ended? */
bool frt_recorder_gone(void);
/* Hands the open block over and opens the next one. False when recording has stopped. */
bool frt_block_next(struct frt_thread *t);
/* Hands the open block over; the thread then has none. */
void frt_block_close(struct frt_thread *t);

#endif
