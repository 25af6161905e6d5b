/* Names of the synchronisation objects that a call gets (&b->lock). */
#ifndef FR_PASS_SYNC_NAME_H
#define FR_PASS_SYNC_NAME_H

#include "path.h"

/* Metadata kind: !{text}. */
#define FR_SYNC_MD "forerun.sync"

/* At the start of the pipeline: appends the text that format/site_table.h describes, or nothing. */
void fr_sync_name(struct fr_path_ctx *c, LLVMValueRef call, struct fr_buf *text);
/* At the end: the text of the call. If an inlined function only passes its parameter on, the text
   of the call of that function. */
const char *fr_sync_lookup(LLVMContextRef c, LLVMValueRef call);

#endif
