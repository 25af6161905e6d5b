/*
 * Turns an address of clang's unoptimised code into an expression: from the root variable through
 * address arithmetic and loads, and in step with it down the types of the debug information.
 *
 * Offsets decide, not the types of the instructions: a pointer that was cast is described by the
 * declared type of its variable. Of a union, the first member that fits is used; of bit-fields in
 * one storage unit, the first. Never fails hard: a part that does not fit ends the walk, with the
 * text so far.
 */
#include "path.h"
#include "base/assert.h"
#include <string.h>

#define DEPTH_MAX 24
#define TEXT_MAX 200

void fr_path_free(struct fr_path *p)
{
	fr_buf_free(&p->text);
	fr_buf_free(&p->fields);
	*p = (struct fr_path){0};
}

static void drop_fields(struct fr_path *p)
{
	fr_buf_free(&p->fields);
	p->records = 0;
}

/* ---- the text ---- */

static void replace(struct fr_path *p, const char *before, const char *after)
{
	char *s = fr_xasprintf("%s%s%s", before, p->text.s, after);

	fr_assert(p->text.s);
	fr_buf_free(&p->text);
	fr_buf_puts(&p->text, s);
	free(s);
}

static void protect(struct fr_path *p)
{
	if (p->text.s[0] == '*')
		replace(p, "(", ")");
}

static void put_member(struct fr_path *p, const char *name)
{
	if (!*name) /* an anonymous struct or union: its members are the outer one's */
		return;
	protect(p);
	fr_buf_printf(&p->text, "%s%s", p->deref && !p->ref ? "->" : ".", name);
	p->deref = p->ref = false;
}

/* In the source, a captured variable, also `this`, has its own name, without the lambda. */
static void put_captured(struct fr_path *p, const char *name)
{
	fr_buf_free(&p->text);
	fr_buf_puts(&p->text, name);
	p->deref = p->ref = false;
}

static void put_index(struct fr_path *p, uint64_t stride)
{
	bool first = p->global && !p->stride && !strpbrk(p->text.s, ".[");

	p->stride = first && stride ? stride : UINT64_MAX;
	drop_fields(p); /* the offset is not known */
	protect(p);
	fr_buf_puts(&p->text, "[]");
	p->deref = p->ref = false;
}

/* ---- down the types ---- */

static int64_t modulo(int64_t a, uint64_t b)
{
	int64_t m = a % (int64_t)b;

	return m < 0 ? m + (int64_t)b : m;
}

/* The bytes that one step of the k-th dimension of an array covers. */
static uint64_t dim_stride(LLVMContextRef c, fr_md array, unsigned k)
{
	uint64_t s = fr_di_size(c, fr_di_base(c, array)), n;

	for (unsigned i = k + 1; fr_di_dimension(c, array, i, &n); i++)
		s *= n;
	return s;
}

static unsigned dim_count(LLVMContextRef c, fr_md array)
{
	uint64_t n;
	unsigned k = 0;

	while (k < 16 && fr_di_dimension(c, array, k, &n))
		k++;
	return k;
}

/* Indexes the remaining dimensions of the array. */
static bool into_array(LLVMContextRef c, struct fr_path *p, fr_md array)
{
	uint64_t size = fr_di_size(c, fr_di_base(c, array));

	if (!size)
		return false;
	fr_assert(p->dims <= dim_count(c, array));
	for (unsigned k = dim_count(c, array); p->dims < k; p->dims++)
		put_index(p, dim_stride(c, array, p->dims));
	p->type = fr_di_base(c, array);
	p->off = modulo(p->off, size);
	p->dims = 0;
	return true;
}

/* How well an element of a record fits: 0 not at all. */
static int suits(LLVMContextRef c, fr_md e, int64_t off, uint64_t size)
{
	unsigned tag = fr_md_is(e, LLVMDIDerivedTypeMetadataKind) ? LLVMGetDINodeTag(e) : 0;
	LLVMDIFlags flags;
	uint64_t bits, from;

	if (tag != FR_DW_member && tag != FR_DW_inheritance)
		return 0;
	flags = LLVMDITypeGetFlags(e);
	if (flags & LLVMDIFlagStaticMember)
		return 0;
	if (tag == FR_DW_inheritance && (flags & LLVMDIFlagVirtual))
		return 0;
	from = LLVMDITypeGetOffsetInBits(e);
	bits = LLVMDITypeGetSizeInBits(e);
	if (tag == FR_DW_inheritance)
		bits = fr_di_size(c, fr_di_base(c, e)) * 8;
	if ((flags & LLVMDIFlagBitField) && from / 8 <= (uint64_t)off &&
	    (uint64_t)off * 8 < from + bits)
		return 2;
	/* Bit-fields share bytes: one that begins later in the accessed unit fits as well. */
	if ((flags & LLVMDIFlagBitField) && from >= (uint64_t)off * 8 &&
	    from < ((uint64_t)off + size) * 8)
		return 1;
	if (!bits && fr_di_tag(fr_di_strip(c, fr_di_base(c, e))) == FR_DW_array &&
	    from <= (uint64_t)off * 8)
		return 1; /* a flexible array */
	if ((uint64_t)off * 8 < from || (uint64_t)off * 8 >= from + bits)
		return 0;
	if (tag == FR_DW_inheritance) /* an empty base shares its offset with what follows */
		return bits < size * 8 ? 1 : 2;
	return bits == size * 8 ? 4 : 3;
}

/* The name of a std::atomic is that of the whole object. */
static bool is_atomic(LLVMContextRef c, fr_md record)
{
	const char *name = fr_di_name(c, record);

	return !strncmp(name, "atomic<", 7) || !strncmp(name, "__atomic_base<", 14);
}

/* Is it the object of a lambda, inside the lambda? Its members are the captured variables. */
static bool is_closure(LLVMContextRef c, struct fr_path *p, fr_md record)
{
	return p->deref && !strcmp(p->text.s, "this") && !*fr_di_name(c, record) &&
	       fr_di_tag(record) == FR_DW_class;
}

/* Appends the name of a record, or of the typedef of one without a name; nothing if it has none. */
static void record_name(LLVMContextRef c, fr_md type, fr_md record, struct fr_buf *b)
{
	if (*fr_di_name(c, record)) {
		fr_di_qualified(c, record, b);
		return;
	}
	for (unsigned i = 0; type && type != record && i < DEPTH_MAX; i++) {
		if (fr_di_tag(type) == FR_DW_typedef) {
			fr_di_qualified(c, type, b);
			return;
		}
		type = fr_di_base(c, type);
	}
}

/* Notes the field for fr_path.fields. Members of an anonymous record are not noted. */
static void put_field(LLVMContextRef c, struct fr_path *p, fr_md record, const char *field)
{
	struct fr_buf name = {0};

	record_name(c, p->type, record, &name);
	if (name.n && *field && p->records < fr_array_size(p->record))
		p->record[p->records++] = record;
	if (name.n && *field)
		fr_buf_printf(&p->fields, "\n%s.%s %lld", name.s, field, (long long)p->off);
	fr_buf_free(&name);
}

static bool into_record(LLVMContextRef c, struct fr_path *p, fr_md record, uint64_t size)
{
	fr_md elements = fr_di_elements(c, record), best = NULL;
	unsigned n = fr_md_nops(c, elements);
	int score = 0;

	if (p->off < 0)
		return false;
	for (unsigned i = 0; i < n; i++) {
		fr_md e = fr_md_op(c, elements, i);
		int s = suits(c, e, p->off, size);

		if (s > score) {
			score = s;
			best = e;
		}
	}
	if (!best)
		return false;
	if (LLVMGetDINodeTag(best) == FR_DW_member)
		put_field(c, p, record, fr_di_name(c, best));
	if (LLVMGetDINodeTag(best) == FR_DW_member && is_closure(c, p, record))
		put_captured(p, fr_di_name(c, best));
	else if (LLVMGetDINodeTag(best) == FR_DW_member && !is_atomic(c, record))
		put_member(p, fr_di_name(c, best));
	fr_assert(score);
	p->type = fr_di_base(c, best);
	p->off -= (int64_t)(LLVMDITypeGetOffsetInBits(best) / 8);
	if (LLVMDITypeGetFlags(best) & LLVMDIFlagBitField)
		p->off = 0;
	return true;
}

/* An address beyond the object that a pointer points to is another element of an array. */
static void normalise(LLVMContextRef c, struct fr_path *p)
{
	uint64_t size = fr_di_size(c, p->type);

	if (!p->deref || !size || (p->off >= 0 && (uint64_t)p->off < size))
		return;
	put_index(p, 0);
	p->off = modulo(p->off, size);
}

static bool step(struct fr_path_ctx *x, struct fr_path *p, uint64_t size)
{
	fr_md t;
	unsigned tag;

	normalise(x->ctx, p);
	t = fr_di_strip(x->ctx, p->type);
	tag = fr_di_tag(t);
	if (tag == FR_DW_array)
		return into_array(x->ctx, p, t);
	return fr_di_is_record(tag) && into_record(x->ctx, p, t, size);
}

/* The text of a pointer becomes that of its target. */
static void end_text(struct fr_path *p)
{
	if (p->deref && !p->ref)
		replace(p, "*", "");
	p->deref = p->ref = false;
}

bool fr_path_down(struct fr_path_ctx *x, struct fr_path *p, bool (*is)(void *ctx, fr_md type),
		  void *ctx)
{
	for (unsigned i = 0; i < DEPTH_MAX && p->text.n <= TEXT_MAX; i++) {
		normalise(x->ctx, p);
		if (!p->off && !p->dims && is(ctx, p->type)) {
			end_text(p);
			return true;
		}
		if (!step(x, p, 0))
			break;
	}
	return false;
}

void fr_path_end(struct fr_path_ctx *x, struct fr_path *p, uint64_t size)
{
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		uint64_t whole = fr_di_size(x->ctx, p->type);
		unsigned tag = fr_di_tag(fr_di_strip(x->ctx, p->type));
		/* A copy of the whole object names it; a load of a record's
		   size names its only member. */
		bool all = whole == size && !p->off && (!fr_di_is_record(tag) || size > 8);

		if (!size || all || p->text.n > TEXT_MAX || !step(x, p, size))
			break;
	}
	end_text(p);
}

/* ---- variable indices ---- */

static void index_by(struct fr_path_ctx *x, struct fr_path *p, uint64_t stride)
{
	LLVMContextRef c = x->ctx;

	for (unsigned i = 0; i < DEPTH_MAX && stride; i++) {
		fr_md t = fr_di_strip(c, p->type);
		unsigned tag = fr_di_tag(t);

		if (p->deref && fr_di_size(c, t) == stride) {
			put_index(p, 0);
			p->off = modulo(p->off, stride);
			return;
		}
		if (tag == FR_DW_array) {
			unsigned n = dim_count(c, t);

			for (unsigned k = p->dims; k < n; k++) {
				if (dim_stride(c, t, k) != stride)
					continue;
				for (; p->dims <= k; p->dims++)
					put_index(p, dim_stride(c, t, p->dims));
				p->off = modulo(p->off, stride);
				if (p->dims == n) {
					p->type = fr_di_base(c, t);
					p->dims = 0;
				}
				return;
			}
		}
		if (!step(x, p, stride))
			break;
	}
	put_index(p, 0);
	p->type = NULL;
	p->off = 0;
}

static void gep(struct fr_path_ctx *x, LLVMValueRef g, struct fr_path *p)
{
	LLVMTypeRef t = LLVMGetGEPSourceElementType(g);
	int n = LLVMGetNumOperands(g);

	fr_assert(n > 0 && p->text.s);
	fr_path_recast(x, t, p);
	for (int i = 1; i < n; i++) {
		LLVMValueRef index = LLVMGetOperand(g, (unsigned)i);
		uint64_t stride;

		if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
			unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);

			p->off += (int64_t)LLVMOffsetOfElement(x->dl, t, k);
			t = LLVMStructGetTypeAtIndex(t, k);
			continue;
		}
		if (i > 1)
			t = LLVMGetElementType(t);
		stride = LLVMTypeIsSized(t) ? LLVMABISizeOfType(x->dl, t) : 0;
		if (LLVMIsAConstantInt(index))
			p->off += LLVMConstIntGetSExtValue(index) * (int64_t)stride;
		else
			index_by(x, p, stride);
	}
}

/* ---- roots ---- */

static bool of(struct fr_path_ctx *x, LLVMValueRef v, struct fr_path *p, unsigned depth);

static bool root_local(struct fr_path_ctx *x, LLVMValueRef v, struct fr_path *p)
{
	uint64_t *var = fr_map_get(&x->vars, (uintptr_t)v);
	fr_md di = var ? (fr_md)(uintptr_t)*var : NULL;
	const char *name = di ? fr_di_var_name(x->ctx, di) : "";

	if (!*name)
		return false;
	fr_buf_puts(&p->text, name);
	p->type = fr_di_var_type(x->ctx, di);
	return true;
}

static bool root_global(struct fr_path_ctx *x, LLVMValueRef v, struct fr_path *p)
{
	size_t count, n;
	LLVMValueMetadataEntry *md = LLVMGlobalCopyAllMetadata(v, &count);
	const char *name = LLVMGetValueName2(v, &n);
	fr_md var = NULL;
	char *plain;

	for (size_t i = 0; i < count && !var; i++)
		if (LLVMValueMetadataEntriesGetKind(md, (unsigned)i) == x->md_dbg)
			var = LLVMDIGlobalVariableExpressionGetVariable(
			    LLVMValueMetadataEntriesGetMetadata(md, (unsigned)i));
	LLVMDisposeValueMetadataEntries(md);
	if (var) {
		fr_buf_puts(&p->text, fr_di_var_name(x->ctx, var));
		p->type = fr_di_var_type(x->ctx, var);
	} else {
		if (!strncmp(name, ".str", 4) || !n)
			return false;
		plain = fr_plain_name(name);
		fr_buf_puts(&p->text, plain ? plain : name);
		free(plain);
	}
	p->global = true;
	return p->text.n > 0;
}

/* The target of a pointer, once the pointer itself is described. */
static bool follow(struct fr_path_ctx *x, struct fr_path *p)
{
	fr_md t;
	unsigned tag;

	fr_path_end(x, p, 8);
	t = fr_di_strip(x->ctx, p->type);
	tag = fr_di_tag(t);
	p->type = fr_di_is_pointer(tag) ? fr_di_base(x->ctx, t) : NULL;
	p->ref = tag == FR_DW_reference || tag == FR_DW_rvalue_reference;
	p->deref = true;
	p->global = false;
	p->stride = 0;
	drop_fields(p);
	p->off = 0;
	p->dims = 0;
	return true;
}

/* `v[i]` of C++: the operator's result is an element of its object. */
static bool root_operator(struct fr_path_ctx *x, LLVMValueRef call, const char *name,
			  struct fr_path *p, unsigned depth)
{
	if (strcmp(name, "operator[]") && strcmp(name, "operator*") && strcmp(name, "operator->") &&
	    strcmp(name, "at"))
		return false;
	if (!LLVMGetNumArgOperands(call) || !of(x, LLVMGetOperand(call, 0), p, depth + 1))
		return false;
	if (p->off)
		fr_path_end(x, p, 8);
	fr_assert(p->text.s);
	if (!strcmp(name, "operator[]") || !strcmp(name, "at")) {
		put_index(p, 0);
	} else {
		fr_path_end(x, p, 0);
		p->deref = true;
		drop_fields(p);
	}
	p->off = 0;
	p->dims = 0;
	return true;
}

/* `std::get<0>(t)`: the name has all template arguments, the source only the first. */
static bool root_get(struct fr_path_ctx *x, LLVMValueRef call, const char *name, struct fr_path *p,
		     unsigned depth)
{
	size_t digits = !strncmp(name, "get<", 4) ? strspn(name + 4, "0123456789") : 0;
	char *before;

	if (!digits || !LLVMGetNumArgOperands(call) ||
	    !of(x, LLVMGetOperand(call, 0), p, depth + 1))
		return false;
	fr_path_end(x, p, 0);
	before = fr_xasprintf("get<%.*s>(", (int)digits, name + 4);
	replace(p, before, ")");
	free(before);
	p->ref = p->deref = true;
	p->global = false;
	p->stride = 0;
	p->off = 0;
	p->dims = 0;
	return true;
}

/* The name of a called function without template arguments, parameters and type of the result. */
static void put_called(struct fr_path *p, const char *name)
{
	char *plain = fr_plain_name(name);
	const char *s = plain ? plain : name;
	bool operator= !strncmp(s, "operator", 8);
	size_t n = operator? 8 + strcspn(s + 8, "(") : strcspn(s, "<("), from = operator? 0 : n;

	while (from && s[from - 1] != ' ')
		from--;
	fr_buf_printf(&p->text, "%.*s()", (int)(n - from), s + from);
	free(plain);
}

static bool root_call(struct fr_path_ctx *x, LLVMValueRef call, struct fr_path *p, unsigned depth)
{
	LLVMValueRef f = LLVMGetCalledValue(call);
	fr_md sp, result, t;
	const char *name;
	unsigned tag;
	size_t n;

	if (!f || !LLVMIsAFunction(f))
		return false;
	name = LLVMGetValueName2(f, &n);
	if (!strncmp(name, "llvm.", 5)) {
		if (!strncmp(name, "llvm.threadlocal.address", 24) ||
		    !strncmp(name, "llvm.launder", 12))
			return of(x, LLVMGetOperand(call, 0), p, depth + 1);
		return false;
	}
	sp = LLVMGetSubprogram(f);
	result = sp ? fr_md_op(x->ctx, fr_md_op(x->ctx, fr_di_subtype(x->ctx, sp), 3), 0) : NULL;
	t = fr_di_strip(x->ctx, result);
	tag = fr_di_tag(t);
	if (!sp || (!root_operator(x, call, fr_di_name(x->ctx, sp), p, depth) &&
		    !root_get(x, call, fr_di_name(x->ctx, sp), p, depth))) {
		fr_path_free(p);
		put_called(p, sp ? fr_di_name(x->ctx, sp) : name);
		p->deref = true;
		p->ref = tag == FR_DW_reference || tag == FR_DW_rvalue_reference;
	}
	p->type = fr_di_is_pointer(tag) ? fr_di_base(x->ctx, t) : NULL;
	return true;
}

static bool of(struct fr_path_ctx *x, LLVMValueRef v, struct fr_path *p, unsigned depth)
{
	if (depth > DEPTH_MAX)
		return false;
	if (LLVMIsAGlobalVariable(v))
		return root_global(x, v, p);
	if (LLVMIsAAllocaInst(v) || LLVMIsAArgument(v))
		return root_local(x, v, p);
	if (LLVMIsALoadInst(v))
		return of(x, LLVMGetOperand(v, 0), p, depth + 1) && follow(x, p);
	if (LLVMIsACallInst(v) || LLVMIsAInvokeInst(v))
		return root_call(x, v, p, depth);
	if (LLVMIsAGetElementPtrInst(v) ||
	    (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr)) {
		if (!of(x, LLVMGetOperand(v, 0), p, depth + 1))
			return false;
		gep(x, v, p);
		return true;
	}
	if (LLVMIsABitCastInst(v) || LLVMIsAFreezeInst(v))
		return of(x, LLVMGetOperand(v, 0), p, depth + 1);
	return false;
}

bool fr_path_of(struct fr_path_ctx *c, LLVMValueRef addr, struct fr_path *p)
{
	*p = (struct fr_path){0};
	if (of(c, addr, p, 0) && p->text.n)
		return true;
	fr_path_free(p);
	return false;
}
