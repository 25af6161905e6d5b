/*
 * Lock dependencies: a thread that holds some locks waits for another one, or for the end of a
 * thread. What is alike (thread, locks, places in the program) is one dependency with a few
 * instances, spread over the run.
 */
#ifndef FR_GENERATE_LOCK_DEPENDENCY_H
#define FR_GENERATE_LOCK_DEPENDENCY_H

#include "generate/generate.h"

#define FR_DEPEND_INSTANCES 16

/* A lock, or, numbered from the number of locks on, a thread: "held" by itself until its end. */
typedef uint32_t fr_resource;

struct fr_lock_dependency {
	uint32_t thread;
	fr_resource wants;
	bool shared;	      /* wants it shared */
	bool against;	      /* the order that most of them follow */
	uint32_t held, nheld; /* in fr_depends.held; not the thread itself */
	uint64_t sites;	      /* hash of the places: of the wait and of the acquisitions */
	uint32_t n;	      /* instances */
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
	/* By what they hold: those of resource i are list[first[i]] ..., by what they want */
	uint32_t *first, *list;
};

void fr_depends_init(struct fr_depends *d, const struct fr_model *m);
void fr_depends_free(struct fr_depends *d);
/* What a dependency holds: its locks, then, with i == nheld, the thread itself. */
fr_resource fr_depend_holds(const struct fr_depends *d, const struct fr_lock_dependency *p,
			    uint32_t i);
/* Place in the list of the first that holds one and wants the other. */
uint32_t fr_depends_from(const struct fr_depends *d, fr_resource holds, fr_resource wants);
/* Must b's thread give something up before a can go on? */
bool fr_depend_waits_for(const struct fr_depends *d, const struct fr_lock_dependency *a,
			 const struct fr_lock_dependency *b);
/* Can both not hold what they hold at once? */
bool fr_depend_exclude(const struct fr_depends *d, const struct fr_lock_dependency *a,
		       const struct fr_lock_dependency *b);

#endif
