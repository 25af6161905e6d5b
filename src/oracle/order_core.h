/*
 * What is wrong with a model of the clauses, judged by all that its choices force: small sets of
 * choices that cannot be together, as clauses. See order_core.c.
 */
#ifndef FR_ORACLE_ORDER_CORE_H
#define FR_ORACLE_ORDER_CORE_H

#include "oracle/order_enc.h"

struct fr_core {
	struct fr_enc *e;
	struct fr_po
	    *po; /* forced; as before afterwards, or with the model's choices: fr_core_try */
	bool (*is_late)(void *arg);
	void *arg;
	FR_VEC(struct fr_choice) choice; /* of the model */
	uint64_t cores, checks;
	struct fr_po_mark root;
};

/* Takes the model's choices (fr_enc_model was called) into po with all that they force. False: they
   cannot be together; clauses that say so were added, and po is as before. */
bool fr_core_try(struct fr_core *c);
/* Takes them out again. */
void fr_core_undo(struct fr_core *c);
void fr_core_destroy(struct fr_core *c);

#endif
