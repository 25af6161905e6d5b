/*
 * What a generator found, by the places in the program: of each combination of places the best few,
 * near each other and early in the run, of different threads and locks.
 */
#ifndef FR_GENERATE_INSTANCES_H
#define FR_GENERATE_INSTANCES_H

#include "generate/generate.h"

#define FR_FIND_EVENTS 4

struct fr_find {
	fr_ev ev[FR_FIND_EVENTS];
	uint32_t context; /* hash of threads and locks */
	uint32_t apart;	  /* how far events have to be moved */
	fr_ev end;	  /* the last of them in the run */
	uint32_t forms;	  /* for who writes the instances */
};
struct fr_found {
	uint64_t key, bug;
	const char *region, *shape;
	uint64_t seen;
	uint8_t n;
	uint8_t worst; /* of find */
	bool distinct; /* no context is there twice */
	struct fr_find find[FR_INSTANCES];
};
struct fr_finds {
	struct fr_map index; /* key: place in found + 1 */
	FR_VEC(struct fr_found) found;
	size_t max;	       /* of found */
	size_t max_near, near; /* of neighbourhoods among them; how many there are */
	size_t many;	       /* found: beyond it, fewer instances of each */
};

/* Would it be kept? If not, it is counted. */
bool fr_finds_wants(struct fr_finds *x, uint64_t key, const struct fr_find *f);
/* what: key, bug, region, shape. False: there are too many already. */
bool fr_finds_add(struct fr_finds *x, const struct fr_found *what, const struct fr_find *f);
/* Makes groups; `write` adds the instances for some finds, best first. */
void fr_finds_write(struct fr_finds *x,
		    void (*write)(void *arg, struct fr_group *g, const struct fr_find *f,
				  uint32_t n),
		    void *arg, struct fr_groups *ret);
void fr_finds_free(struct fr_finds *x);

/* The access of the step that e is in which reads ('R') or writes ('W') e's location. */
fr_ev fr_find_part(const struct fr_model *m, fr_ev e, char what);

/* How far apart, roughly: all that are near are as near as each other. */
static inline uint32_t fr_apart(fr_ev a, fr_ev b)
{
	fr_ev d = a < b ? b - a : a - b;

	return d < 256 ? 0 : 32 - (uint32_t)__builtin_clz(d);
}

#endif
