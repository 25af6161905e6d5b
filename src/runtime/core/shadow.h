/*
 * The ownership table: the filter that determines the speed of recording.
 *
 * Meaning:   a *granule* is 8 aligned bytes. A cell of the table names the only thread that has
 *            touched a granule since the cell was claimed (its owner), or says that several threads
 *            read the granule (FRT_READERS). A *hot* site is one that this thread has executed
 *            often. Accesses of the owner at hot sites are not written. Instead the cell keeps the
 *            last such write and the last such read. They are written (LAST_WRITE, LAST_READ) when
 *            another thread comes or the memory is freed. Accesses at cold sites, the first access
 *            after a claim, and all accesses to granules of several threads are kept.
 * Chunks:    a second, coarser table names for each 512 bytes the only thread that has touched
 *            them, so that a claim inside a thread's own memory need not be kept either. Range
 *            accesses (loops, memcpy) do not claim cells. They touch chunks, and in a chunk that is
 *            not the thread's own they first write the last accesses of the cells and empty them.
 * Bounded:   both tables have a fixed size. Granules that map to one cell evict each other. The
 *            last accesses in an evicted cell, and those too old to be written, are lost and
 *            counted (forgotten).
 * Races:     threads read and write cells without locks. A thread that comes at the moment when the
 *            owner drops an access may miss that access; the next touch by another thread writes
 *            it. Keys are single words, so a cell never mixes two granules, but the last accesses
 *            may be one access older or newer than the key.
 * Loses:     between two threads' visits to a granule, the owner's accesses at hot sites other than
 *            its first, last read and last write; of evicted cells, the last ones too. Option
 *            private=0 turns the table off.
 */
#ifndef FRT_SHADOW_H
#define FRT_SHADOW_H

#include "rt.h"

_Static_assert(FR_SITE_BITS == 22, "frt_last packs a site");

struct frt_cell {
	uint64_t key; /* granule : 45 | owner : 18 | migrated : 1; 0: empty */
	union {
		struct {
			uint64_t
			    last_w; /* the last write that was not kept, see frt_last; 0: none */
			uint64_t last_r; /* the last read, likewise */
		};
		/* of FRT_READERS: which threads read which bytes lately, see frt_reader */
		uint32_t reader[4];
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
 * An access in one word: low bits of its hook, offset and size in the granule, site. The
 * upper bits of the hook come from the owner's current one. The top bits of the word are mixed
 * with the lowest three bits of the owner's number. If a previous owner stored its access too late,
 * when the cell already belonged to another thread, the access therefore looks very old. Accesses
 * older than FRT_LAST_OLD hooks are not believed.
 */
#define FRT_LAST_HOOK_BITS 37
#define FRT_LAST_REST_BITS (64 - FRT_LAST_HOOK_BITS)
#define FRT_LAST_OLD (UINT64_C(1) << (FRT_LAST_HOOK_BITS - 4))
/* `owner`: the thread's number << FRT_GRANULE_BITS, as in a key. */
static inline uint64_t frt_last(uint64_t owner, uint64_t hook, uint64_t offset, unsigned log2,
				uint32_t site)
{
	return (hook << FRT_LAST_REST_BITS ^ owner << (61 - FRT_GRANULE_BITS)) |
	       (uint64_t)log2 << 25 | offset << 22 | site;
}

/* A thread's reads of a granule since its last synchronisation, in one word: thread : 12 | its
   synchronisations : 12 | bytes read : 8. Threads that share a word evict each other, which only
   makes them keep more reads. */
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

/* Sites beyond this number share counters. */
#define FRT_HOT_SITES (1u << 20)

/*
 * The hot path: drops the access of this hook, and returns true, if it is at a hot site and t owns
 * the granule. It is of 1 << log2 bytes, `offset` bytes into the granule.
 */
static inline __attribute__((always_inline)) bool frt_shadow_drop(struct frt_thread *t,
								  const void *addr, uint64_t hook,
								  uint64_t offset, unsigned log2,
								  uint32_t site, bool write)
{
	uint64_t g = frt_granule(addr), last;
	struct frt_cell *c = t->shadow + frt_cell_index(g);

	/* The shift drops the migrated flag. */
	if (frt_unlikely((__atomic_load_n(&c->key, __ATOMIC_RELAXED) ^ (g | t->owner)) << 1 != 0 ||
			 (int8_t)t->hot[site & (FRT_HOT_SITES - 1)] >= 0))
		return false;
	last = frt_last(t->owner, hook, offset, log2, site);
	if (write) {
		__atomic_store_n(&c->last_w, last, __ATOMIC_RELAXED);
		c->content = *(const uint64_t *)(g << 3);
	} else {
		__atomic_store_n(&c->last_r, last, __ATOMIC_RELAXED);
	}
	return true;
}

/* Executions of a site in one thread after which it is hot. Sets the sign bit of a byte. */
#define FRT_HOT 128

#endif
