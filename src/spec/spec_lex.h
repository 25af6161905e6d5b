/*
 * The parser's view of a file: one token ahead, errors, memory. Private to src/spec.
 *
 * A token is a name, a number, a string, an operator, or the end. Globs (`call(list_*)`) follow
 * other rules than the rest, so the parser asks for one with fr_lex_glob while `(` is the current
 * token. Comments are kept aside for the printer.
 */
#ifndef FR_SPEC_SPEC_LEX_H
#define FR_SPEC_SPEC_LEX_H

#include "spec/spec.h"

enum fr_token_kind { FR_TOKEN_END, FR_TOKEN_NAME, FR_TOKEN_NUMBER, FR_TOKEN_STRING, FR_TOKEN_OP };

struct fr_token {
	enum fr_token_kind kind;
	struct fr_spec_pos pos, end;
	const char *s; /* in the text */
	uint32_t n;
	bool glued; /* nothing between this token and the one before it */
	uint64_t number;
};

struct fr_lex {
	struct fr_spec *spec;
	struct fr_spec_pos at; /* behind the current token */
	struct fr_token token, last;
	unsigned depth;
	bool silent; /* after an error, until the parser has found the next event or property */
	/* The current property and event. */
	struct fr_property *property;
	struct fr_spec_event *event;
};

/* Reads the next token into l->token. Bad characters are errors, and are skipped. */
void fr_lex_next(struct fr_lex *l);
/* While `(` is the current token: reads a glob up to the `)` or `,` that ends it, and then that
   token. Returns NULL after an error. */
char *fr_lex_glob(struct fr_lex *l, const char *example);
bool fr_lex_is(const struct fr_lex *l, const char *s);
/* If the current token is s, moves past it. */
bool fr_lex_take(struct fr_lex *l, const char *s);
/* The same, but it is an error if it is not. `where` completes "expected 'S' ...". */
bool fr_lex_expect(struct fr_lex *l, const char *s, const char *where);

/* Reports an error, unless the last one still has consequences (l->silent). */
void fr_lex_error(struct fr_lex *l, struct fr_spec_pos pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Reports "expected WANT, but found X" at the current token, and sets l->silent. */
void fr_lex_expected(struct fr_lex *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One level deeper into an expression. False, with an error, if that is too deep. */
bool fr_lex_enter(struct fr_lex *l);
static inline void fr_lex_leave(struct fr_lex *l)
{
	fr_assert(l->depth);
	l->depth--;
}

#define FR_SPEC_EMPTY "the file contains no property and no pattern"

/* Memory of the tree. */
void *fr_spec_alloc(struct fr_spec *s, size_t n);
char *fr_spec_string(struct fr_spec *s, const char *p, size_t n);
/* Makes the tree own the vector's memory, which will not change any more. */
#define fr_spec_own(s, vec) fr_vec_push(&(s)->block, (void *)(vec)->v)

/* The parts of the parser. Each returns NULL after an error. */
struct fr_pointcut *fr_parse_pointcut(struct fr_lex *l);
struct fr_spec_expr *fr_parse_value(struct fr_lex *l);
struct fr_formula *fr_parse_pattern(struct fr_lex *l);
struct fr_formula *fr_parse_ltl(struct fr_lex *l);
/* The index of a parameter of the property or the event, or FR_NO_NAME with an error. */
uint32_t fr_parse_param(struct fr_lex *l, const struct fr_token *name);
/* Are these rows, by their first word? With no word, by comments with #. */
bool fr_rows_begin(const char *text, size_t n);
/* Reads the whole text as rows. */
void fr_parse_rows(struct fr_lex *l);
/* Prints the rows of a file. */
void fr_rows_print(const struct fr_spec *s, struct fr_buf *ret);
/* Checks of a property without syntax errors: spec_check.c. */
void fr_check_property(struct fr_lex *l, struct fr_property *p);

#endif
