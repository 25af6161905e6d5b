/*
 * The property language: properties of the order of events (doc/properties.md is the reference).
 * The language is that of GPredict (sections II-B and II-C), with C instead of AspectJ pointcuts.
 *
 * fr_spec_read turns a file into a tree:
 *
 *   file      any number of properties, or of patterns in rows
 *   property  a name, parameters, events, and a body: a pattern or a temporal formula
 *   event     a name, before or after, and a pointcut: a condition on one event of the run, which
 *             binds parameters to observed values
 *
 * spec_lex.c makes tokens, spec_parse.c properties and events, spec_pointcut.c pointcuts,
 * spec_value.c the expressions of `if`, spec_formula.c patterns and temporal formulas. spec_check.c
 * checks the meaning, and spec_print.c prints the tree in the canonical layout. spec_rows.c and
 * spec_rows_print.c do the same for patterns in rows, and spec_rows_property.c turns rows into the
 * property that they stand for.
 *
 * generate/ asks two headers beside this one: occurrence.h finds the events of a run that a
 * pointcut selects, and spec_auto.h turns a body into an automaton (patterns: spec_nfa.c and
 * spec_dfa.c; formulas: spec_ltl.c).
 *
 * Positions: every node keeps the position of its first character. Every error has one.
 * Failure:   an error in the file is never the end: the parser continues at the next event or
 *            property, so that one call reports several errors. A tree with errors is for printing
 *            messages only. fr_spec_read itself fails only if the file cannot be read.
 * Memory:    all nodes belong to the struct fr_spec.
 */
#ifndef FR_SPEC_SPEC_H
#define FR_SPEC_SPEC_H

#include "base/assert.h"
#include "base/err.h"
#include "base/mem.h"

#define FR_SPEC_ERRORS 20   /* errors reported for one file, at most */
#define FR_SPEC_DEPTH 100   /* nesting of expressions, at most */
#define FR_SPEC_PARAMS 16   /* parameters of a property and one of its events together, at most */
#define FR_SPEC_EVENTS 32   /* events of a property, at most */
#define FR_SPEC_VARIABLES 4 /* thread names of a pattern, and region names, at most */
#define FR_SPEC_AT_ONCE 6   /* events that one || joins, at most */
#define FR_SPEC_NAME 64	    /* bytes of a name, at most */

/* A position in the file: byte offset, and line and column from 1. */
struct fr_spec_pos {
	uint32_t offset, line, column;
};

struct fr_spec_name {
	char *s;
	struct fr_spec_pos pos;
};

/* A parameter as declared: `const list *c`. `type` has single spaces. */
struct fr_spec_param {
	char *type;
	struct fr_spec_name name;
	bool pointer;	  /* values are addresses of objects */
	bool is_unsigned; /* how `if` compares it */
	bool bound;	  /* by an event, or by the event it belongs to */
};

/* ---- values: the expressions of `if` ---- */

/* X(NAME, "token", precedence): the binary operators, with C's precedence. */
#define FR_VALUE_BINARY(X) \
	X(OR, "||", 1)     \
	X(AND, "&&", 2)    \
	X(BIT_OR, "|", 3)  \
	X(BIT_XOR, "^", 4) \
	X(BIT_AND, "&", 5) \
	X(EQ, "==", 6)     \
	X(NE, "!=", 6)     \
	X(LT, "<", 7)      \
	X(GT, ">", 7)      \
	X(LE, "<=", 7)     \
	X(GE, ">=", 7)     \
	X(SHL, "<<", 8)    \
	X(SHR, ">>", 8)    \
	X(ADD, "+", 9)     \
	X(SUB, "-", 9)     \
	X(MUL, "*", 10)    \
	X(DIV, "/", 10)    \
	X(REM, "%", 10)

enum fr_value_op {
	FR_VALUE_CONST,
	FR_VALUE_PARAM,
	FR_VALUE_NOT, /* ! a */
	FR_VALUE_NEG, /* - a */
	FR_VALUE_INV, /* ~ a */
	FR_VALUE_IF,  /* a ? b : c */
#define FR_X(n, s, p) FR_VALUE_##n,
	FR_VALUE_BINARY(FR_X)
#undef FR_X
};

struct fr_spec_expr {
	enum fr_value_op op;
	struct fr_spec_pos pos;
	char *text; /* CONST, PARAM: as written */
	uint64_t number;
	bool is_unsigned; /* CONST, PARAM */
	uint32_t param;	  /* PARAM: index into the parameters of the property, then of the event */
	struct fr_spec_expr *a, *b, *c;
};

/* The value of an expression. value[i] is that of parameter i; bit i of `bound`: it has one.
   Returns false if a parameter that the result needs has none, or if a divisor is 0. */
bool fr_value_of(const struct fr_spec_expr *v, const uint64_t *value, uint32_t bound,
		 uint64_t *ret);

/* ---- pointcuts ---- */

/* X(NAME, "word"): the kinds of events of a run that a pointcut can select. */
#define FR_POINT_KINDS(X)         \
	X(CALL, "call")           \
	X(EXECUTION, "execution") \
	X(GET, "get")             \
	X(SET, "set")             \
	X(LOCK, "lock")           \
	X(UNLOCK, "unlock")       \
	X(ALLOC, "alloc")         \
	X(FREE, "free")           \
	X(MARK, "mark")

enum fr_cut_kind {
#define FR_X(n, s) FR_POINT_##n,
	FR_POINT_KINDS(FR_X)
#undef FR_X
	    FR_POINT_KIND_COUNT,
	FR_POINT_ARGS = FR_POINT_KIND_COUNT,
	FR_POINT_RETURNS,
	FR_POINT_TARGET,
	FR_POINT_OBJECT,
	FR_POINT_BLOCK,
	FR_POINT_SHARED,
	FR_POINT_ATOMIC,
	FR_POINT_IF,
	FR_POINT_WITHIN,
	FR_POINT_AND,
	FR_POINT_OR,
	FR_POINT_NOT,
};
#define FR_POINT_ALL_KINDS ((1u << FR_POINT_KIND_COUNT) - 1)

enum fr_spec_bind_kind { FR_BIND_PARAM, FR_BIND_ANY, FR_BIND_REST };
struct fr_spec_bind {
	enum fr_spec_bind_kind kind; /* c, _ or .. */
	struct fr_spec_name name;
	uint32_t param; /* FR_BIND_PARAM: as in struct fr_spec_expr */
};

struct fr_pointcut {
	enum fr_cut_kind kind;
	struct fr_spec_pos pos;
	char *glob;			  /* call to mark, within; NULL: any */
	FR_VEC(struct fr_spec_bind) bind; /* args, returns, target, object */
	struct fr_spec_expr *value;	  /* if */
	bool has_distance;		  /* object(a, DISTANCE) */
	uint64_t distance;
	struct fr_pointcut *a, *b; /* &&, ||; ! has only a */
	struct fr_spec_pos end;	   /* of the whole pointcut, after its last character */
};

enum fr_spec_when { FR_WHEN_NONE, FR_WHEN_BEFORE, FR_WHEN_AFTER };

struct fr_spec_event {
	struct fr_spec_name name;
	struct fr_spec_pos begin, end;
	FR_VEC(struct fr_spec_param) param; /* of the event alone */
	enum fr_spec_when when;
	struct fr_pointcut *cut; /* NULL after an error */
	unsigned kinds;		 /* set of enum fr_cut_kind that it can select */
};

/* ---- patterns and temporal formulas ---- */

enum fr_formula_op {
	FR_FM_EVENT,
	/* patterns */
	FR_FM_SEQUENCE,
	FR_FM_EITHER,  /* a | b */
	FR_FM_BOTH,    /* a && b */
	FR_FM_AT_ONCE, /* a || b || ...: events only */
	FR_FM_MAYBE,   /* a? */
	FR_FM_STAR,    /* a* */
	FR_FM_PLUS,    /* a+ */
	FR_FM_NOT,     /* !a, in both */
	/* temporal formulas */
	FR_FM_TRUE,
	FR_FM_FALSE,
	FR_FM_AND,
	FR_FM_OR,
	FR_FM_IMPLIES,
	FR_FM_ALWAYS,	  /* [] a */
	FR_FM_EVENTUALLY, /* <> a */
	FR_FM_NEXT,	  /* X a */
	FR_FM_UNTIL,	  /* a U b */
	FR_FM_WEAK,	  /* a W b: a until b, or a for ever */
	FR_FM_SO_FAR,	  /* [*] a */
	FR_FM_ONCE,	  /* <*> a */
	FR_FM_BEFORE,	  /* Y a */
	FR_FM_SINCE,	  /* a S b */
};

#define FR_NO_NAME UINT32_MAX

struct fr_formula {
	enum fr_formula_op op;
	struct fr_spec_pos pos, end;
	FR_VEC(struct fr_formula *) sub; /* one for unary operators, two or more for the others */
	/* FR_FM_EVENT: */
	uint32_t event;		/* index into the events of the property */
	uint32_t thread;	/* index into `threads` of the property, or FR_NO_NAME */
	uint32_t opens, closes; /* index into `regions`, or FR_NO_NAME */
};

struct fr_property {
	struct fr_spec_name name;
	struct fr_spec_pos begin, close, end; /* close: the final } */
	struct fr_spec_pos body_begin, body_end;
	FR_VEC(struct fr_spec_param) param;
	FR_VEC(struct fr_spec_event *) event;
	FR_VEC(struct fr_spec_name) thread, region;
	bool is_ltl;
	struct fr_formula *body; /* NULL after an error */
};

/* ---- rows ---- */

/*
 * PECAN's notation (PECAN section 3; doc/patterns.md is the reference): a sequence of accesses that
 * is a bug if it happens in this order. Each access has a thread, a location, an atomic region, and
 * reads or writes.
 *
 *      # a check whose answer is overwritten before it is used
 *      pattern stale-check
 *      E   check  change  use
 *      T   t1     t2      t1
 *      SV  x      x       x
 *      AR  u      -       u
 *      AT  r      w       w
 *
 * A file contains properties or rows: the first word tells. spec_rows.c reads rows,
 * spec_rows_property.c makes a property of them, and spec_rows_print.c prints them.
 */
#define FR_ROWS_EVENTS 16
#define FR_ROWS_ANY UINT8_MAX
#define FR_ROWS_ORDERS 32 /* orders of two steps that the links of a pattern may require */

/* X(NAME, "name"): the rows. */
#define FR_ROW_KINDS(X) \
	X(E, "E")       \
	X(O, "O")       \
	X(T, "T")       \
	X(SV, "SV")     \
	X(AR, "AR")     \
	X(AT, "AT")
enum fr_row {
#define FR_X(n, s) FR_ROW_##n,
	FR_ROW_KINDS(FR_X)
#undef FR_X
	    FR_ROW_COUNT
};
extern const char *const fr_row_name[];

/* How an event follows the one before it: operators of row E, or words of row O. */
enum fr_row_link { FR_LINK_LATER, FR_LINK_NEXT, FR_LINK_AT_ONCE };

struct fr_row_event {
	uint8_t thread, loc; /* numbers of the symbols, from 0, in order of appearance */
	uint8_t region;	     /* likewise; FR_ROWS_ANY: any region */
	uint8_t link;	     /* enum fr_row_link; FR_LINK_LATER for the first event */
	bool read, write;    /* the kinds of access that it may be */
};
struct fr_rows {
	struct fr_spec_name name;
	uint32_t n;
	struct fr_row_event ev[FR_ROWS_EVENTS];
	struct fr_spec_pos head[FR_ROW_COUNT];	  /* line 0: the row is missing */
	char *cell[FR_ROW_COUNT][FR_ROWS_EVENTS]; /* as written; NULL in missing rows */
	char *op[FR_ROWS_EVENTS]; /* the operator before the event in row E, or NULL */
};

/* Are the threads of event i and of the one before it, in this order, both about to act? */
static inline bool fr_rows_meets(const struct fr_row_event *ev, uint32_t i)
{
	return ev[i].link == FR_LINK_AT_ONCE ||
	       (ev[i].link == FR_LINK_NEXT && ev[i].thread != ev[i - 1].thread);
}
/* Are two events, a before b, at once? */
static inline bool fr_rows_at_once(const struct fr_row_event *ev, uint32_t a, uint32_t b)
{
	while (b > a && ev[b].link == FR_LINK_AT_ONCE)
		b--;
	return a == b;
}

/* ---- files ---- */

struct fr_spec_comment {
	struct fr_spec_pos pos, end;
	char *s; /* with its delimiters */
};
struct fr_spec_error {
	struct fr_spec_pos pos;
	char *text;
};
struct fr_spec {
	char *path, *text;
	size_t n;
	FR_VEC(struct fr_property *) property;
	FR_VEC(struct fr_rows *) rows; /* a file has either properties or these */
	FR_VEC(struct fr_spec_comment) comment;
	FR_VEC(struct fr_spec_error) error; /* in the order of the file */
	bool more_errors;		    /* than FR_SPEC_ERRORS */
	FR_VEC(void *) block;		    /* all memory of the tree */
};

/* Reads a file. Returns 0, with errors in the file in ret->error, or -errno if it cannot be
   read. */
int fr_spec_read(const char *path, struct fr_spec **ret, struct fr_err *reterr);
/* The same from memory. `path` is for messages. Never fails. */
struct fr_spec *fr_spec_parse(const char *path, const char *text, size_t n);
void fr_spec_free(struct fr_spec *s);
void fr_spec_freep(struct fr_spec **s);

/* Appends "FILE:LINE:COLUMN: message" lines, one for each error. */
void fr_spec_errors(const struct fr_spec *s, struct fr_buf *ret);
/* Appends the file in the canonical layout. The file has no errors. */
void fr_spec_print(const struct fr_spec *s, struct fr_buf *ret);
/* Appends the function globs of all pointcuts call and execution, separated by commas. Those of
   calls and of executions are the same list, because one option of the compiler names both. */
void fr_spec_functions(const struct fr_spec *s, struct fr_buf *ret);

/* The property that rows stand for, as a new one of the spec. Its events are the reads and the
   writes of each symbol of row SV, its threads those of row T. It accepts all orders of events that
   the rows describe, and more: it knows no regions, and no steps but these accesses. */
const struct fr_property *fr_rows_property(struct fr_spec *s, const struct fr_rows *rows);

/* True if a pointcut could see events of this kind (enum fr_cut_kind as a set). */
static inline bool fr_spec_event_can(const struct fr_spec_event *e, enum fr_cut_kind kind)
{
	fr_assert(kind < FR_POINT_KIND_COUNT);
	return e->kinds >> kind & 1;
}

#endif
