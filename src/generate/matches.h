/*
 * The finds of a generator, grouped by their sites. For each combination of sites it keeps the few
 * best instances: near each other, early in the run, and with different threads and locks.
 */
#ifndef FR_GENERATE_MATCHES_H
#define FR_GENERATE_MATCHES_H

#include "generate/generate.h"

#define FR_FIND_EVENTS 4

struct fr_find {
	fr_ev ev[FR_FIND_EVENTS];
	uint32_t context; /* hash of threads and locks */
	uint32_t apart;	  /* roughly how far events have to be moved */
	fr_ev end;	  /* the last event in the run */
	uint32_t forms;	  /* for the function that writes the instances */
};
struct fr_found {
	uint64_t key, bug;
	enum fr_region region;
	const char *shape;
	uint64_t seen;
	uint8_t n;
	uint8_t worst; /* index of the worst find */
	bool distinct; /* all contexts are different */
	struct fr_find find[FR_INSTANCES];
};
struct fr_finds {
	struct fr_map index; /* key -> index into found + 1 */
	FR_VEC(struct fr_found) found;
	size_t max;	       /* limit for found */
	size_t max_near, near; /* limit for neighbourhoods in found; their number */
	size_t many;	       /* above this number in found, fewer instances of each */
};

/* Would fr_finds_add keep it? If not, counts it. */
bool fr_finds_wants(struct fr_finds *x, uint64_t key, const struct fr_find *f);
/* what: key, bug, region, shape. Returns false if the limit of found is reached. */
bool fr_finds_add(struct fr_finds *x, const struct fr_found *what, const struct fr_find *f);
/* Makes groups. `write` adds the instances for n finds, best first. */
void fr_finds_write(struct fr_finds *x,
		    void (*write)(void *arg, struct fr_group *g, const struct fr_find *f,
				  uint32_t n),
		    void *arg, struct fr_groups *ret);
void fr_finds_free(struct fr_finds *x);

/* The access in e's step that reads ('R') or writes ('W') e's location. */
fr_ev fr_instance_part(const struct fr_model *m, fr_ev e, char what);

/* A rough distance. All distances below 256 count as equal. */
static inline uint32_t fr_apart(fr_ev a, fr_ev b)
{
	fr_ev d = a < b ? b - a : a - b;

	return d < 256 ? 0 : 32 - (uint32_t)__builtin_clz(d);
}

#endif
