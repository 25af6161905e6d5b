/*
 * A compiler's command line, as far as forerun must understand it: whether and how it compiles and
 * links. Reads response files, but the compiler receives them as given.
 */
#ifndef FR_CMD_CC_ARGS_H
#define FR_CMD_CC_ARGS_H

#include <stdbool.h>

struct fr_cc_args {
	bool inputs;	     /* there is something to compile or link */
	bool sources;	     /* there is something to compile */
	bool preprocess;     /* stops before code generation: -E, -M, -fsyntax-only, ... */
	bool dump;	     /* -dM and similar: the output must be clang's alone */
	bool compile_only;   /* -c, -S: no link */
	bool shared;	     /* -shared */
	bool relocatable;    /* -r */
	bool is_static;	     /* -static, -static-pie */
	bool nostdlib;	     /* without libc, unless -lc names it */
	bool names_libc;     /* -lc */
	bool sanitizes;	     /* any -fsanitize= */
	const char *refused; /* an option that cannot work, or NULL */
	const char *why;     /* the reason, as a sentence */
};

/* Reads argv[1...]. The compiler reports response files that cannot be read. */
void fr_cc_args_read(struct fr_cc_args *ret, int argc, char **argv);

#endif
