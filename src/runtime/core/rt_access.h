/* The slow path of an access: shadow.c decides whether to keep it, rt_access.c writes it. */
#ifndef FRT_RT_ACCESS_H
#define FRT_RT_ACCESS_H

#include "runtime/control/ctl.h"
#include "rt.h"
#include "shadow.h"

/* The answer of the ownership table about an access to one granule. */
enum frt_touch {
	FRT_TOUCH_MINE,	  /* only this thread has touched it: may be dropped if the site is hot */
	FRT_TOUCH_REPEAT, /* a repeated read of a granule that several threads read: likewise */
	FRT_TOUCH_KEEP,	  /* must be kept */
};

extern struct {
	bool private_;	/* option private: drop accesses to memory of one thread */
	bool repeat;	/* option repeat: drop repeated reads */
	uint8_t hot;	/* option hot: executions that make a site hot */
	uint8_t branch; /* option branch: enum frt_branches */
	bool discard;	/* controlled and not recorded: hooks count, nothing is written */
} frt_filter;

/* Allocates the table; false when there is no memory for it. */
bool frt_shadow_init(void);
struct frt_cell *frt_shadow_table(void);

/* True if the table is in use. */
static inline bool frt_shadow_on(void)
{
	return frt_filter.private_ || frt_filter.repeat;
}

/* Is the program recorded in a fixed order? A thread may then lose its turn at the hook of a write
   that has happened, and the program may end before the thread gets another turn. So the event of
   the write comes before its hook is counted. A read has no such hurry: no other thread sees it. */
static inline bool frt_ordered(void)
{
	return frt_controlled() && frt_ctl->recording && !frt_filter.discard;
}

/* May the thread lose its turn at the hook of its present write? */
static inline bool frt_write_first(const struct frt_thread *t)
{
	return frt_unlikely(t->hook + 1 >= t->limit) && frt_ordered() && !t->announced_addr;
}

/* Updates the granule's cell for an access of t, and writes the last accesses of another owner.
   `bytes`: the bytes of the granule that are read, one bit each; 0 for a write. */
enum frt_touch frt_shadow_touch(struct frt_thread *t, uint64_t granule, uint32_t bytes);
/* The bytes of [lo, hi) that lie in granule g, one bit each. */
static inline uint32_t frt_granule_bytes(uint64_t g, uint64_t lo, uint64_t hi)
{
	uint32_t from = lo > g << 3 ? lo & 7 : 0;
	uint32_t to = hi < (g + 1) << 3 ? (uint32_t)(hi - (g << 3)) : 8;

	return (1u << to) - (1u << from);
}
/* Writes the access of a hook that has been counted. site_access: see frt_slow_access. */
void frt_access_kept(struct frt_thread *t, uint64_t hook, const void *addr, uint64_t value,
		     uint64_t site_access);
/* Remembers the part of a dropped access to [lo, hi) that lies in this granule. */
static inline void frt_shadow_remember(struct frt_thread *t, uint64_t hook, uint64_t g, uint64_t lo,
				       uint64_t hi, bool write, uint32_t site)
{
	struct frt_cell *c = t->shadow + frt_cell_index(g);
	uint64_t from = lo > g << 3 ? lo & 7 : 0,
		 n = (hi < (g + 1) << 3 ? hi - (g << 3) : 8) - from;
	uint64_t last;

	if (n & (n - 1) || from & (n - 1)) /* any other part of a granule counts as all of it */
		from = 0, n = 8;
	last = frt_last(t->owner, hook, from, (unsigned)__builtin_ctzll(n), site);
	if (write) {
		__atomic_store_n(&c->last_w, last, __ATOMIC_RELAXED);
		c->content = *(const uint64_t *)(g << 3);
	} else {
		__atomic_store_n(&c->last_r, last, __ATOMIC_RELAXED);
	}
}

/* At the end of the program: writes the remaining last
   accesses to memory that several threads touched. */
void frt_shadow_settle(struct frt_thread *t);
/* True if other threads may have touched a byte of [lo, hi). */
bool frt_shadow_shared(struct frt_thread *t, uintptr_t lo, uintptr_t hi);
/* Before a range access is written: empties the cells there and writes their last accesses. */
void frt_shadow_sweep(struct frt_thread *t, uintptr_t lo, uintptr_t hi);

/* A small cache of the ranges that the thread has read since its last synchronisation. */
struct frt_repeat {
	uint64_t addr, size, epoch;
};
#define FRT_REPEATS 256

#endif
