/*
 * Calls of the functions of libstdc++ that link and visit the nodes of std::map, std::set and
 * std::list: inserts hooks that record what they access (src/runtime/wrap/wrap_std_nodes.c).
 */
#include "func.h"
#include "base/assert.h"
#include <string.h>

#define TREE "PSt18_Rb_tree_node_base"
#define TREE_CONST "PKSt18_Rb_tree_node_base"

/* The hook's parameters are the function's, and after them `last` if it is not below 0. */
static const struct {
	const char *name;
	enum fr_pass_hook hook;
	unsigned params;
	int last;
} table[] = {
    {"_ZSt29_Rb_tree_insert_and_rebalanceb" TREE "S0_RS_", FR_H_TREE_INSERT, 4, -1},
    {"_ZSt28_Rb_tree_rebalance_for_erase" TREE "RS_", FR_H_TREE_ERASE, 2, -1},
    {"_ZSt18_Rb_tree_increment" TREE, FR_H_TREE_STEP, 1, 1},
    {"_ZSt18_Rb_tree_increment" TREE_CONST, FR_H_TREE_STEP, 1, 1},
    {"_ZSt18_Rb_tree_decrement" TREE, FR_H_TREE_STEP, 1, 0},
    {"_ZSt18_Rb_tree_decrement" TREE_CONST, FR_H_TREE_STEP, 1, 0},
    {"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", FR_H_LIST_HOOK, 2, -1},
    {"_ZNSt8__detail15_List_node_base9_M_unhookEv", FR_H_LIST_UNHOOK, 1, -1},
    {"_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", FR_H_LIST_TRANSFER, 3, -1},
};

void fr_std_node_hook(struct fr_pass_unit *u, LLVMValueRef call, LLVMValueRef callee,
		      const char *name)
{
	LLVMValueRef args[5];

	if (strncmp(name, "_ZSt", 4) && strncmp(name, "_ZNSt", 5))
		return;
	if (!callee || !LLVMIsDeclaration(callee))
		return;
	for (size_t i = 0; i < fr_array_size(table); i++) {
		unsigned n = LLVMGetNumArgOperands(call);

		if (strcmp(name, table[i].name) || n != table[i].params)
			continue;
		fr_assert(n < fr_array_size(args));
		for (unsigned k = 0; k < n; k++) {
			args[k] = LLVMGetOperand(call, k);
			if (LLVMTypeOf(args[k]) != u->ptr)
				args[k] = LLVMBuildZExt(u->b, args[k], u->i32, "");
		}
		if (table[i].last >= 0)
			args[n] = fr_i32(u, (uint64_t)table[i].last);
		fr_hook(u, table[i].hook, args);
		return;
	}
}
