#include "func.h"
void fr_lookup_name(struct fr_func *f, LLVMValueRef inst, LLVMValueRef ptr, unsigned which,
		    const char **name, const char **type)
{
	(void)f, (void)inst, (void)ptr, (void)which;
	*name = *type = "";
}
bool fr_pass_name(LLVMModuleRef m) { (void)m; return false; }
