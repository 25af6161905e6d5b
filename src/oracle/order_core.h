/*
 * Judges a model of the clauses by everything that its choices force, and adds small sets of
 * incompatible choices as clauses. See order_core.c.
 */
#ifndef FR_ORACLE_ORDER_CORE_H
#define FR_ORACLE_ORDER_CORE_H

#include "oracle/order_enc.h"

struct fr_core {
	struct fr_enc *e;
	struct fr_po *po; /* forced; between fr_core_try and fr_core_undo also with the choices */
	bool (*is_late)(void *arg);
	void *arg;
	FR_VEC(struct fr_choice) choice; /* of the model */
	uint64_t cores, checks;
	struct fr_po_mark root;
};

/* Adds the choices of the solver's model (read by fr_enc_model) to po, with everything that they
   force. False: they are incompatible. Clauses that say so were added, and po is as before. */
bool fr_core_try(struct fr_core *c);
/* Removes the choices that fr_core_try added. */
void fr_core_undo(struct fr_core *c);
void fr_core_destroy(struct fr_core *c);

#endif
