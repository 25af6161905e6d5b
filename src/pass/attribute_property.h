/*
 * The attributes of clang's thread-safety analysis as properties (doc/properties.md). `forerun cc`
 * defines macros that add an annotation to each of them (format/guard_attributes.h). clang puts
 * annotations of variables, fields and functions into the module.
 */
#ifndef FR_PASS_ATTRIBUTE_PROPERTY_H
#define FR_PASS_ATTRIBUTE_PROPERTY_H

#include "format/guard_attributes.h"
#include "path.h"

/* At the start of the pipeline: reads the annotations of global variables and of functions. Those
   that require a lock are added to the functions whose calls are recorded. */
void fr_guard_globals(struct fr_pass_unit *u);
/* Reads the annotation of a field, if the call is one. */
void fr_guard_field(struct fr_path_ctx *c, LLVMValueRef call);
/* Removes the annotations of fields, which would hinder the optimiser. Returns true if there were
   any. */
bool fr_guard_strip(LLVMModuleRef m);
/* At the end of the pipeline: writes the properties to the site table. */
void fr_guard_finish(struct fr_pass_unit *u);

#endif
