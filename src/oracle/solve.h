/*
 * The precise tier: one interface for two solvers. A solver looks for a feasible reordering for the
 * candidate that runs everything before `cut` as recorded, and after that uses only events before
 * `end`. A read may take any write of the same value as its source (ExceptioNULL 3, 5; GPredict
 * III). With a mask, this is the tier sliced: only the reads that matter must find their values
 * (model/mask.h).
 *
 * A solver holds one segment [cut, end) and one mask, which must outlive it. Candidates whose
 * targets lie in the segment are asked one after another, and share the tables and the orders that
 * hold for all of them. The cut may be anywhere: its state comes from the model. oracle.c is the
 * caller.
 */
#ifndef FR_ORACLE_SOLVE_H
#define FR_ORACLE_SOLVE_H

#include "oracle/oracle.h"

struct fr_solver;
struct fr_solver_ops {
	const char *name;
	struct fr_solver *(*open)(const struct fr_model *m, const struct fr_mask *mask, fr_ev cut,
				  fr_ev end);
	/* FR_FEASIBLE fills *ret. FR_UNKNOWN: the time was up. */
	enum fr_answer (*ask)(struct fr_solver *s, const struct fr_candidate *c, double seconds,
			      struct fr_schedule *ret);
	void (*close)(struct fr_solver *s);
};
extern const struct fr_solver_ops fr_solver_order;
extern const struct fr_solver_ops fr_solver_z3; /* not in every program: see meson_options.txt */

#endif
