/* Data shared by slice.c, slice_facts.c, slice_close.c and slice_explain.c. */
#ifndef FR_CAUSALITY_SLICE_INTERNAL_H
#define FR_CAUSALITY_SLICE_INTERNAL_H

#include "causality/slice.h"
#include "causality/slice_reach.h"
#include <pthread.h>

/* The events of one free read site in one thread, ascending: list[from] ... list[end - 1]. */
struct fr_slice_reads {
	uint32_t thread, site; /* site: number of the free read site */
	uint32_t from, end;
};

/* A location with a write of which the free reads of `set` decide whether it executes. */
struct fr_slice_doubt {
	uint32_t loc, set;
	/* Indices into `watch`: the first READ of each thread that matters always, and the free
	   read sites with READs of the location. */
	uint32_t first, nfirst;
	uint32_t site, nsites;
};

/* The state if all reads of a set matter, in all threads. */
struct fr_slice_whole {
	uint32_t set;
	fr_ev *limit, *covered;
};

/* The free reads that matter: of each list, the events below a limit. */
struct fr_slice_state {
	fr_ev *limit;			     /* of each fr_slice_reads */
	fr_ev *covered;			     /* of each thread: reads below it have been followed */
	FR_VEC(fr_ev) todo;		     /* READs whose writes must become reliable */
	FR_VEC(struct fr_slice_whole) whole; /* computed so far */
	uint64_t work;			     /* steps so far */
};

struct fr_slice_needs {
	uint64_t *v;
	size_t n, cap;
};

/* The coarse mask of all candidates with the same needs. */
struct fr_slice_coarse {
	struct fr_slice_needs needs;
	const struct fr_mask *mask;
};

struct fr_slice {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_slice_graph *g;
	struct fr_slice_reach *reach;
	uint32_t nsites;
	/* of each site of the run: the set of free reads that reach the value, or the execution, of
	   a WRITE there */
	uint32_t *support;
	uint32_t *execute; /* the set of free reads that reach the execution of the site */
	FR_VEC(struct fr_slice_reads) reads;
	struct fr_map by_reads; /* thread << 32 | free read -> index + 1 */
	fr_ev *list;
	FR_VEC(fr_ev) open; /* WRITEs with a support that is not empty, ascending */
	FR_VEC(fr_ev) *
	    followed; /* of each thread: READs that matter always and saw an open write */
	FR_VEC(struct fr_slice_doubt) doubt;
	FR_VEC(uint32_t) watch;
	uint64_t *base; /* bits: READs that matter always */
	bool *inert;	/* of each free read site; NULL: there are none */

	pthread_mutex_t lock; /* protects everything below */
	struct fr_slice_state now;
	struct fr_slice_state most; /* limits for a reordering of the whole run, once computed */
	bool has_most;
	FR_VEC(struct fr_slice_mask *) mask;
	struct fr_map by_limits; /* hash of the limits -> mask + 1 */
	FR_VEC(struct fr_slice_coarse) coarse;
	struct fr_map by_needs; /* hash of the needs -> coarse + 1 */
	struct fr_slice_needs needs;
	struct fr_slice_stats stats;
};

struct fr_slice_mask {
	struct fr_mask mask; /* owns its bits */
	fr_ev *limit;	     /* rounded: see fr_slice_close_round */
};

/* slice_facts.c: adds facts of the run to the graph: sinks for memory that the model leaves out,
   and reads that stand for others. nsites: above every site of the model. */
void fr_slice_facts(const struct fr_model *m, uint32_t nsites, struct fr_slice_graph *g);
/* slice_tables.c: numbers the events: reads, open, followed, doubt, base. */
void fr_slice_tables(struct fr_slice *s);
void fr_slice_tables_free(struct fr_slice *s);

/* slice_inert.c: after the tables. */
void fr_slice_find_inert(struct fr_slice *s);

/* slice_close.c */
void fr_slice_state_init(const struct fr_slice *s, struct fr_slice_state *x);
void fr_slice_state_free(struct fr_slice_state *x);
/* Finds the free reads that matter to a candidate, into a state that this function clears. */
void fr_slice_close(const struct fr_slice *s, const struct fr_candidate *what,
		    struct fr_slice_state *x);
/* The same for reorderings in which all these events happen. */
void fr_slice_close_events(const struct fr_slice *s, const fr_ev *ev, uint32_t n,
			   struct fr_slice_state *x);
/* The same for all candidates at once, without the free reads that decide about the execution of
   targets. */
void fr_slice_close_most(const struct fr_slice *s, struct fr_slice_state *x);
/* The sets of free reads that reach the targets of a candidate, with their threads: thread << 32 |
   set, ascending, each pair once. */
void fr_slice_close_needs(const struct fr_slice *s, const struct fr_candidate *what,
			  struct fr_slice_needs *ret);
/* Adds the needs of a candidate to it: all reads of the sets in the thread, of the whole run. */
void fr_slice_close_whole(const struct fr_slice *s, const struct fr_slice_needs *needs,
			  struct fr_slice_state *x);
/* Lowers each limit to just above the last event that it includes; 0 if it includes none. */
void fr_slice_close_round(const struct fr_slice *s, struct fr_slice_state *x);

/* The list of the events of a free read site in a thread; NULL: it has none. */
static inline const struct fr_slice_reads *fr_slice_reads_of(const struct fr_slice *s,
							     uint32_t thread, uint32_t site)
{
	const uint64_t *at = fr_map_get(&s->by_reads, (uint64_t)thread << 32 | site);

	return at ? &s->reads.v[*at - 1] : NULL;
}

static inline uint32_t fr_slice_support(const struct fr_slice *s, fr_ev write)
{
	const struct fr_mev *e = &s->m->ev[write];

	return e->flags & FR_F_SYNTH ? 0 : s->support[e->site];
}

#endif
