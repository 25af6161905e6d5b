/*
 * Options declared in a table beside their variables. The table drives parsing, --help and
 * completion. GNU style: --name=value, --name value, -n value, -nvalue; `--` ends the options.
 */
#ifndef FR_BASE_OPT_H
#define FR_BASE_OPT_H

#include "base/err.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fr_opt_type {
	FR_OPT_END,
	FR_OPT_FLAG,	/* bool * = true */
	FR_OPT_STRING,	/* const char ** */
	FR_OPT_U64,	/* uint64_t * */
	FR_OPT_SECONDS, /* double *, above zero */
	FR_OPT_CHOICE,	/* struct fr_opt_choice *: one of its words */
	FR_OPT_LIST,	/* struct fr_opt_list *: each use adds a value */
};

struct fr_opt {
	enum fr_opt_type type;
	char letter;	  /* 0: none */
	const char *name; /* long name, without dashes */
	const char *arg;  /* name of the argument in --help; NULL for a flag */
	const char *help;
	void *var;
};

struct fr_opt_choice {
	const char *const *word; /* ends with NULL */
	unsigned chosen;	 /* index; the initial value is the default */
};
#define FR_OPT_NO_CHOICE UINT_MAX /* a default that is none of the words */

struct fr_opt_list {
	const char **v;
	size_t n, cap;
};

/*
 * Parses argv[1...]. With `stop`, parsing ends at the first word that is not an option: the rest is
 * the command line of a program. Otherwise options and words may be mixed. On success *ret_argc and
 * *ret_argv are the words; argv is permuted in place, and argv[0] is not among them. --help sets
 * *ret_help and ends parsing. Returns -EINVAL for an unknown or malformed option, with a message
 * that names it.
 */
int fr_opt_parse(const struct fr_opt *table, int argc, char **argv, bool stop, int *ret_argc,
		 char ***ret_argv, bool *ret_help, struct fr_err *reterr);

/* Prints a text that begins at this column: breaks lines before column 80 and ends the last one. */
void fr_opt_wrap(unsigned column, const char *s);
/* Prints the table as the options part of --help. */
void fr_opt_print(const struct fr_opt *table);

/* Converts the whole string to a number: decimal or 0x, with an optional suffix k, M or G (powers
   of 1024). Returns false if it is no number, or too large. */
bool fr_opt_u64(const char *s, uint64_t *ret);

#endif
