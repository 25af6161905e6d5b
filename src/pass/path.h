/* The expression that denotes an address in the source: `queue.head`, `conn->buf[]`, `*p`. */
#ifndef FR_PASS_PATH_H
#define FR_PASS_PATH_H

#include "ditype.h"

struct fr_path_ctx {
	LLVMContextRef ctx;
	LLVMTargetDataRef dl;
	struct fr_map vars;    /* alloca or argument -> DILocalVariable */
	struct fr_map records; /* hash of name -> record type of C, for pointers that were cast */
	struct fr_map seen;    /* types that fr_path_learn has visited */
	unsigned md_dbg;
};

/* The object at an address: an expression, and the type of the object (NULL: not known). */
struct fr_path {
	struct fr_buf text;
	/* Lines "\nRECORD.FIELD OFFSET", outermost first: the records that contain the object, and
	   the bytes from their start to the address, as far as it is constant. */
	struct fr_buf fields;
	fr_md record[8]; /* those of the first lines */
	unsigned records;
	fr_md type;
	int64_t off;   /* bytes from the start of the object to the address */
	unsigned dims; /* dimensions of the array that have been indexed */
	bool deref;    /* text is a pointer; the object is its target */
	bool ref;      /* the pointer is a C++ reference */
	bool global;   /* in a global variable */
	/* If the global is an array with one index: bytes from element to element; 0: none,
	   UINT64_MAX: there are other indices. */
	uint64_t stride;
};

/* Fills p for an address; false (and p empty) when its root is not known. */
bool fr_path_of(struct fr_path_ctx *c, LLVMValueRef addr, struct fr_path *p);
/* Descends to the part that an access of `size` bytes touches (0: not
   known), and completes the text. */
void fr_path_end(struct fr_path_ctx *c, struct fr_path *p, uint64_t size);
/* Descends to a part at exactly this address that `is` accepts; false: there is none. */
bool fr_path_down(struct fr_path_ctx *c, struct fr_path *p, bool (*is)(void *ctx, fr_md type),
		  void *ctx);
void fr_path_free(struct fr_path *p);
/* Collects the records that a type leads to. */
void fr_path_learn(struct fr_path_ctx *c, fr_md type);
/* c_record.c: the code computes the address as that of a record of type t. */
void fr_path_recast(struct fr_path_ctx *c, LLVMTypeRef t, struct fr_path *p);
void fr_path_ctx_free(struct fr_path_ctx *c);

#endif
