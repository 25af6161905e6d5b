/*
 * Finds the arguments of the source among those that the code passes. A struct may be passed as a
 * pointer, as one or two numbers, or not at all, and its result may be an argument. Debug
 * information tells which. Without it, or if the two do not fit together, the arguments are those
 * of the code.
 *
 * Not recorded, but counted, so that the others keep their numbers: structs, vectors, and values of
 * more than 8 bytes. Integers that nothing marks as unsigned count as signed.
 */
#include "args.h"
#include <string.h>

struct raw {
	LLVMValueRef value;
	bool byval, zero;
};

struct raws {
	FR_VEC(struct raw) v;
	size_t fixed; /* the rest are variadic */
};

/* ---- types of the source ---- */

static bool is_unsigned(LLVMContextRef c, fr_md t)
{
	static const char *const names[] = {"unsigned", "bool",	    "_Bool",
					    "char8_t",	"char16_t", "char32_t"};

	t = fr_di_strip(c, t);
	if (fr_di_tag(t) == FR_DW_enumeration)
		t = fr_di_strip(c, fr_di_base(c, t));
	if (!fr_md_is(t, LLVMDIBasicTypeMetadataKind))
		return false;
	for (size_t i = 0; i < fr_array_size(names); i++)
		if (!strncmp(fr_di_name(c, t), names[i], strlen(names[i])))
			return true;
	return false;
}

static bool is_record(LLVMContextRef c, fr_md t)
{
	return fr_di_is_record(fr_di_tag(fr_di_strip(c, t)));
}

/* The types of result and parameters. A variadic list ends with null entries. */
static fr_md types_of(LLVMContextRef c, fr_md sp, unsigned *n)
{
	fr_md types = sp ? fr_md_op(c, fr_di_subtype(c, sp), 3) : NULL;

	*n = fr_md_nops(c, types);
	while (*n > 1 && !fr_md_op(c, types, *n - 1))
		--*n;
	return types;
}

/* ---- one value ---- */

static void put(struct fr_pass_unit *u, struct fr_args *a, LLVMValueRef v, bool other, bool zero)
{
	LLVMTypeRef t = v ? LLVMTypeOf(v) : NULL;
	enum fr_arg kind = FR_ARG_OTHER;
	uint64_t size = t ? fr_store_size(u, t) : 0;

	if (a->n++ >= FR_CALL_ARGS)
		return;
	if (!other && size && size <= 8 && !(size & (size - 1)))
		switch (LLVMGetTypeKind(t)) {
		case LLVMIntegerTypeKind:
			kind = zero || LLVMGetIntTypeWidth(t) == 1 ? FR_ARG_INT : FR_ARG_SIGNED;
			break;
		case LLVMPointerTypeKind:
			kind = FR_ARG_POINTER;
			break;
		case LLVMHalfTypeKind:
		case LLVMBFloatTypeKind:
		case LLVMFloatTypeKind:
		case LLVMDoubleTypeKind:
			kind = FR_ARG_FLOAT;
			break;
		default:
			break;
		}
	a->v[a->kept].from = v;
	a->v[a->kept].kind = kind;
	a->v[a->kept++].size = kind == FR_ARG_OTHER ? 0 : (unsigned)size;
}

void fr_args_build(struct fr_pass_unit *u, struct fr_args *a)
{
	for (unsigned i = 0; i < a->kept; i++) {
		LLVMValueRef from = a->v[i].from, hi;

		if (!a->v[i].size)
			a->v[i].value = fr_i64(u, 0);
		else if (a->v[i].kind == FR_ARG_SIGNED)
			a->v[i].value = LLVMTypeOf(from) == u->i64
					    ? from
					    : LLVMBuildSExt(u->b, from, u->i64, "");
		else
			a->v[i].value = fr_value64(u, from, a->v[i].size, &hi);
	}
}

/* ---- lists ---- */

/* Fits the source's parameters to the code's. `wide`: number of arguments for a struct of 9 to 16
   bytes that is not passed in memory. False if they do not fit. */
static bool fit(struct fr_pass_unit *u, const struct raws *r, fr_md types, unsigned n, size_t wide,
		struct fr_args *ret)
{
	struct fr_args a = {0};
	size_t at = 0;

	for (unsigned i = 1; i < n; i++) {
		fr_md t = fr_md_op(u->ctx, types, i);
		bool record = is_record(u->ctx, t);
		uint64_t size = fr_di_size(u->ctx, t);
		size_t width = 1;

		if (at < r->fixed && record && size > 8 && size <= 16 && !r->v.v[at].byval)
			width = wide;
		if (record && size <= 1 &&
		    !fr_md_nops(u->ctx, fr_di_elements(u->ctx, fr_di_strip(u->ctx, t))))
			width = 0;
		if (at + width > r->fixed)
			return false;
		put(u, &a, width ? r->v.v[at].value : NULL, record || (width && r->v.v[at].byval),
		    is_unsigned(u->ctx, t));
		at += width;
	}
	if (at != r->fixed)
		return false;
	for (; at < r->v.n; at++)
		put(u, &a, r->v.v[at].value, r->v.v[at].byval, r->v.v[at].zero);
	*ret = a;
	return true;
}

static void arrange(struct fr_pass_unit *u, struct raws *r, fr_md sp, struct fr_args *ret)
{
	unsigned n;
	fr_md types = types_of(u->ctx, sp, &n);

	*ret = (struct fr_args){0};
	if (!types || (!fit(u, r, types, n, 2, ret) && !fit(u, r, types, n, 1, ret)))
		for (size_t i = 0; i < r->v.n; i++)
			put(u, ret, r->v.v[i].value, r->v.v[i].byval, r->v.v[i].zero);
	fr_vec_free(&r->v);
}

static bool has(LLVMValueRef call, LLVMValueRef fn, unsigned arg, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return (call && LLVMGetCallSiteEnumAttribute(call, arg + 1, kind)) ||
	       (fn && arg < LLVMCountParams(fn) && LLVMGetEnumAttributeAtIndex(fn, arg + 1, kind));
}

static void add(struct raws *r, LLVMValueRef call, LLVMValueRef fn, unsigned arg, LLVMValueRef v,
		bool fixed)
{
	if (has(call, fn, arg, "sret"))
		return; /* the result */
	fr_vec_push(&r->v,
		    ((struct raw){v, has(call, fn, arg, "byval"), has(call, fn, arg, "zeroext")}));
	r->fixed += fixed;
}

void fr_args_of_call(struct fr_pass_unit *u, LLVMValueRef call, fr_md sp, struct fr_args *ret)
{
	unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
	struct raws r = {0};
	LLVMValueRef fn;

	fr_callee_name(call, &fn);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		add(&r, call, fn, i, LLVMGetOperand(call, i), i < fixed);
	arrange(u, &r, sp, ret);
}

void fr_args_of_function(struct fr_pass_unit *u, LLVMValueRef fn, struct fr_args *ret)
{
	struct raws r = {0};

	for (unsigned i = 0; i < LLVMCountParams(fn); i++)
		add(&r, NULL, fn, i, LLVMGetParam(fn, i), true);
	arrange(u, &r, LLVMGetSubprogram(fn), ret);
}

void fr_args_of_result(struct fr_pass_unit *u, LLVMValueRef value, fr_md sp, struct fr_args *ret)
{
	unsigned n;
	fr_md types = types_of(u->ctx, sp, &n), t = n ? fr_md_op(u->ctx, types, 0) : NULL;

	*ret = (struct fr_args){0};
	if (value || is_record(u->ctx, t))
		put(u, ret, value, is_record(u->ctx, t), is_unsigned(u->ctx, t));
}
