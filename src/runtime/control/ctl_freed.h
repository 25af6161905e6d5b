/* Freed memory that stays out of use in a controlled program: see ctl_freed.c. */
#ifndef FRT_CTL_FREED_H
#define FRT_CTL_FREED_H

#include "ctl.h"
#include <stddef.h>

/* The next hook of t is the free of a block of this size. */
void frt_ctl_frees(struct frt_thread *t, uint64_t size);
/* After that hook: true if the memory must stay out of use. The caller then does not free it. */
bool frt_ctl_keeps(struct frt_thread *t);
/* Overwrites a block of malloc, and keeps it. */
void frt_ctl_keep(void *p, size_t size);
/* Makes mapped pages useless instead of unmapping them. */
void frt_ctl_keep_pages(void *p, size_t size);
/* ctl_turn.c: an access of t to this address ends the program before its hook. If that is the use
   of an object after its free, it counts as the target. */
void frt_ctl_faulted(struct frt_thread *t, uint64_t addr);
/* Has this block been kept? Then it is about to be freed twice. */
bool frt_ctl_kept(const void *p);
/* Frees a kept block for the first time. */
void frt_ctl_give_back(void *p);

#endif
