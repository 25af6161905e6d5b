/*
 * Lock dependencies: a thread that holds some resources waits for another one. Waits that are alike
 * (thread, resources, sites) are one dependency, with a few instances spread over the run.
 *
 * A resource is something that one thread waits for and another one gives:
 *
 *   lock       the thread that holds it; also a lock that the program makes of atomics
 *              (model/atomic_lock.h, own_lock.h)
 *   queue      at a rwlock that prefers writers, readers wait behind a waiting writer
 *   semaphore  a thread that posts it more often than it still waits for it
 *   condition  a thread that signals it later
 *   barrier    (one generation) a thread that has yet to enter
 *   once       the thread that runs the routine
 *   thread     itself, until its end
 *
 * A thread *holds* the resources that it would give after its wait. One holder suffices to block a
 * waiter, except at semaphores and conditions: there all threads that could still give must be
 * stuck.
 */
#ifndef FR_GENERATE_LOCK_DEPENDENCY_H
#define FR_GENERATE_LOCK_DEPENDENCY_H

#include "generate/generate.h"
#include "generate/own_lock.h"

#define FR_DEPEND_INSTANCES 16

typedef uint32_t fr_resource;
enum fr_resource_kind {
	FR_RES_LOCK,
	FR_RES_OWN,
	FR_RES_QUEUE,
	FR_RES_SEM,
	FR_RES_COND,
	FR_RES_BARRIER,
	FR_RES_ONCE,
	FR_RES_THREAD,
	FR_RES_KINDS,
};

struct fr_lock_dependency {
	uint32_t thread;
	fr_resource wants;
	bool shared; /* it would acquire it shared */
	bool many;   /* all that can give it count: a semaphore or condition */
	/* against the order that most dependencies follow: see mark_against */
	bool against;
	uint32_t held, nheld; /* range of fr_depends.held; without the thread itself */
	uint64_t sites;	      /* hash of the sites of the wait and of the acquisitions */
	uint32_t n;	      /* number of instances */
	uint32_t every, seen;
	fr_ev ev[FR_DEPEND_INSTANCES];
};
struct fr_depend_held {
	fr_resource what;
	bool shared; /* others can hold it too */
};

/* The balance of a thread at a semaphore or condition: posts or signals before each such event,
   less the waits for the semaphore. */
struct fr_depend_balance {
	FR_VEC(struct fr_depend_change {
		fr_ev ev;
		int32_t before;
	})
	change;
	int32_t all; /* at its end */
};

struct fr_lock_dependencies {
	FR_VEC(struct fr_lock_dependency) dep;
	FR_VEC(struct fr_depend_held) held;
	/* the resources of kind k are first_of[k] ... first_of[k + 1] - 1, by object */
	uint32_t first_of[FR_RES_KINDS + 1];
	uint32_t nresources, nthreads;
	/* By resource held: those that hold resource i are list[first[i]] ..., sorted by
	   `wants`. */
	uint32_t *first, *list;
	struct fr_own_locks own;
	struct fr_map balances; /* thread << 32 | resource -> index into balance + 1 */
	FR_VEC(struct fr_depend_balance) balance;
	int64_t *sem_end; /* count of each semaphore at the end of the run */
};

void fr_lock_dependencies_init(struct fr_lock_dependencies *d, const struct fr_model *m);
void fr_lock_dependencies_free(struct fr_lock_dependencies *d);
/* lock_dependency_find.c: finds them all. */
void fr_lock_dependencies_find(struct fr_lock_dependencies *d, const struct fr_model *m);

enum fr_resource_kind fr_resource_kind(const struct fr_lock_dependencies *d, fr_resource r);
/* The i-th resource that a dependency holds: then, with i == nheld, the thread itself. */
fr_resource fr_depend_holds(const struct fr_lock_dependencies *d,
			    const struct fr_lock_dependency *p, uint32_t i);
/* Index into the list of the first that holds the one and wants the other. */
uint32_t fr_lock_dependencies_from(const struct fr_lock_dependencies *d, fr_resource holds,
				   fr_resource wants);
/* Can b's thread give the resource that a waits for? */
bool fr_depend_waits_for(const struct fr_lock_dependencies *d, const struct fr_lock_dependency *a,
			 const struct fr_lock_dependency *b);
/* Is it impossible that both hold their resources at the same time? */
bool fr_depend_exclude(const struct fr_lock_dependencies *d, const struct fr_lock_dependency *a,
		       const struct fr_lock_dependency *b);
/* The units that a thread gives to a semaphore or condition from event e on, less those that it
   takes. */
int64_t fr_depend_gives(const struct fr_lock_dependencies *d, uint32_t thread, fr_ev e,
			fr_resource r);
/* The first event with which a thread has taken n units more of a semaphore than it has given. */
fr_ev fr_depend_taken(const struct fr_lock_dependencies *d, uint32_t thread, int64_t n,
		      fr_resource r);
/* The last event before e with which a thread gives or takes; FR_NO_EV = none. */
fr_ev fr_depend_last(const struct fr_lock_dependencies *d, uint32_t thread, fr_ev e, fr_resource r);

#endif
