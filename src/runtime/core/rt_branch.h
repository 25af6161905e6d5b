/*
 * Decides which branches are written: none, or on request the first one after each kept read.
 *
 * Meaning:   of the thread's reads, those before its last BRANCH may have decided that a later
 *            event happened; those after it have not. Another branch on the same reads adds
 *            nothing. The flag is a thread-local variable of its own, so that the inlined hook is
 *            one comparison.
 */
#ifndef FRT_RT_BRANCH_H
#define FRT_RT_BRANCH_H

#include "rt.h"

enum frt_branches { FRT_BRANCH_NONE, FRT_BRANCH_KEPT, FRT_BRANCH_ALL };

/* Nonzero: the next branch is written. A kept read sets it to the option's value. */
extern _Thread_local uint8_t frt_branch_next __attribute__((tls_model("initial-exec")));

/* Parses the option: 0 (or NULL), 1, all. */
void frt_branch_init(const char *option);
/* Called when a thread starts. */
void frt_branch_start(void);

#endif
