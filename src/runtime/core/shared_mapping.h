/*
 * Memory that the program has mapped at two addresses: one file twice, or one segment of shared
 * memory.
 *
 * Meaning:     an atomic access, lock, condition variable, semaphore or barrier is known by the
 *              address at which its memory was mapped first. So it orders threads that use it at
 *              different addresses.
 * Not handled: plain accesses, which are recorded where they happen. A race between two addresses
 *              of one byte is not found.
 */
#ifndef FRT_SHARED_MAPPING_H
#define FRT_SHARED_MAPPING_H

#include "rt.h"
#include <stddef.h>

/* Number of mappings that are not the first of their bytes. */
extern uint32_t frt_aliases;

const void *frt_alias_find(const void *p);

static inline const void *frt_alias(const void *p)
{
	return frt_likely(!__atomic_load_n(&frt_aliases, __ATOMIC_RELAXED)) ? p : frt_alias_find(p);
}

/* After bytes [offset, offset + n) of an object were
   mapped shared at p; before the mapping ends. */
void frt_alias_map(const void *p, size_t n, uint64_t object, uint64_t offset);
void frt_alias_unmap(const void *p, size_t n);

/* May another process have this memory mapped? Asks the kernel. Only for the thread that has the
   turn of a controlled program. */
bool frt_is_shared(const void *p);

#endif
