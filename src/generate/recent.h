/*
 * The recent accesses to one location, by class. Accesses of one thread from one site with the same
 * locks held and the same bytes form a class, and only the last one of each class is kept. Each
 * class is in one list, which the generator chooses; the class of the latest access comes first. If
 * there are too many classes, the one with the oldest last access is forgotten.
 */
#ifndef FR_GENERATE_RECENT_H
#define FR_GENERATE_RECENT_H

#include "generate/region.h"

#define FR_RECENT_CLASSES 64
#define FR_RECENT_LISTS 64 /* lists per location */
#define FR_RECENT_SLOTS 128
#define FR_RECENT_NONE UINT8_MAX

/* One access, or the accesses of one step to the location. */
struct fr_recent_access {
	fr_ev ev; /* the first of them */
	uint32_t span;
	uint16_t what; /* mask of the bytes read | mask of the bytes written << 8 */
	/* The last earlier step of the list that writes the location, and the mask written; 0 =
	   none. */
	uint8_t wrote;
	fr_ev write;
};

struct fr_recent_class {
	uint64_t key;
	struct fr_recent_access last;
	uint64_t value; /* of `last`, for fr_recent_value */
	fr_ev other;	/* the last one with another value than `last`; FR_NO_EV if there is none */
	uint32_t site, count;
	struct fr_code code;
	uint16_t thread;
	uint8_t list, older, newer; /* index of the list; neighbours in it */
	uint8_t slot, next;	    /* slot in the table; next class in that slot */
};

struct fr_recent_list {
	uint32_t epoch;
	uint16_t number;
	uint8_t newest; /* the class of the latest access, or FR_RECENT_NONE */
	uint8_t wrote;	/* like in fr_recent_access, up to now */
	fr_ev write;
};

struct fr_recent {
	struct fr_recent_class v[FR_RECENT_CLASSES];
	uint32_t n;
	bool forgot;	/* the last fr_recent_add displaced a class */
	uint32_t epoch; /* number of the current location */
	struct fr_recent_list list[FR_RECENT_LISTS];
	struct {
		uint32_t epoch;
		uint8_t class;
	} table[FR_RECENT_SLOTS];
};

/* Starts another location. */
void fr_recent_clear(struct fr_recent *x);
/* The list with this number, such as a thread. Returns NULL if there are too many. */
struct fr_recent_list *fr_recent_list(struct fr_recent *x, uint16_t number);
/* The class with this key, or NULL. */
struct fr_recent_class *fr_recent_find(struct fr_recent *x, uint64_t key);
/* Adds a class that does not exist yet, without an access and not linked. */
struct fr_recent_class *fr_recent_add(struct fr_recent *x, uint64_t key,
				      struct fr_recent_list *list, const struct fr_mev *v);
/* Makes e the last access of the class, and keeps the last one whose value differs from e's. */
void fr_recent_value(struct fr_recent_class *k, fr_ev e, const struct fr_mev *v);
/* Counts another access of the class, and makes it the newest of its list. */
void fr_recent_seen(struct fr_recent *x, struct fr_recent_class *k);
/* Sets the write before `a` in the list, and notes what `a` writes. */
void fr_recent_wrote(struct fr_recent_list *list, struct fr_recent_access *a);

#endif
