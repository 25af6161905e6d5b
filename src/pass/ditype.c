/* Debug information through LLVM-C. See ditype.h. */
#include "ditype.h"
#include "base/assert.h"
#include <string.h>

bool fr_md_is(fr_md node, LLVMMetadataKind k)
{
	return node && LLVMGetMetadataKind(node) == k;
}

static bool is_node(fr_md m)
{
	if (!m)
		return false;
	switch (LLVMGetMetadataKind(m)) {
	case LLVMMDStringMetadataKind:
	case LLVMConstantAsMetadataMetadataKind:
	case LLVMLocalAsMetadataMetadataKind:
	case LLVMDistinctMDOperandPlaceholderMetadataKind:
	case LLVMDIArgListMetadataKind:
		return false;
	default:
		return true;
	}
}

unsigned fr_md_nops(LLVMContextRef c, fr_md node)
{
	return is_node(node) ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(c, node)) : 0;
}

/* The operand as a value: a constant, or wrapped metadata. */
static LLVMValueRef operand(LLVMContextRef c, fr_md node, unsigned i)
{
	LLVMValueRef few[32], *all = few, v;
	unsigned n = fr_md_nops(c, node);

	if (i >= n)
		return NULL;
	if (n > fr_array_size(few))
		all = fr_xcalloc(n, sizeof(*all));
	LLVMGetMDNodeOperands(LLVMMetadataAsValue(c, node), all);
	fr_assert(i < n);
	v = all[i];
	if (all != few)
		free(all);
	return v;
}

fr_md fr_md_op(LLVMContextRef c, fr_md node, unsigned i)
{
	LLVMValueRef v = operand(c, node, i);

	return v ? LLVMValueAsMetadata(v) : NULL;
}

const char *fr_md_str(LLVMContextRef c, fr_md node, unsigned i)
{
	LLVMValueRef v = operand(c, node, i);
	unsigned n;

	if (!v || !LLVMIsAMDString(v))
		return "";
	return LLVMGetMDString(v, &n);
}

bool fr_md_int(LLVMContextRef c, fr_md node, unsigned i, uint64_t *ret)
{
	LLVMValueRef v = operand(c, node, i);

	if (!v || !LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*ret = LLVMConstIntGetZExtValue(v);
	return true;
}

unsigned fr_di_tag(fr_md t)
{
	if (!t)
		return 0;
	switch (LLVMGetMetadataKind(t)) {
	case LLVMDIBasicTypeMetadataKind:
	case LLVMDIDerivedTypeMetadataKind:
	case LLVMDICompositeTypeMetadataKind:
	case LLVMDISubroutineTypeMetadataKind:
		return LLVMGetDINodeTag(t);
	default:
		return 0;
	}
}

static bool is_alias(unsigned tag)
{
	return tag == FR_DW_typedef || tag == FR_DW_const || tag == FR_DW_volatile ||
	       tag == FR_DW_restrict || tag == FR_DW_atomic || tag == FR_DW_template_alias;
}

fr_md fr_di_strip(LLVMContextRef c, fr_md t)
{
	while (is_alias(fr_di_tag(t)))
		t = fr_di_base(c, t);
	return t;
}

uint64_t fr_di_size(LLVMContextRef c, fr_md t)
{
	t = fr_di_strip(c, t);
	return fr_di_tag(t) ? LLVMDITypeGetSizeInBits(t) / 8 : 0;
}

bool fr_di_is_record(unsigned tag)
{
	return tag == FR_DW_structure || tag == FR_DW_class || tag == FR_DW_union;
}

bool fr_di_is_pointer(unsigned tag)
{
	return tag == FR_DW_pointer || tag == FR_DW_reference || tag == FR_DW_rvalue_reference;
}

bool fr_di_dimension(LLVMContextRef c, fr_md array, unsigned n, uint64_t *ret)
{
	fr_md sub = fr_md_op(c, fr_di_elements(c, array), n);

	if (!sub)
		return false;
	if (!fr_md_int(c, sub, 0, ret) || *ret > UINT32_MAX)
		*ret = 0;
	return true;
}

static void array_text(LLVMContextRef c, fr_md t, struct fr_buf *b)
{
	uint64_t count;

	fr_di_type_text(c, fr_di_base(c, t), b);
	for (unsigned i = 0; fr_di_dimension(c, t, i, &count); i++)
		if (count)
			fr_buf_printf(b, "[%llu]", (unsigned long long)count);
		else
			fr_buf_puts(b, "[]");
}

/* `int` makes `int *`, and `int *` makes `int **`. */
static void pointer_text(LLVMContextRef c, fr_md t, const char *star, struct fr_buf *b)
{
	fr_md base = fr_di_base(c, t);

	if (fr_di_tag(base) == FR_DW_subroutine)
		fr_buf_puts(b, "function");
	else
		fr_di_type_text(c, base, b);
	if (b->n && !strchr("*&", b->s[b->n - 1]))
		fr_buf_puts(b, " ");
	fr_buf_puts(b, star);
}

static void qualified_type(LLVMContextRef c, const char *q, fr_md t, struct fr_buf *b)
{
	fr_md base = fr_di_base(c, t);
	bool behind = fr_di_is_pointer(fr_di_tag(base));

	if (!behind)
		fr_buf_printf(b, "%s ", q);
	fr_di_type_text(c, base, b);
	if (behind)
		fr_buf_printf(b, "%s", q);
}

static void record_text(LLVMContextRef c, fr_md t, const char *word, struct fr_buf *b)
{
	const char *name = fr_di_name(c, t);

	if (*fr_di_identifier(c, t)) /* C++ */
		fr_di_qualified(c, t, b);
	else
		fr_buf_printf(b, "%s %s", word, *name ? name : "{...}");
}

void fr_di_type_text(LLVMContextRef c, fr_md t, struct fr_buf *b)
{
	if (b->n > 400) { /* template types can be endless */
		fr_buf_puts(b, "...");
		return;
	}
	switch (fr_di_tag(t)) {
	case FR_DW_pointer:
		pointer_text(c, t, "*", b);
		break;
	case FR_DW_reference:
		pointer_text(c, t, "&", b);
		break;
	case FR_DW_rvalue_reference:
		pointer_text(c, t, "&&", b);
		break;
	case FR_DW_const:
		qualified_type(c, "const", t, b);
		break;
	case FR_DW_volatile:
		qualified_type(c, "volatile", t, b);
		break;
	case FR_DW_atomic:
		qualified_type(c, "_Atomic", t, b);
		break;
	case FR_DW_restrict:
		fr_di_type_text(c, fr_di_base(c, t), b);
		break;
	case FR_DW_array:
		array_text(c, t, b);
		break;
	case FR_DW_structure:
	case FR_DW_class:
		record_text(c, t, "struct", b);
		break;
	case FR_DW_union:
		record_text(c, t, "union", b);
		break;
	case FR_DW_enumeration:
		record_text(c, t, "enum", b);
		break;
	case FR_DW_subroutine:
		fr_buf_puts(b, "function");
		break;
	case FR_DW_ptr_to_member:
		fr_buf_puts(b, "member pointer");
		break;
	case 0:
		fr_buf_puts(b, "void");
		break;
	default:
		fr_buf_puts(b, fr_di_name(c, t));
	}
}

static void scope_text(LLVMContextRef c, fr_md s, struct fr_buf *b, unsigned depth)
{
	const char *name;

	if (!s || depth > 20)
		return;
	if (!fr_md_is(s, LLVMDINamespaceMetadataKind) &&
	    !fr_md_is(s, LLVMDICompositeTypeMetadataKind))
		return;
	name = fr_di_name(c, s);
	scope_text(c, fr_di_scope(c, s), b, depth + 1);
	if (*name)
		fr_buf_printf(b, "%s::", name);
	else
		fr_buf_puts(b, fr_md_is(s, LLVMDINamespaceMetadataKind) ? "(anonymous)::"
									: "(lambda)::");
}

void fr_di_qualified(LLVMContextRef c, fr_md n, struct fr_buf *b)
{
	const char *name = fr_di_name(c, n);

	if (!*name && fr_md_is(n, LLVMDISubprogramMetadataKind))
		name = fr_di_linkage(c, n); /* made by the compiler: initialisers of globals */
	scope_text(c, fr_di_scope(c, n), b, 0);
	fr_buf_puts(b, *name ? name : "(anonymous)");
}
