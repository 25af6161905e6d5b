/*
 * Who owns a location: the ownership table, the filter that decides the speed of recording.
 *
 * Meaning:   a *granule* is 8 aligned bytes. A cell says which thread alone has touched a granule
 *            since the cell was claimed (its owner), or that several threads read it (FRT_READERS).
 *            Accesses of the owner at a *hot* site (one that this thread has executed often) are
 *            not written; the cell keeps the last write and the last read of that sort instead, and
 *            they are written down (LAST_WRITE, LAST_READ) when another thread comes or the memory
 * is freed. Accesses at cold sites, the first access after a claim, and all accesses to granules of
 * several threads are kept. Chunks:    a second, coarser table says for each 512 bytes which thread
 * alone has touched them, so that a claim inside a thread's own memory need not be kept either.
 * Range accesses (loops, memcpy) do not claim cells: they touch chunks, and in a chunk that is not
 * the thread's own they first write down and empty the cells. Bounded:   both tables have a fixed
 * size. Granules that fall on one cell push each other out, and what the cell knew of its owner's
 * last accesses is forgotten, and counted. Races:     cells are read and written without locks. A
 * thread that comes at the very moment the owner drops an access may miss that one access; the next
 * touch by another thread writes it down. Keys are single words: a cell is never torn between two
 * granules, but the last accesses may be of one access more or less than the key's moment. Loses:
 * between two threads' visits to a granule, the owner's accesses at hot sites other than its first,
 * last read and last write; of forgotten cells, the last too. Switched off by private=0.
 */
#ifndef FRT_SHADOW_H
#define FRT_SHADOW_H

#include "format/event.h"
#include <stdint.h>

_Static_assert(FR_SITE_BITS == 22, "frt_last packs a site");

struct frt_cell {
	uint64_t key; /* granule : 45 | owner : 18 | migrated : 1; 0: empty */
	union {
		struct {
			uint64_t
			    last_w; /* the last write that was not kept, see frt_last; 0: none */
			uint64_t last_r; /* the same of the last read */
		};
		uint32_t reader[4]; /* of FRT_READERS: who has read what lately, see frt_reader */
	};
	uint64_t content; /* the granule's bytes after that write */
};

#define FRT_CELL_BITS 20
#define FRT_CELLS (UINT64_C(1) << FRT_CELL_BITS)
#define FRT_GRANULE_BITS 45
#define FRT_OWNER_MASK UINT64_C(0x3ffff)
#define FRT_READERS FRT_OWNER_MASK
#define FRT_MIGRATED (UINT64_C(1) << 63)

#define FRT_CHUNK_SHIFT 9
#define FRT_CHUNK_BITS 18

/*
 * An access in one word: low bits of its hook index, place and size in the granule, site. The index
 * is completed from the owner's present one. Its upper bits are mixed with the lowest three of the
 * owner's number, so that what the owner before stored too late, when the cell was already
 * another's, shows as an access of long ago: those older than FRT_LAST_OLD hooks are not believed.
 */
#define FRT_LAST_IDX_BITS 37
#define FRT_LAST_OLD (UINT64_C(1) << (FRT_LAST_IDX_BITS - 4))
/* `owner`: the thread's number << FRT_GRANULE_BITS, as in a key. */
static inline uint64_t frt_last(uint64_t owner, uint64_t idx, uint64_t offset, unsigned log2,
				uint32_t site)
{
	return (idx << 27 ^ owner << (61 - FRT_GRANULE_BITS)) | (uint64_t)log2 << 25 |
	       offset << 22 | site;
}

/*
 * A thread's reads of a granule since its last synchronisation, in one word: thread : 12 | its
 * synchronisations : 12 | bytes read : 8. Threads that share a word push each other out, which only
 * makes them keep more.
 */
static inline uint32_t frt_reader(uint32_t id, uint32_t epoch, uint32_t bytes)
{
	return id << 20 | (epoch & 0xfff) << 8 | bytes;
}

static inline uint64_t frt_granule(const void *addr)
{
	return (uint64_t)(uintptr_t)addr >> 3;
}

static inline uint64_t frt_cell_index(uint64_t granule)
{
	return (granule ^ granule >> FRT_CELL_BITS) & (FRT_CELLS - 1);
}

static inline uint64_t frt_key_granule(uint64_t key)
{
	return key & ((UINT64_C(1) << FRT_GRANULE_BITS) - 1);
}

static inline uint64_t frt_key_owner(uint64_t key)
{
	return key >> FRT_GRANULE_BITS & FRT_OWNER_MASK;
}

/* Executions of one site in one thread after which it is hot. Fits the sign bit of a byte. */
#define FRT_HOT 128
/* Sites beyond this share counters. */
#define FRT_HOT_SITES (1u << 20)

#endif
