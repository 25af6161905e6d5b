/* How the slow path of an access is put together: shadow.c decides, access.c writes. */
#ifndef FRT_ACCESS_H
#define FRT_ACCESS_H

#include "rt.h"
#include "shadow.h"

/* What the ownership table says of an access to one granule. */
enum frt_touch {
	FRT_TOUCH_MINE,	  /* nobody else has touched it: may be dropped if the site is hot */
	FRT_TOUCH_SHARED, /* a read of what several threads read: kept unless it repeats */
	FRT_TOUCH_KEEP,	  /* must be kept */
};

extern struct {
	bool private_; /* option private: drop accesses to memory of one thread */
	bool repeat;   /* option repeat: drop repeated reads */
	uint8_t hot;   /* option hot: executions that make a site hot */
} frt_filter;

/* The table and its switch; false when there is no memory for it. */
bool frt_shadow_init(void);
struct frt_cell *frt_shadow_table(void);

/* Moves the granule's cell on for an access of t, writing down what another owner did last. */
enum frt_touch frt_shadow_touch(struct frt_thread *t, uint64_t granule, bool write);
/* Remembers the part in this granule of an access to [lo, hi) that is dropped. */
void frt_shadow_remember(uint64_t granule, uint64_t lo, uint64_t hi, bool write, uint64_t idx, uint32_t site);
/* The program ends: writes down what is left of memory that other threads have touched before. */
void frt_shadow_settle(struct frt_thread *t);
/* Do other threads know any byte of [lo, hi)? True when the table cannot tell. */
bool frt_shadow_shared(struct frt_thread *t, uintptr_t lo, uintptr_t hi);
/* A range access is about to be written: empties the cells there, writing down what they know. */
void frt_shadow_sweep(struct frt_thread *t, uintptr_t lo, uintptr_t hi);

/* Entries of the repeat filter: reads since the thread's last synchronisation. */
struct frt_repeat {
	uint64_t what; /* address and size */
	uint64_t value;
	uint64_t epoch;
};
#define FRT_REPEATS 4096

#endif
