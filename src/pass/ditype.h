/*
 * Debug information through LLVM-C: operands of nodes by number, and types as C text. All functions
 * accept and return NULL for "missing", and never trust a node's kind.
 */
#ifndef FR_PASS_DITYPE_H
#define FR_PASS_DITYPE_H

#include "pass.h"

enum {
	FR_DW_array = 0x01,
	FR_DW_class = 0x02,
	FR_DW_enumeration = 0x04,
	FR_DW_member = 0x0d,
	FR_DW_pointer = 0x0f,
	FR_DW_reference = 0x10,
	FR_DW_structure = 0x13,
	FR_DW_subroutine = 0x15,
	FR_DW_typedef = 0x16,
	FR_DW_union = 0x17,
	FR_DW_inheritance = 0x1c,
	FR_DW_ptr_to_member = 0x1f,
	FR_DW_const = 0x26,
	FR_DW_volatile = 0x35,
	FR_DW_restrict = 0x37,
	FR_DW_rvalue_reference = 0x42,
	FR_DW_template_alias = 0x43,
	FR_DW_atomic = 0x47,
};

typedef LLVMMetadataRef fr_md;

/* The i-th operand of a node; constants come back as metadata too. */
fr_md fr_md_op(LLVMContextRef c, fr_md node, unsigned i);
unsigned fr_md_nops(LLVMContextRef c, fr_md node);
/* The i-th operand if it is a string, else "". */
const char *fr_md_str(LLVMContextRef c, fr_md node, unsigned i);
/* The i-th operand if it is a constant integer. */
bool fr_md_int(LLVMContextRef c, fr_md node, unsigned i, uint64_t *ret);
bool fr_md_is(fr_md node, LLVMMetadataKind k);

/* Operands of the nodes that are used here, in LLVM's layout. */
#define fr_di_scope(c, n) fr_md_op(c, n, 1) /* subprogram, type, block, namespace */
#define fr_di_name(c, n) fr_md_str(c, n, 2) /* subprogram, type, member, namespace */
#define fr_di_base(c, n) fr_md_op(c, n, 3)  /* derived and composite types */
#define fr_di_elements(c, n) fr_md_op(c, n, 4)
#define fr_di_identifier(c, n) fr_md_str(c, n, 7)
#define fr_di_linkage(c, n) fr_md_str(c, n, 3)	/* subprogram */
#define fr_di_subtype(c, n) fr_md_op(c, n, 4)	/* subprogram: its subroutine type */
#define fr_di_var_name(c, n) fr_md_str(c, n, 1) /* local and global variables */
#define fr_di_var_type(c, n) fr_md_op(c, n, 3)

/* The tag of a type, 0 if it is not a type. */
unsigned fr_di_tag(fr_md t);
/* The type without typedefs and qualifiers. */
fr_md fr_di_strip(LLVMContextRef c, fr_md t);
/* Size in bytes of a type, looking through typedefs; 0 if not known. */
uint64_t fr_di_size(LLVMContextRef c, fr_md t);
bool fr_di_is_record(unsigned tag);  /* struct, class, union */
bool fr_di_is_pointer(unsigned tag); /* and references */
/* The n-th dimension of an array type (its count, 0 if not known), or false when there is none. */
bool fr_di_dimension(LLVMContextRef c, fr_md array, unsigned n, uint64_t *ret);
/* Appends the type as text: `struct conn *`, `std::vector<int>`. */
void fr_di_type_text(LLVMContextRef c, fr_md t, struct fr_buf *b);
/* Appends a subprogram's or type's name with its namespaces and classes. */
void fr_di_qualified(LLVMContextRef c, fr_md n, struct fr_buf *b);

#endif
