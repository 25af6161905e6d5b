/*
 * The name of an access at the end of the pipeline: its own if the optimiser has kept it, else that
 * of its source location, else that of another access to the same address, else that of the global
 * that it touches, else none. Without a name, the type comes from the alias classes if they exist.
 */
#include "func.h"
#include "access_name.h"
#include "access_origin.h"
#include "path.h"
#include <string.h>

static bool own(struct fr_pass_unit *u, LLVMValueRef inst, unsigned which, const char **name,
		const char **type)
{
	LLVMValueRef v =
	    LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(u->ctx, FR_NAME_MD, strlen(FR_NAME_MD)));
	fr_md md = v ? LLVMValueAsMetadata(v) : NULL;

	if (!md)
		return false;
	*name = fr_md_str(u->ctx, md, which * 2);
	*type = fr_md_str(u->ctx, md, which * 2 + 1);
	return **name;
}

/* Size of an element: a vector access stands for many accesses of the source. */
static uint64_t scalar_size(struct fr_pass_unit *u, LLVMValueRef inst)
{
	LLVMTypeRef t = LLVMTypeOf(LLVMIsAStoreInst(inst) ? LLVMGetOperand(inst, 0) : inst);

	if (LLVMGetTypeKind(t) == LLVMVectorTypeKind)
		t = LLVMGetElementType(t);
	return fr_store_size(u, t);
}

static bool by_position(struct fr_pass_unit *u, LLVMValueRef inst, unsigned which,
			const char **name, const char **type)
{
	bool write = LLVMIsALoadInst(inst) ? false : LLVMIsACallInst(inst) ? !which : true;
	fr_md loc = fr_origin_loc(u->ctx, inst, write ? FR_SITE_WRITE : FR_SITE_READ);
	const struct fr_access_name *n = fr_name_at(loc, write, scalar_size(u, inst));

	if (!n)
		n = fr_name_at(loc, write, 0);
	if (!n)
		return false;
	*name = n->name;
	*type = n->type;
	return **name;
}

static bool by_path(struct fr_pass_unit *u, LLVMValueRef inst, LLVMValueRef ptr, const char **name,
		    const char **type)
{
	static struct fr_buf text, kind; /* live until the next call */
	struct fr_path_ctx c = {
	    .ctx = u->ctx, .dl = u->dl, .md_dbg = LLVMGetMDKindIDInContext(u->ctx, "dbg", 3)};
	struct fr_path p;

	if (LLVMGetTypeKind(LLVMTypeOf(ptr)) != LLVMPointerTypeKind || !fr_path_of(&c, ptr, &p))
		return false;
	fr_path_end(&c, &p, LLVMIsACallInst(inst) ? 0 : scalar_size(u, inst));
	fr_buf_free(&text);
	fr_buf_free(&kind);
	fr_buf_puts(&text, p.text.s);
	fr_buf_puts(&kind, "");
	if (p.type)
		fr_di_type_text(u->ctx, p.type, &kind);
	fr_buf_puts(&kind, p.fields.n ? p.fields.s : "");
	fr_path_free(&p);
	*name = text.s;
	*type = kind.s;
	return true;
}

static const char *alias_type(struct fr_pass_unit *u, LLVMValueRef inst)
{
	LLVMValueRef v = LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(u->ctx, "tbaa", 4));
	const char *s;

	if (!v)
		return "";
	s = fr_md_str(u->ctx, fr_md_op(u->ctx, LLVMValueAsMetadata(v), 1), 0);
	return strcmp(s, "omnipotent char") ? s : "char";
}

/* True if the name starts with this variable. */
static bool rooted(const char *name, const char *root)
{
	size_t n = strcspn(root, ".-[");

	while (*name == '*' || *name == '(')
		name++;
	if (!strncmp(name, "get<", 4) && strchr(name, '('))
		name = strchr(name, '(') + 1;
	return !strncmp(name, root, n) && !(name[n] && !strchr(".-[)", name[n]));
}

/* After inlining, `this->n` and `*p` may be a global, whose name is more useful. */
static void prefer_global(struct fr_pass_unit *u, LLVMValueRef inst, LLVMValueRef ptr,
			  const char **name, const char **type)
{
	const char *global, *kind;

	if (LLVMGetTypeKind(LLVMTypeOf(ptr)) != LLVMPointerTypeKind ||
	    !LLVMIsAGlobalVariable(fr_underlying(ptr)))
		return;
	if (!by_path(u, inst, ptr, &global, &kind) || rooted(*name, global))
		return;
	*name = global;
	if (*kind)
		*type = kind;
}

void fr_lookup_name(struct fr_func *f, LLVMValueRef inst, LLVMValueRef ptr, unsigned which,
		    const char **name, const char **type)
{
	struct fr_pass_unit *u = f->u;
	uint64_t *same = fr_map_get(&f->names, (uintptr_t)ptr);

	*name = *type = "";
	if (own(u, inst, which, name, type) || by_position(u, inst, which, name, type)) {
		if (!which)
			*fr_map_put(&f->names, (uintptr_t)ptr) = (uintptr_t)inst;
		prefer_global(u, inst, ptr, name, type);
		return;
	}
	*name = *type = "";
	if (same && (own(u, (LLVMValueRef)(uintptr_t)*same, 0, name, type) ||
		     by_position(u, (LLVMValueRef)(uintptr_t)*same, 0, name, type)))
		return;
	*name = *type = "";
	if (by_path(u, inst, ptr, name, type))
		return;
	*type = alias_type(u, inst);
}
