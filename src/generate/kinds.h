/*
 * The accesses to one location by kind. Accesses of one thread from one site with the same locks
 * held and the same bytes are alike, and only the last of each kind is kept. Each kind is in one
 * list, which its generator chooses, that of the latest access first. If there are too many kinds,
 * the one with the oldest last access is forgotten.
 */
#ifndef FR_GENERATE_KINDS_H
#define FR_GENERATE_KINDS_H

#include "generate/region.h"

#define FR_KINDS_MAX 64
#define FR_KIND_LISTS 64 /* lists per location */
#define FR_KIND_SLOTS 128
#define FR_KIND_NONE UINT8_MAX

/* One access, or the accesses of one step to the location. */
struct fr_kind_access {
	fr_ev ev; /* the first of them */
	uint32_t span;
	uint16_t what; /* mask of the bytes read | mask of the bytes written << 8 */
	/* The last earlier step of the list that writes the location, and the mask written; 0 =
	   none. */
	uint8_t wrote;
	fr_ev write;
};

struct fr_kind {
	uint64_t key;
	struct fr_kind_access last;
	uint32_t site, count;
	struct fr_code code;
	uint16_t thread;
	uint8_t list, older, newer; /* index of the list; neighbours in it */
	uint8_t slot, next;	    /* slot in the table; next kind in that slot */
};

struct fr_kind_list {
	uint32_t epoch;
	uint16_t number;
	uint8_t newest; /* the kind of the latest access, or FR_KIND_NONE */
	uint8_t wrote;	/* like in fr_kind_access, up to now */
	fr_ev write;
};

struct fr_kinds {
	struct fr_kind v[FR_KINDS_MAX];
	uint32_t n;
	bool forgot;	/* the last fr_kinds_add displaced a kind */
	uint32_t epoch; /* number of the current location */
	struct fr_kind_list list[FR_KIND_LISTS];
	struct {
		uint32_t epoch;
		uint8_t kind;
	} table[FR_KIND_SLOTS];
};

/* Starts another location. */
void fr_kinds_clear(struct fr_kinds *x);
/* The list with this number, such as a thread. Returns NULL if there are too many. */
struct fr_kind_list *fr_kinds_list(struct fr_kinds *x, uint16_t number);
/* The kind with this key, or NULL. */
struct fr_kind *fr_kinds_find(struct fr_kinds *x, uint64_t key);
/* Adds a kind that does not exist yet, without an access and not linked. */
struct fr_kind *fr_kinds_add(struct fr_kinds *x, uint64_t key, struct fr_kind_list *list,
			     const struct fr_mev *v);
/* Counts another access of the kind, and makes it the newest of its list. */
void fr_kinds_seen(struct fr_kinds *x, struct fr_kind *k);
/* Sets the write before `a` in the list, and notes what `a` writes. */
void fr_kinds_wrote(struct fr_kind_list *list, struct fr_kind_access *a);

#endif
