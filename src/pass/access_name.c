/*
 * The naming pass: finds the name of each access, and of the objects that calls synchronise on
 * (sync_name.c), while the code still shows it.
 *
 * Accesses of locals that do not escape get no name: they are never recorded. If two accesses of
 * one location, direction and size have different names, the location has none.
 */
#include "access_name.h"
#include "base/assert.h"
#include "format/event.h"
#include "func.h"
#include "attribute_property.h"
#include "access_origin.h"
#include "path.h"
#include "sync_name.h"
#include <string.h>

/* By location. The process compiles one module, so one table for the process is enough. */
struct name_entry {
	struct fr_access_name n;
	fr_md scope;
	unsigned line, column;
	uint64_t size;
	bool write, ambiguous;
};
static struct {
	struct fr_map at; /* hash of scope, line, column, direction, size -> entry + 1 */
	FR_VEC(struct name_entry) entry;
} table;

/* The slot of the key: that of its entry, or a free one. */
static uint64_t *slot_of(fr_md loc, bool write, uint64_t size)
{
	fr_md scope = LLVMDILocationGetScope(loc);
	unsigned line = LLVMDILocationGetLine(loc), column = LLVMDILocationGetColumn(loc);
	uint64_t h = fr_hash_mix(fr_hash_mix(fr_hash_mix((uintptr_t)scope, line), column),
				 size << 1 | write),
		 *slot;

	for (;; h++) {
		h &= INT64_MAX;
		slot = fr_map_put(&table.at, h);
		if (!*slot)
			return slot;
		struct name_entry *e = &table.entry.v[*slot - 1];
		if (e->scope == scope && e->line == line && e->column == column &&
		    e->size == size && e->write == write)
			return slot;
	}
}

static void remember(fr_md loc, bool write, uint64_t size, const char *name, const char *type)
{
	uint64_t *slot = slot_of(loc, write, size);

	if (*slot) {
		if (strcmp(table.entry.v[*slot - 1].n.name, name))
			table.entry.v[*slot - 1].ambiguous = true;
		return;
	}
	struct name_entry e = {
	    .n = {fr_xstrdup(name), fr_xstrdup(type)},
	    .scope = LLVMDILocationGetScope(loc),
	    .line = LLVMDILocationGetLine(loc),
	    .column = LLVMDILocationGetColumn(loc),
	    .size = size,
	    .write = write,
	};
	fr_vec_push(&table.entry, e);
	*slot = table.entry.n;
}

const struct fr_access_name *fr_name_at(fr_md loc, bool write, uint64_t size)
{
	uint64_t *slot;

	if (!loc || !table.entry.n || !LLVMDILocationGetLine(loc))
		return NULL;
	slot = slot_of(loc, write, size);
	if (!*slot || table.entry.v[*slot - 1].ambiguous)
		return NULL;
	return &table.entry.v[*slot - 1].n;
}

struct namer {
	struct fr_path_ctx path;
	struct fr_map escapes;
	unsigned md_name, md_sync;
};

static bool private(struct namer *n, LLVMValueRef ptr)
{
	LLVMValueRef base = fr_underlying(ptr);
	uint64_t *slot;

	if (!LLVMIsAAllocaInst(base))
		return false;
	slot = fr_map_put(&n->escapes, (uintptr_t)base);
	if (!*slot)
		*slot = fr_escapes(base) ? 2 : 1;
	return *slot == 1;
}

/* Appends !"name", !"type" of the address; false if there is no name. */
static bool describe(struct namer *n, LLVMValueRef inst, LLVMValueRef ptr, uint64_t size,
		     bool write, fr_md *md)
{
	LLVMContextRef c = n->path.ctx;
	struct fr_buf type = {0};
	fr_md loc = LLVMInstructionGetDebugLoc(inst);
	struct fr_path p;

	md[0] = md[1] = LLVMMDStringInContext2(c, "", 0);
	if (private(n, ptr) || !fr_path_of(&n->path, ptr, &p))
		return false;
	fr_path_end(&n->path, &p, size);
	fr_buf_puts(&type, "");
	if (p.type)
		fr_di_type_text(c, p.type, &type);
	fr_buf_puts(&type, p.fields.n ? p.fields.s : "");
	md[0] = LLVMMDStringInContext2(c, p.text.s, p.text.n);
	md[1] = LLVMMDStringInContext2(c, type.s, type.n);
	if (loc) {
		remember(loc, write, size, p.text.s, type.s);
		remember(loc, write, 0, p.text.s, type.s);
	}
	fr_buf_free(&type);
	fr_path_free(&p);
	return true;
}

static void attach(struct namer *n, LLVMValueRef inst, fr_md *md, unsigned count)
{
	fr_assert(count && count <= 4);
	LLVMSetMetadata(
	    inst, n->md_name,
	    LLVMMetadataAsValue(n->path.ctx, LLVMMDNodeInContext2(n->path.ctx, md, count)));
}

static uint64_t size_of(struct namer *n, LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMScalableVectorTypeKind:
	case LLVMTargetExtTypeKind:
		return 0;
	default:
		return LLVMTypeIsSized(t) ? LLVMStoreSizeOfType(n->path.dl, t) : 0;
	}
}

static void name_call(struct namer *n, LLVMValueRef call)
{
	const char *what = fr_intrinsic(call);
	LLVMValueRef len;
	bool copy, any;
	uint64_t size;
	fr_md md[4];

	if (!what || (strncmp(what, "memcpy.", 7) && strncmp(what, "memmove.", 8) &&
		      strncmp(what, "memset.", 7)))
		return;
	copy = strncmp(what, "memset.", 7);
	len = LLVMGetOperand(call, 2);
	size = LLVMIsAConstantInt(len) ? LLVMConstIntGetZExtValue(len) : 0;
	fr_origin_mark(n->path.ctx, call, copy ? FR_SITE_READ | FR_SITE_WRITE : FR_SITE_WRITE);
	any = describe(n, call, LLVMGetOperand(call, 0), size, true, md);
	if (copy)
		any |= describe(n, call, LLVMGetOperand(call, 1), size, false, md + 2);
	if (any)
		attach(n, call, md, copy ? 4 : 2);
}

static void name_sync(struct namer *n, LLVMValueRef call)
{
	fr_md loc = LLVMInstructionGetDebugLoc(call), md;
	struct fr_buf text = {0};

	fr_sync_name(&n->path, call, &text);
	if (text.n) {
		remember(loc, false, FR_NAME_CALL, text.s, "");
		md = LLVMMDStringInContext2(n->path.ctx, text.s, text.n);
		LLVMSetMetadata(
		    call, n->md_sync,
		    LLVMMetadataAsValue(n->path.ctx, LLVMMDNodeInContext2(n->path.ctx, &md, 1)));
	}
	fr_buf_free(&text);
}

static void name_inst(struct namer *n, LLVMValueRef i)
{
	unsigned access = FR_SITE_READ;
	LLVMValueRef ptr, value;
	bool write = false;
	fr_md md[2];

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		ptr = LLVMGetOperand(i, 0);
		value = i;
		break;
	case LLVMStore:
		ptr = LLVMGetOperand(i, 1);
		value = LLVMGetOperand(i, 0);
		write = true;
		access = FR_SITE_WRITE;
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		ptr = LLVMGetOperand(i, 0);
		value = LLVMGetOperand(i, 1);
		write = true;
		access |= FR_SITE_WRITE;
		break;
	case LLVMCall:
		if (!fr_intrinsic(i))
			fr_origin_mark_call(n->path.ctx, i);
		name_call(n, i);
		name_sync(n, i);
		return;
	case LLVMInvoke:
		if (!fr_intrinsic(i))
			fr_origin_mark_call(n->path.ctx, i);
		name_sync(n, i);
		return;
	default:
		return;
	}
	if (!private(n, ptr))
		fr_origin_mark(n->path.ctx, i, access);
	if (describe(n, i, ptr, size_of(n, LLVMTypeOf(value)), write, md))
		attach(n, i, md, 2);
}

/* Finds the variable at an address: dbg.declare(address, variable, ...), or with optimisation
   dbg.assign(value, variable, expression, id, address, ...). */
static void note_declare(struct namer *n, LLVMValueRef call)
{
	const char *what = fr_intrinsic(call);
	LLVMValueRef at, v[1];
	fr_md var;

	if (!what || (strcmp(what, "dbg.declare") && strcmp(what, "dbg.assign")))
		return;
	at = LLVMGetOperand(call, strcmp(what, "dbg.declare") ? 4 : 0);
	var = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
	if (!fr_md_is(LLVMValueAsMetadata(at), LLVMLocalAsMetadataMetadataKind) ||
	    !fr_md_is(var, LLVMDILocalVariableMetadataKind))
		return;
	LLVMGetMDNodeOperands(at, v);
	*fr_map_put(&n->path.vars, (uintptr_t)v[0]) = (uintptr_t)var;
	fr_path_learn(&n->path, fr_di_var_type(n->path.ctx, var));
}

static void note_guard(struct namer *n, LLVMValueRef call)
{
	fr_guard_field(&n->path, call);
}

static void each(struct namer *n, LLVMValueRef fn, void (*do_it)(struct namer *, LLVMValueRef),
		 bool calls)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (!calls || LLVMIsACallInst(i))
				do_it(n, i);
}

bool fr_pass_name(LLVMModuleRef m)
{
	struct namer n = {
	    .path = {.ctx = LLVMGetModuleContext(m), .dl = LLVMGetModuleDataLayout(m)}};

	if (!LLVMGetNamedMetadataNumOperands(m, "llvm.dbg.cu"))
		return false;
	n.md_name = LLVMGetMDKindIDInContext(n.path.ctx, FR_NAME_MD, strlen(FR_NAME_MD));
	n.md_sync = LLVMGetMDKindIDInContext(n.path.ctx, FR_SYNC_MD, strlen(FR_SYNC_MD));
	n.path.md_dbg = LLVMGetMDKindIDInContext(n.path.ctx, "dbg", 3);
#if LLVM_VERSION_MAJOR >= 19
	/* LLVM-C can walk only the old form of variable declarations. */
	LLVMBool records = LLVMIsNewDbgInfoFormat(m);
	if (records)
		LLVMSetIsNewDbgInfoFormat(m, false);
#endif
	for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
		each(&n, f, note_declare, true);
		each(&n, f, note_guard, true);
		each(&n, f, name_inst, false);
		fr_map_free(&n.path.vars);
		fr_map_free(&n.escapes);
	}
	fr_path_ctx_free(&n.path);
#if LLVM_VERSION_MAJOR >= 19
	if (records)
		LLVMSetIsNewDbgInfoFormat(m, true);
#endif
	return false;
}
