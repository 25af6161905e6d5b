/*
 * When a branch is written: if a read was kept since the last one that was.
 *
 * Meaning: of an event, the thread's reads that stand before its last BRANCH may have decided that
 * it happened; those behind it have not. A further branch on the same reads says nothing new. The
 * flag is a thread-local variable of its own, so that the inlined hook is one comparison.
 */
#ifndef FRT_RT_BRANCH_H
#define FRT_RT_BRANCH_H

#include "rt.h"

enum frt_branches { FRT_BRANCH_NONE, FRT_BRANCH_KEPT, FRT_BRANCH_ALL };

/* The next branch is written. Set to the option's value where a read is kept. */
extern _Thread_local uint8_t frt_branch_next __attribute__((tls_model("initial-exec")));

/* Reads the option's value: 0, 1 (or NULL), all. */
void frt_branch_init(const char *option);
/* A thread starts. */
void frt_branch_start(void);

#endif
