/*
 * Objects of synchronisation that a call is given (&b->lock), by name.
 */
#ifndef FR_PASS_SYNC_NAME_H
#define FR_PASS_SYNC_NAME_H

#include "path.h"

/* Kind of the metadata: !{text}. */
#define FR_SYNC_MD "forerun.sync"

/* At the start of the pipeline: the text that format/site_table.h describes, appended; nothing:
 * none. */
void fr_sync_name(struct fr_path_ctx *c, LLVMValueRef call, struct fr_buf *text);
/* At its end: of the call or, where that only passes on what it was given and has been inlined, of
   the call that stands for it. */
const char *fr_sync_lookup(LLVMContextRef c, LLVMValueRef call);

#endif
