/*
 * The search problem of one candidate for a SAT solver: a Boolean for each pair of nodes that some
 * constraint mentions, one for each node that may be in or out, a few for choices. Constraints come
 * in when a trial order breaks them; cycles are forbidden as they are met (design: the order
 * solver). What the partial order decides is folded to a constant.
 *
 * Invariant: order literals are used positively: the model's true ones in clauses that nothing else
 *            satisfies are edges that the order must respect, and enough.
 */
#ifndef FR_ORACLE_ORDER_ENC_H
#define FR_ORACLE_ORDER_ENC_H

#include "oracle/order_trial.h"
#include <ccadical.h>

#define FR_LIT_TRUE INT32_MAX
#define FR_LIT_FALSE (-INT32_MAX)

/* A read's possible sources: literals of choice, after the first are all false-first. */
struct fr_enc_choice {
	uint32_t write; /* FR_SEG_CUT: the state at the cut */
	int lit;
	bool eager; /* all of its clauses are there */
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
	int *in; /* by node: variable that says it is out; 0: it is decided */
	struct fr_map pair;
	FR_VEC(struct fr_seg_edge) var; /* by variable: the pair; a == FR_NODE_NONE: no pair */
	struct fr_map row;		/* node, thread -> partners + 1 */
	FR_VEC(struct fr_enc_row) rows;
	FR_VEC(int) clause;   /* with order literals, each ends with 0 */
	FR_VEC(int8_t) value; /* by variable, of the last model */
	struct fr_enc_read *read;
	bool *sem, *cond, *try;		 /* is it there? */
	FR_VEC(struct fr_seg_edge) edge; /* of the last model */
	uint64_t nclauses, nlemmas;
};

void fr_enc_init(struct fr_enc *e, const struct fr_seg *s, const struct fr_po *po);
void fr_enc_destroy(struct fr_enc *e);

/* Literals; constants are folded by fr_enc_clause. */
int fr_enc_new(struct fr_enc *e);
int fr_enc_in(struct fr_enc *e, uint32_t node);
int fr_enc_before(struct fr_enc *e, uint32_t a, uint32_t b);
void fr_enc_clause(struct fr_enc *e, const int *lit, size_t n);
#define fr_enc_clause_of(e, ...)                     \
	fr_enc_clause(e, (const int[]){__VA_ARGS__}, \
		      sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
/* A consequence of the others: not a source of edges. */
void fr_enc_lemma(struct fr_enc *e, const int *lit, size_t n);
#define fr_enc_lemma_of(e, ...)                     \
	fr_enc_lemma(e, (const int[]){__VA_ARGS__}, \
		     sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
void fr_enc_at_most_one(struct fr_enc *e, const int *lit, size_t n);

/* Adds what the fault breaks. */
void fr_enc_fault(struct fr_enc *e, const struct fr_fault *f, const struct fr_trial *x);
void fr_enc_read_fault(struct fr_enc *e, uint32_t read, uint32_t write, const struct fr_trial *x);
void fr_enc_sem(struct fr_enc *e, uint32_t i);
void fr_enc_cond(struct fr_enc *e, uint32_t i);

/* Reads the solver's model: which nodes are in, which edges it needs. */
void fr_enc_model(struct fr_enc *e, struct fr_trial *x);
static inline bool fr_enc_holds(const struct fr_enc *e, int lit)
{
	if (lit == FR_LIT_TRUE || lit == FR_LIT_FALSE)
		return lit == FR_LIT_TRUE;
	return lit > 0 ? e->value.v[lit] > 0 : e->value.v[-lit] < 0;
}
/* Forbids cycles among the edges of the model that the trial could not sort. */
void fr_enc_cycles(struct fr_enc *e, const struct fr_trial *x);

#endif
