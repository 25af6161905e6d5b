/*
 * The order encoding: the search problem of one candidate for a SAT solver. It has one Boolean for
 * each pair of nodes that a constraint mentions, one for each node that may be in or out, and a few
 * for choices. A constraint is added when a trial order (order_trial.h) breaks it, and a cycle is
 * forbidden when it appears. Orders that the partial order (order_po.h) decides become constants.
 * solve_cadical.c drives the loop of solver, trial and new clauses.
 *
 * Invariant: order literals occur positively. The order must respect only the edges of those true
 * order literals that stand in a clause which nothing else satisfies, and these edges suffice.
 */
#ifndef FR_ORACLE_ORDER_ENC_H
#define FR_ORACLE_ORDER_ENC_H

#include "base/assert.h"
#include "oracle/order_trial.h"
#include <ccadical.h>

#define FR_LIT_TRUE INT32_MAX
#define FR_LIT_FALSE (-INT32_MAX)

/* A possible source of a read, and the literal that chooses it. The solver tries the recorded
   source first. */
struct fr_enc_choice {
	uint32_t write; /* FR_SEG_CUT: the state at the cut */
	int lit;
	bool eager; /* all of its clauses were added */
};
struct fr_enc_read {
	struct fr_enc_choice *choice;
	uint32_t n;
};

struct fr_enc {
	const struct fr_seg *s;
	const struct fr_po *po;
	CCaDiCaL *sat;
	int nvars;
	bool contradiction;
	int *in; /* by node: the variable that is true if the node is out; 0 = decided */
	struct fr_map pair;
	/* by variable: its pair; a == FR_NODE_NONE: it has no pair */
	FR_VEC(struct fr_seg_edge) var;
	struct fr_map row; /* node, thread -> index of the row + 1 */
	FR_VEC(struct fr_enc_row) rows;
	FR_VEC(int) clause;   /* all clauses with order literals; each ends with 0 */
	FR_VEC(int8_t) value; /* by variable, of the last model */
	struct fr_enc_read *read;
	bool *sem, *cond, *try;		 /* were its clauses added? */
	FR_VEC(struct fr_seg_edge) edge; /* of the last model */
	uint64_t nclauses, nlemmas;
};

void fr_enc_init(struct fr_enc *e, const struct fr_seg *s, const struct fr_po *po);
void fr_enc_destroy(struct fr_enc *e);

/* Return literals. fr_enc_clause folds constants. */
int fr_enc_new(struct fr_enc *e);
int fr_enc_in(struct fr_enc *e, uint32_t node);
int fr_enc_before(struct fr_enc *e, uint32_t a, uint32_t b);
void fr_enc_clause(struct fr_enc *e, const int *lit, size_t n);
#define fr_enc_clause_of(e, ...)                     \
	fr_enc_clause(e, (const int[]){__VA_ARGS__}, \
		      sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
/* Adds a clause that follows from the others, and from which fr_enc_model takes no edges. */
void fr_enc_lemma(struct fr_enc *e, const int *lit, size_t n);
#define fr_enc_lemma_of(e, ...)                     \
	fr_enc_lemma(e, (const int[]){__VA_ARGS__}, \
		     sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
/* At most one of the literals is true. */
void fr_enc_at_most_one(struct fr_enc *e, const int *lit, size_t n);

/* Adds the constraint that the fault breaks. */
void fr_enc_fault(struct fr_enc *e, const struct fr_fault *f, const struct fr_trial *x);
void fr_enc_read_fault(struct fr_enc *e, uint32_t read, uint32_t write, const struct fr_trial *x);
void fr_enc_sem(struct fr_enc *e, uint32_t i);
void fr_enc_cond(struct fr_enc *e, uint32_t i);

/* Reads the solver's model: each thread's number of nodes (x->count) and the edges it needs. */
void fr_enc_model(struct fr_enc *e, struct fr_trial *x);
/* Is the literal true in the last model? */
static inline bool fr_enc_holds(const struct fr_enc *e, int lit)
{
	if (lit == FR_LIT_TRUE || lit == FR_LIT_FALSE)
		return lit == FR_LIT_TRUE;
	fr_assert_slow((size_t)abs(lit) < e->value.n);
	return lit > 0 ? e->value.v[lit] > 0 : e->value.v[-lit] < 0;
}
/* Forbids cycles among the model's edges that the trial could not sort (order_cycle.c). */
void fr_enc_cycles(struct fr_enc *e, const struct fr_trial *x);

#endif
