/*
 * The precise tier behind one interface for two solvers: is there a feasible reordering for the
 * candidate that runs everything before `cut` as recorded and uses, of the rest, only events before
 * `end`? Each read may take its value from any write of the same value (ExceptioNULL 3, 5; GPredict
 * III).
 *
 * A solver holds one segment [cut, end); candidates whose targets lie in it are asked one after the
 * other and share its tables and what holds for all of them. The cut may be anywhere: the state at
 * it is taken from the model.
 */
#ifndef FR_ORACLE_SOLVE_H
#define FR_ORACLE_SOLVE_H

#include "oracle/oracle.h"

struct fr_solver;
struct fr_solver_ops {
	const char *name;
	struct fr_solver *(*open)(const struct fr_model *m, fr_ev cut, fr_ev end);
	/* FR_FEASIBLE fills the schedule; FR_UNKNOWN: `seconds` were up. */
	enum fr_answer (*ask)(struct fr_solver *s, const struct fr_candidate *c, double seconds,
			      struct fr_schedule *ret);
	void (*close)(struct fr_solver *s);
};
extern const struct fr_solver_ops fr_solver_cadical, fr_solver_z3;

#endif
