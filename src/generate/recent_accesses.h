/*
 * The recent accesses to one location, by class. Accesses of one thread from one site with the same
 * locks held and the same bytes form a class, and only the last one of each class is kept, with the
 * first one. Each class is in one list, which the generator chooses; the class of the latest access
 * comes first. If there are too many classes, the one with the oldest last access is forgotten.
 */
#ifndef FR_GENERATE_RECENT_ACCESSES_H
#define FR_GENERATE_RECENT_ACCESSES_H

#include "generate/region.h"

#define FR_RECENT_CLASSES 64
#define FR_RECENT_LISTS 64 /* lists per location */
#define FR_RECENT_SLOTS 128
#define FR_RECENT_NONE UINT8_MAX
_Static_assert(FR_RECENT_CLASSES <= FR_RECENT_NONE && FR_RECENT_LISTS <= UINT8_MAX &&
		   FR_RECENT_SLOTS <= UINT8_MAX,
	       "indices of 8 bits");

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
	fr_ev first;	/* the first one, for fr_recent_value */
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
/* Adds a class that does not exist yet, without an access and not linked. */
struct fr_recent_class *fr_recent_add(struct fr_recent *x, uint64_t key,
				      struct fr_recent_list *list, const struct fr_mev *v);
/* For fr_recent_seen: the class, which has a count, becomes the newest of its list. */
void fr_recent_make_newest(struct fr_recent *x, struct fr_recent_class *k);
/* Sets the write before `a` in the list, and notes the bytes that `a` writes. */
void fr_recent_wrote(struct fr_recent_list *list, struct fr_recent_access *a);

/* The class with this key, or NULL. */
static inline struct fr_recent_class *fr_recent_find(struct fr_recent *x, uint64_t key)
{
	uint8_t slot = (uint8_t)(key % FR_RECENT_SLOTS), i;

	if (x->table[slot].epoch != x->epoch) {
		x->table[slot].epoch = x->epoch;
		x->table[slot].class = FR_RECENT_NONE;
	}
	i = x->table[slot].class;
	while (i != FR_RECENT_NONE && x->v[i].key != key)
		i = x->v[i].next;
	return i == FR_RECENT_NONE ? NULL : &x->v[i];
}

/* Counts another access of the class, and makes it the newest of its list. */
static inline void fr_recent_seen(struct fr_recent *x, struct fr_recent_class *k)
{
	if (!k->count++ || k->newer != FR_RECENT_NONE)
		fr_recent_make_newest(x, k);
}

/* Makes e the last access of the class. Keeps the first one, and the last one whose value differs
   from e's. */
static inline void fr_recent_value(struct fr_recent_class *k, fr_ev e, const struct fr_mev *v)
{
	uint64_t value = v->value;

	if (v->flags & FR_F_NOVALUE)
		value = ~UINT64_C(0);
	else if (v->mask != 0xff)
		value &= fr_mask_bytes(v->mask);
	k->first = k->first == FR_NO_EV ? e : k->first;
	/* a choice without a branch: nobody can predict values */
	k->other = ((k->count > 1) & (k->value != value)) ? k->last.ev : k->other;
	k->value = value;
	k->last.ev = e;
}

#endif
