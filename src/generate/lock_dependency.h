/*
 * Lock dependencies: a thread that holds some locks waits for another lock, or for the end of a
 * thread. Waits that are alike (thread, locks, sites) are one dependency, with a few instances
 * spread over the run.
 */
#ifndef FR_GENERATE_LOCK_DEPENDENCY_H
#define FR_GENERATE_LOCK_DEPENDENCY_H

#include "generate/generate.h"

#define FR_DEPEND_INSTANCES 16

/* A lock; or, from the number of locks on, a thread, which holds itself until its end. */
typedef uint32_t fr_resource;

struct fr_lock_dependency {
	uint32_t thread;
	fr_resource wants;
	bool shared; /* it would acquire it shared */
	/* against the order that most dependencies follow: see mark_against */
	bool against;
	uint32_t held, nheld; /* range of fr_depends.held; without the thread itself */
	uint64_t sites;	      /* hash of the sites of the wait and of the acquisitions */
	uint32_t n;	      /* number of instances */
	uint32_t every, seen;
	fr_ev ev[FR_DEPEND_INSTANCES];
};
struct fr_depend_held {
	uint32_t lock;
	bool shared;
};

struct fr_depends {
	FR_VEC(struct fr_lock_dependency) dep;
	FR_VEC(struct fr_depend_held) held;
	uint32_t nlocks, nthreads;
	/* By resource held: those that hold resource i are list[first[i]] ..., sorted by
	   `wants`. */
	uint32_t *first, *list;
};

void fr_depends_init(struct fr_depends *d, const struct fr_model *m);
void fr_depends_free(struct fr_depends *d);
/* The i-th resource that a dependency holds: its locks, then, with i == nheld, the thread
   itself. */
fr_resource fr_depend_holds(const struct fr_depends *d, const struct fr_lock_dependency *p,
			    uint32_t i);
/* Index into the list of the first that holds the one and wants the other. */
uint32_t fr_depends_from(const struct fr_depends *d, fr_resource holds, fr_resource wants);
/* Must b's thread release something before a can continue? */
bool fr_depend_waits_for(const struct fr_depends *d, const struct fr_lock_dependency *a,
			 const struct fr_lock_dependency *b);
/* Is it impossible that both hold their locks at the same time? */
bool fr_depend_exclude(const struct fr_depends *d, const struct fr_lock_dependency *a,
		       const struct fr_lock_dependency *b);

#endif
