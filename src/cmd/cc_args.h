/*
 * A compiler's command line, as far as forerun must understand it: what is compiled, what is
 * linked, and how. Response files are looked into; the compiler gets them as they were given.
 */
#ifndef FR_CMD_CC_ARGS_H
#define FR_CMD_CC_ARGS_H

#include <stdbool.h>

struct fr_cc_args {
	bool inputs;	     /* there is something to compile or to link */
	bool sources;	     /* ... to compile */
	bool preprocess;     /* stops before code is made: -E, -M, -fsyntax-only ... */
	bool dump;	     /* -dM and the like: what is printed must be clang's alone */
	bool compile_only;   /* -c, -S: no link */
	bool shared;	     /* -shared */
	bool relocatable;    /* -r */
	bool is_static;	     /* -static, -static-pie */
	bool nostdlib;	     /* without libc, unless it is named */
	bool names_libc;     /* -lc */
	bool sanitizes;	     /* -fsanitize=, of whatever */
	const char *refused; /* an option that cannot work, or NULL */
	const char *why;     /* ... and why, as a sentence */
};

/* Looks at argv[1...]. A response file that cannot be read is left to the compiler to complain of.
 */
void fr_cc_args_read(struct fr_cc_args *ret, int argc, char **argv);

#endif
