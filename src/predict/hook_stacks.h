/*
 * Call stacks of the hooks that findings name. The model does not keep them, so one more pass over
 * the trace finds them, for these hooks only.
 *
 * Not handled: a late access, or one that another thread recorded (LAST_*), has no call stack of
 * its own. It gets the present one if that ends in the right function, otherwise none.
 */
#ifndef FR_PREDICT_HOOK_STACKS_H
#define FR_PREDICT_HOOK_STACKS_H

#include "base/err.h"
#include "base/mem.h"
#include "model/model.h"
#include "trace/stack.h"

struct fr_hook_stack {
	uint32_t thread; /* of the model */
	uint64_t hook;
	/* result */
	bool found;
	struct fr_frame *frame; /* outermost first */
	uint32_t nframes;
};

struct fr_hook_stacks {
	FR_VEC(struct fr_hook_stack) stack;
	struct fr_map at;
	size_t done; /* number of entries that earlier passes looked for */
};

/* Adds the hook of event e. */
void fr_hook_stacks_want(struct fr_hook_stacks *l, const struct fr_model *m, fr_ev e);
/* Looks for the entries that were added since the last pass. Without a trace it finds nothing. */
int fr_hook_stacks_pass(struct fr_hook_stacks *l, const struct fr_model *m, struct fr_err *reterr);
/* NULL if it was not wanted or not found. */
const struct fr_hook_stack *fr_hook_stacks_get(const struct fr_hook_stacks *l,
					       const struct fr_model *m, fr_ev e);
/* Does the stack end in the function of the site? Otherwise it is not that of an event there. */
bool fr_hook_stack_fits(const struct fr_sites *sites, const struct fr_stack *s, uint32_t site);
void fr_hook_stacks_free(struct fr_hook_stacks *l);

#endif
