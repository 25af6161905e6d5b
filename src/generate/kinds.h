/*
 * Accesses of one location by kind: those of one thread, from one place in the program, with the
 * same locks held, of the same bytes, are alike, and the last of each kind is kept. The kinds of a
 * thread are linked, that of its latest access first. Where there are too many kinds, the one
 * whose last access is the oldest is forgotten.
 */
#ifndef FR_GENERATE_KINDS_H
#define FR_GENERATE_KINDS_H

#include "generate/region.h"

#define FR_KINDS_MAX 64
#define FR_KIND_LANES 64 /* threads */
#define FR_KIND_SLOTS 128
#define FR_KIND_NONE UINT8_MAX

/* One step's accesses of the location. */
struct fr_kind_access {
	fr_ev ev; /* the first of them */
	uint32_t span;
	uint16_t what; /* mask of what is read; of what is written << 8 */
	/* The thread's last step before it that writes the location, and what; mask 0: none. */
	uint8_t wrote;
	fr_ev write;
};

struct fr_kind {
	uint64_t key;
	struct fr_kind_access last;
	uint32_t site, count;
	struct fr_code code;
	uint16_t thread;
	uint8_t older, newer; /* of the thread */
	uint8_t slot, next;   /* in the table; the next one there */
};

struct fr_kinds {
	struct fr_kind v[FR_KINDS_MAX];
	uint32_t n;
	bool forgot;	/* one, when the last was added */
	uint32_t epoch; /* of the location */
	struct {
		uint32_t epoch;
		uint16_t thread;
		uint8_t newest;
		uint8_t wrote; /* as in fr_kind_access, up to now */
		fr_ev write;
	} lane[FR_KIND_LANES];
	struct {
		uint32_t epoch;
		uint8_t kind;
	} table[FR_KIND_SLOTS];
};

/* For another location. */
void fr_kinds_clear(struct fr_kinds *x);
/* The kind of the thread's latest access, FR_KIND_NONE if it has none; NULL: too many threads. */
uint8_t *fr_kinds_newest(struct fr_kinds *x, uint16_t thread);
/* FR_KIND_NONE: it is not there. */
uint8_t fr_kinds_find(struct fr_kinds *x, uint64_t key);
/* One that is not there, without an access as yet, and not linked. */
uint8_t fr_kinds_add(struct fr_kinds *x, uint64_t key, const struct fr_mev *v, struct fr_code code);
/* There is another access of it: counts it, and makes it the newest of its thread. */
void fr_kinds_seen(struct fr_kinds *x, uint8_t i, uint8_t *newest);
/* Sets what the thread wrote before it, and notes what it writes. newest: of fr_kinds_newest. */
void fr_kinds_wrote(struct fr_kinds *x, const uint8_t *newest, struct fr_kind_access *a);

#endif
