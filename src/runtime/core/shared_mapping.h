/*
 * Memory that the program has mapped at two addresses: one file twice, or one segment of shared
 * memory.
 *
 * Meaning:   an atomic access, a lock, a condition, a semaphore and a barrier are known by the
 *            address at which the memory was mapped first, so threads that use different addresses
 *            of one object are ordered by it.
 * Not handled: plain accesses, which are recorded where they happen. A race between two addresses
 *            of one byte is not found.
 */
#ifndef FRT_SHARED_MAPPING_H
#define FRT_SHARED_MAPPING_H

#include "rt.h"
#include <stddef.h>

/* Mappings that are not the first of their bytes. */
extern uint32_t frt_aliases;

const void *frt_alias_find(const void *p);

static inline const void *frt_alias(const void *p)
{
	return frt_likely(!__atomic_load_n(&frt_aliases, __ATOMIC_RELAXED)) ? p : frt_alias_find(p);
}

/* After bytes [offset, offset + n) of an object were mapped at p, shared; before that ends. */
void frt_alias_map(const void *p, size_t n, uint64_t object, uint64_t offset);
void frt_alias_unmap(const void *p, size_t n);

#endif
