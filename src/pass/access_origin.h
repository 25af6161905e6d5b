/*
 * Finds the accesses of the source that an access of the optimised code stands for, and so its
 * source location.
 *
 * The optimiser merges accesses and gives the result line 0 or no location. It drops metadata that
 * it does not know, but it joins lists of alias scopes (`alias.scope`). So fr_pass_start gives each
 * access its own scope, in forerun's domain, and fr_pass_instrument reads from the list which
 * accesses were merged. No access claims not to alias one of these scopes, so they change nothing
 * else.
 */
#ifndef FR_PASS_ACCESS_ORIGIN_H
#define FR_PASS_ACCESS_ORIGIN_H

#include "ditype.h"

/* At the start of the pipeline: marks an access. access: FR_SITE_READ, FR_SITE_WRITE or both. */
void fr_origin_mark(LLVMContextRef c, LLVMValueRef inst, unsigned access);

/* At the end: the location of an access of the source that `inst` stands for and that reads or
   writes as `access` says. It is the instruction's own location if that is one, else that of a
   merged access, else the nearest. NULL without debug information. */
fr_md fr_origin_loc(LLVMContextRef c, LLVMValueRef inst, unsigned access);

/* True if the location is better than the nearest one. Always true without debug information. */
bool fr_origin_sure(LLVMContextRef c, LLVMValueRef inst, unsigned access);

/* The same for a call, which keeps its identity: merging is forbidden, but
   hoisting removes its line. */
void fr_origin_mark_call(LLVMContextRef c, LLVMValueRef call);
fr_md fr_origin_call_loc(LLVMContextRef c, LLVMValueRef call);

#endif
