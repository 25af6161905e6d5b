/*
 * Generators: each reduces one kind of bug to candidates, in one file behind one interface. The
 * engine (predict/) runs every generator of fr_generators on a model and its causality, and asks
 * the oracle about the candidates.
 *
 * A generator returns groups. A group is one combination of sites that could lead to the bug, with
 * a few instances (dynamic occurrences), nearest in the run first. The first feasible instance
 * becomes an interleaving, and the engine skips the rest of the group. All groups of one bug become
 * the interleavings of one finding.
 *
 * A generator decides nothing about feasibility, except that it drops instances which
 * must-happen-before or a common lock excludes (`excluded`; the engine adds those that cannot do
 * the harm that they need), and that properties have a search of their own for orders that are too
 * long or too many for candidates (property_lattice.h); its schedules are checked like all others.
 * Every search has limits, so its cost stays about linear in the events; `cut_off` counts where a
 * limit was reached. Generators cannot fail.
 *
 * Generators, by the kind of bug:
 *   race.c            data races
 *   deadlock.c        deadlocks; wakeup_held.c: those in which a thread holds a lock and waits for
 *                     a flag
 *   lifetime.c        uses after free; double_free.c: double frees
 *   atomicity.c       atomicity violations; atomicset.c: violations of atomic sets
 *   wakeup.c          lost wakeups: of conditions, on another path (wakeup_path.c), of semaphores
 *                     (wakeup_sem.c) and of streams (wakeup_stream.c)
 *   null.c            null dereferences
 *   order.c           order violations (failing_branch.c: before a failing branch; refused_lock.c:
 *                     attempts to take a lock)
 *   pattern.h         patterns of users, made at run time (pattern_form.h: forms of candidate)
 *   property.h        properties of users, made at run time by property_read.c. property_instance.h
 *                     joins events to instances. property_search.c (property_hunt.h) searches each
 *                     instance, property_match.c makes candidates, and property_lattice.h walks
 *                     what is too large. property_watch.h judges one execution.
 *
 * Shared parts:
 *   matches.h         the best instances of each group
 *   region.h          atomic regions: region_end.h (calls that end them), named_call.h (calls that
 *                     the user named), sem_word.h, caller.h (regions of one function)
 *   work_unit.h       units of work on several locations: object_field.h (fields of one object),
 *                     named_set.h (sets of the user), joined_locations.h
 *   lock_dependency.h waits of threads that hold something (lock_dependency_find.c), with
 *                     own_lock.h: words that may be locks
 *   unguarded.h, lockset.h, recent_accesses.h, access_index.h
 *                     locations that may race, sets of locks, and accesses that are alike
 *   read_sees_write.h, old_pointer.h
 *                     reads that see another write; uses of an object through an old pointer
 */
#ifndef FR_GENERATE_GENERATE_H
#define FR_GENERATE_GENERATE_H

#include "base/hash.h"
#include "causality/slice.h"
#include "generate/fr_generators.h"
#include "model/candidate.h"
#include "model/meeting.h"
#include "model/region_kind.h"
#include "model/region_shape.h"
#include "model/schedule.h"

/* The need of a group's findings. */
#define fr_group_needs(generator, group) ((group)->needs ? (group)->needs : (generator)->needs)

#define FR_INSTANCES 8 /* instances tried for each group */

/*
 * One event of a finding as the report shows it. Events with the same `memory`, from 1, access
 * common bytes; with 0, it does not matter which bytes the event accesses.
 */
struct fr_actor {
	fr_ev ev;
	enum fr_role role;
	uint32_t memory;
};

/* The actors are in the order in which they must happen. The pending ones are last, in the order of
   what.pending. The others are in edges of the candidate, or are the write that a pending read
   sees. After the pending ones may come events that the bug leaves behind (fr_role_too_late):
   the candidate does not contain them. */
struct fr_instance {
	struct fr_candidate what;
	/* A schedule that leads to it, under a mask (NULL: all reads matter), if the generator
	   knows one: `found`. Owned. */
	bool found;
	struct fr_schedule schedule;
	const struct fr_mask *mask;
	bool to_end;	/* it is a bug only if the rest of the run is possible after it */
	uint32_t nheld; /* the first of what.pending, which are no actors: they only stay pending */
	uint32_t nactors;
	struct fr_actor actor[]; /* nactors */
};
/* Makes an instance with room for the actors and nothing else. */
struct fr_instance *fr_instance_new(uint32_t nactors);
void fr_instance_free(struct fr_instance *i);

struct fr_group {
	uint64_t key; /* equal for equal groups, in all runs of one build */
	uint64_t bug; /* equal for all groups of one bug; 0: the group is a bug of its own */
	enum fr_region region; /* the reason why it should be atomic */
	enum fr_shape shape;
	const char *
	    *label;    /* names of the events in the report; owned, the names are not; NULL: none */
	char *subject; /* of the finding; NULL: the objects of its events; owned */
	uint32_t doubt;	     /* low: likely to do harm; tried first */
	enum fr_needs needs; /* NO_HARM: that of the generator; equal for all groups of a bug */
	FR_VEC(struct fr_instance *) instance; /* owned */
	uint64_t instances_seen;	       /* number of all instances found */
};
/* The work of the lattice engine (lattice/lattice.h). */
struct fr_walks {
	uint64_t walks, complete, found; /* complete: every order was covered, and none violates */
	uint64_t cuts, levels, widest;	 /* levels: of all walks */
	double seconds;
};
/* Sorted by the position of the first instance in the run: the oracle handles that order best. */
struct fr_groups {
	FR_VEC(struct fr_group) group;
	uint64_t excluded; /* instances that must-happen-before or a common lock excludes */
	uint64_t cut_off;  /* number of times that a limit ended a search */
	uint64_t left_out; /* unlikely groups that were dropped */
	struct fr_walks walks;
	FR_VEC(char *) unmatched; /* names in fr_generate_opt that match nothing; owned */
};

/* The user's options. Zero means the default. */
struct fr_generate_opt {
	/* named_call.h: calls of named functions, to use instead of those in the trace */
	const struct fr_named *calls;
	FR_VEC(const char *) atomic;	 /* globs of functions or files whose calls are regions */
	FR_VEC(const char *) atomic_set; /* comma-separated names or globs; at most FR_SETS_MAX */
	bool no_near;			 /* neighbourhoods are not regions */
	struct fr_slice *slice;		 /* for the masks of walks; NULL: all reads matter */
	bool no_walks;			 /* no search beyond candidates */
	double walk_s; /* seconds for one walk; 0: no limit; for all of a property: */
	double walks_s;
};

/* A bug that a recorded run which hung shows at its end, and that no candidate can describe: its
   last wait is no event of the model (predict/failure_hang.c). */
enum fr_hang_bug {
	FR_HANG_BUG_NONE,
	FR_HANG_BUG_CYCLE,  /* threads wait for each other */
	FR_HANG_BUG_SIGNAL, /* a thread waits for a signal that may have come before */
};

struct fr_generator {
	const char *name; /* as in the report: "data-race" */
	const char
	    *summary; /* for --help; NULL: part of the generator before, which has the same name */
	enum fr_meeting meeting;
	enum fr_needs needs;
	/* Reports show findings of a lower rank first: kinds that stop the program come before
	   kinds that corrupt its data, and those before kinds that may be intended. */
	unsigned rank;
	/* most of its bugs need the hybrid tier, because by their nature they change the values
	   read */
	bool guess;
	enum fr_hang_bug hang_bug; /* is of this kind */
	bool named_sets;	   /* it looks for violations of the sets of --atomic-set */
	void (*generate)(const struct fr_generator *self, const struct fr_model *m,
			 const struct fr_causality *c, const struct fr_generate_opt *opt,
			 struct fr_groups *ret);
};
#define FR_X(name) extern const struct fr_generator name;
FR_GENERATORS(FR_X)
#undef FR_X
/* All generators, then NULL. */
extern const struct fr_generator *const fr_generators[];
/* The kind of such a bug. */
const struct fr_generator *fr_generator_of_hang(enum fr_hang_bug bug);
/* The generator for --atomic-set. */
const struct fr_generator *fr_generator_of_sets(void);
void fr_group_free(struct fr_group *g);
void fr_groups_free(struct fr_groups *g);
/* Sorts the groups. Every generator calls this last. */
void fr_groups_sort(struct fr_groups *g);

/* The step before e in its thread, or the creation of the thread; FR_NO_EV: neither exists. */
static inline fr_ev fr_step_before(const struct fr_model *m, fr_ev e)
{
	fr_ev x = fr_model_prev(m, fr_head(m, e));

	return x == FR_NO_EV ? m->thread[m->ev[e].thread].create : fr_head(m, x);
}

/* Is it time to examine one more of many that are alike, after `count` of them? */
static inline bool fr_sample_now(uint64_t count)
{
	return count % 32 == 0 || count <= 8 || count == 16;
}

#endif
