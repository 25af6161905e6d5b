/*
 * Functions of the program that have the name of a libc function that forerun replaces.
 *
 * Early:     libc.a calls the program's memcpy, strlen and the like before a static program has
 *            thread-local storage, which every hook reads. So definitions of these names are not
 *            instrumented. A call of one is recorded like a call of libc's.
 * Marks:     a module that defines another such NAME also defines the symbol frt_defines_NAME, with
 *            the same linkage and visibility. A call of NAME from another module tests that symbol.
 *            It goes to the program's function if the two are linked together, else to the runtime,
 *            which records it. The linker and the loader decide this as they decide which NAME is
 *            meant, so the program calls the same function as without forerun. A hidden early
 *            function is marked too, because the runtime could not call it. A visible one has the
 *            mark frt_has_NAME, which keeps the runtime from doing its work itself
 *            (runtime/wrap/libc_ranges.c).
 * Not seen:  definitions in object files that forerun did not compile. The runtime passes the call
 *            on to them if they are visible in the executable.
 */
#include "func.h"
#include "format/hook_abi.h"
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define FR_X(n) #n,
    FRT_LIBC(FR_X)
#undef FR_X
#define FRT_W(n) #n,
#define FRT_WV(n, v) #n,
#define FRT_WA(n, i) /* the allocator is recorded even if the program provides it */
#define FRT_WD(n) #n,
#define FRT_WP(n) #n,
#define FRT_WN(n)
#include "format/wrapped.def"
};

static const char *const early[] = {
    "memcpy", "memmove", "memset", "memcmp",  "bcmp",	 "memchr",     "mempcpy",
    "strlen", "strnlen", "strcpy", "stpcpy",  "strncpy", "strcat",     "strncat",
    "strcmp", "strncmp", "strchr", "strrchr", "strstr",	 "strcasecmp", "strncasecmp",
};

static bool defines(LLVMValueRef v)
{
	switch (LLVMGetLinkage(v)) {
	case LLVMAvailableExternallyLinkage:
	case LLVMInternalLinkage:
	case LLVMPrivateLinkage:
		return false;
	default:
		return LLVMIsAGlobalAlias(v) || LLVMIsAGlobalIFunc(v) || !LLVMIsDeclaration(v);
	}
}

static bool hidden(LLVMValueRef v)
{
	return LLVMGetVisibility(v) != LLVMDefaultVisibility;
}

bool fr_define_early(LLVMValueRef fn)
{
	size_t n;
	const char *name = LLVMGetValueName2(fn, &n);

	if (!defines(fn))
		return false;
	for (size_t i = 0; i < fr_array_size(early); i++)
		if (!strcmp(early[i], name))
			return true;
	return false;
}

bool fr_define_redirects(LLVMValueRef callee)
{
	return LLVMIsDeclaration(callee) || (fr_define_early(callee) && !hidden(callee));
}

static bool mark(struct fr_pass_unit *u, const char *name)
{
	size_t n = strlen(name);
	LLVMValueRef v = LLVMGetNamedFunction(u->mod, name), g;
	LLVMTypeRef byte = LLVMInt8TypeInContext(u->ctx);
	char marker[80];

	if (!v)
		v = LLVMGetNamedGlobalAlias(u->mod, name, n);
	if (!v)
		v = LLVMGetNamedGlobalIFunc(u->mod, name, n);
	if (!v || !defines(v))
		return false;
	snprintf(marker, sizeof(marker), "frt_%s_%s",
		 fr_define_early(v) && !hidden(v) ? "has" : "defines", name);
	if (LLVMGetNamedGlobal(u->mod, marker))
		return false;
	g = LLVMAddGlobal(u->mod, byte, marker);
	LLVMSetInitializer(g, LLVMConstInt(byte, 1, false));
	LLVMSetGlobalConstant(g, true);
	LLVMSetLinkage(g, LLVMGetLinkage(v) == LLVMExternalLinkage ? LLVMExternalLinkage
								   : LLVMWeakAnyLinkage);
	LLVMSetVisibility(g, LLVMGetVisibility(v));
	return true;
}

bool fr_define_mark(struct fr_pass_unit *u)
{
	bool any = false;

	for (size_t i = 0; i < fr_array_size(names); i++)
		any |= mark(u, names[i]);
	return any;
}

LLVMValueRef fr_define_choose(struct fr_pass_unit *u, const char *name, LLVMValueRef programs,
			      LLVMValueRef runtimes)
{
	LLVMValueRef g;
	char marker[80];

	snprintf(marker, sizeof(marker), "frt_defines_%s", name);
	g = LLVMGetNamedGlobal(u->mod, marker);
	if (!g) {
		g = LLVMAddGlobal(u->mod, LLVMInt8TypeInContext(u->ctx), marker);
		LLVMSetLinkage(g, LLVMExternalWeakLinkage);
	}
	return LLVMBuildSelect(u->b,
			       LLVMBuildICmp(u->b, LLVMIntEQ, g, LLVMConstPointerNull(u->ptr), ""),
			       runtimes, programs, "");
}
