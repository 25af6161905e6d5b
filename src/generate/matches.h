/*
 * The matches of a generator: events of the run that fit its kind of bug. They are grouped by a
 * key, most often their sites. For each group the few best are kept: near each other, early in the
 * run, and with different threads and locks. fr_matches_write makes instances of them.
 */
#ifndef FR_GENERATE_MATCHES_H
#define FR_GENERATE_MATCHES_H

#include "generate/generate.h"

struct fr_match {
	const fr_ev *ev;  /* fr_match_group.nev events */
	uint32_t context; /* hash of threads and locks */
	uint32_t apart;	  /* roughly how far events have to be moved */
	fr_ev end;	  /* the last event in the run */
	uint32_t note;	  /* for the generator, when it writes the instances */
};
struct fr_match_group {
	uint64_t key, bug;
	enum fr_region region;
	enum fr_shape shape;
	uint32_t nev;
	/* The rest belongs to fr_matches. */
	uint64_t seen;
	fr_ev *events; /* nev for each match */
	uint8_t n;
	uint8_t worst; /* index of the worst match */
	uint8_t twice; /* bit i: another match has the context of match i */
	struct fr_match match[FR_INSTANCES];
};
_Static_assert(FR_INSTANCES <= 8 && FR_INSTANCES / 4 > 0, "bits of `twice`; fewer of each");
struct fr_matches {
	struct fr_map index; /* key -> index into group + 1 */
	FR_VEC(struct fr_match_group) group;
	size_t max;	       /* limit for group */
	size_t max_near, near; /* limit for neighbourhoods in group; their number */
	size_t many; /* above this number in group, fewer instances of each; 0 = no limit */
};

/* Returns the number of matches that were added under this key or refused by fr_matches_want. */
uint64_t fr_matches_seen(const struct fr_matches *x, uint64_t key);
/* Returns whether fr_matches_add would keep w, whose events may be missing. If the answer is no,
   counts w unless its context is new to the group. */
bool fr_matches_want(struct fr_matches *x, uint64_t key, const struct fr_match *w);
/* Of the matches that end after w, fr_matches_add would keep only those that are less `apart` than
   this. same: they have its context. UINT32_MAX: not known. */
uint32_t fr_matches_near(const struct fr_matches *x, uint64_t key, const struct fr_match *w,
			 bool same);
/* of: key (63 bits), bug, region, shape, nev. Returns false if the limit of groups is reached. */
bool fr_matches_add(struct fr_matches *x, const struct fr_match_group *of,
		    const struct fr_match *w);
/* Keeps the groups with the lowest rank, at most max; returns the number of the others. `rank` gets
   the matches of a group, best first. If the rank is above the limit, any number above it will
   do. */
size_t fr_matches_choose(struct fr_matches *x, size_t max,
			 uint64_t (*rank)(void *arg, const struct fr_match *w, uint32_t n,
					  uint64_t limit),
			 void *arg);
/* Makes groups. `write` adds the instances for n matches, best first. */
void fr_matches_write(struct fr_matches *x,
		      void (*write)(void *arg, struct fr_group *g, const struct fr_match *w,
				    uint32_t n),
		      void *arg, struct fr_groups *ret);
void fr_matches_free(struct fr_matches *x);

/* The access in e's step that reads ('R') or writes ('W') e's location. */
fr_ev fr_instance_part(const struct fr_model *m, fr_ev e, char what);

/* A rough distance. All distances below 256 count as equal. */
static inline uint32_t fr_apart(fr_ev a, fr_ev b)
{
	fr_ev d = a < b ? b - a : a - b;

	return d < 256 ? 0 : 32 - (uint32_t)__builtin_clz(d);
}

#endif
