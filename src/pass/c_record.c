/*
 * Records of C by name, for pointers that were cast and for results of functions without debug
 * information. The types that variables lead to are known. If the code computes an address as that
 * of another record than its variable's, the pointer was cast to that record.
 */
#include "path.h"
#include "base/hash.h"
#include <string.h>

#define DEPTH_MAX 24

void fr_path_learn(struct fr_path_ctx *x, fr_md type)
{
	FR_VEC(fr_md) todo = {0};

	fr_vec_push(&todo, type);
	while (todo.n) {
		fr_md t = todo.v[--todo.n], elements;
		uint64_t *slot;
		unsigned tag = t && LLVMGetMetadataKind(t) == LLVMDIDerivedTypeMetadataKind
				   ? LLVMGetDINodeTag(t)
				   : fr_di_tag(t);

		if (!tag || tag == FR_DW_subroutine)
			continue;
		slot = fr_map_put(&x->seen, (uintptr_t)t);
		if (*slot)
			continue;
		*slot = 1;
		if (!fr_di_is_record(tag)) {
			if (!fr_md_is(t, LLVMDIBasicTypeMetadataKind))
				fr_vec_push(&todo, fr_di_base(x->ctx, t));
			continue;
		}
		/* C++ types have an identifier: there are too many, and variables suffice there. */
		if (*fr_di_identifier(x->ctx, t))
			continue;
		const char *name = fr_di_name(x->ctx, t);
		elements = fr_di_elements(x->ctx, t);
		if (*name && elements)
			*fr_map_put(&x->records, fr_hash_text(FR_HASH_START, name) & INT64_MAX) =
			    (uintptr_t)t;
		for (unsigned i = 0, n = fr_md_nops(x->ctx, elements); i < n; i++)
			fr_vec_push(&todo, fr_md_op(x->ctx, elements, i));
	}
	fr_vec_free(&todo);
}

void fr_path_ctx_free(struct fr_path_ctx *x)
{
	fr_map_free(&x->vars);
	fr_map_free(&x->records);
	fr_map_free(&x->seen);
}

/* True if the type begins with a record of this name. */
static bool begins_with(LLVMContextRef c, fr_md t, const char *name, size_t n)
{
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		const char *own;

		t = fr_di_strip(c, t);
		if (fr_di_tag(t) == FR_DW_array) {
			t = fr_di_base(c, t);
			continue;
		}
		if (!fr_di_is_record(fr_di_tag(t)))
			return false;
		own = fr_di_name(c, t);
		if (!*own || (strlen(own) == n && !strncmp(own, name, n)))
			return true;
		t = fr_di_base(c, fr_md_op(c, fr_di_elements(c, t), 0));
	}
	return true;
}

/* If the code computes an address as that of another record than the known one, it was cast. */
void fr_path_recast(struct fr_path_ctx *x, LLVMTypeRef t, struct fr_path *p)
{
	const char *name = LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMGetStructName(t) : NULL;
	uint64_t *known;
	size_t n;

	if (!name || p->off || (!p->deref && p->type))
		return;
	if (strncmp(name, "struct.", 7) && strncmp(name, "union.", 6))
		return;
	name = strchr(name, '.') + 1;
	n = strcspn(name, ".");
	if (p->type && begins_with(x->ctx, p->type, name, n))
		return;
	known = fr_map_get(&x->records, fr_hash_bytes(FR_HASH_START, name, n) & INT64_MAX);
	if (!known)
		return;
	p->type = (fr_md)(uintptr_t)*known;
	p->dims = 0;
}
