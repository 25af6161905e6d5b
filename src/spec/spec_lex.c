/* Tokens, errors and memory of the parser: see spec_lex.h. */
#include "spec/spec_lex.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool at_end(const struct fr_lex *l)
{
	return l->at.offset >= l->spec->n;
}

/* The character k places ahead, 0 at the end. */
static char ahead(const struct fr_lex *l, uint32_t k)
{
	size_t i = (size_t)l->at.offset + k;

	return i < l->spec->n ? l->spec->text[i] : 0;
}

static void step(struct fr_lex *l)
{
	fr_assert(!at_end(l));
	if (l->spec->text[l->at.offset++] == '\n') {
		l->at.line++;
		l->at.column = 1;
	} else {
		l->at.column++;
	}
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* ---- memory ---- */

void *fr_spec_alloc(struct fr_spec *s, size_t n)
{
	void *p = fr_xcalloc(1, n);

	fr_vec_push(&s->block, p);
	return p;
}

char *fr_spec_string(struct fr_spec *s, const char *p, size_t n)
{
	char *copy = fr_xstrndup(p, n);

	fr_vec_push(&s->block, (void *)copy);
	return copy;
}

/* ---- errors ---- */

void fr_lex_error(struct fr_lex *l, struct fr_spec_pos pos, const char *fmt, ...)
{
	struct fr_spec_error e = {.pos = pos};
	va_list ap;

	if (l->silent)
		return;
	if (l->spec->error.n == FR_SPEC_ERRORS) {
		l->spec->more_errors = true;
		return;
	}
	va_start(ap, fmt);
	e.text = fr_xvasprintf(fmt, ap);
	va_end(ap);
	fr_vec_push(&l->spec->block, (void *)e.text);
	fr_vec_push(&l->spec->error, e);
}

void fr_lex_expected(struct fr_lex *l, const char *fmt, ...)
{
	const struct fr_token *t = &l->token;
	char want[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(want, sizeof(want), fmt, ap);
	va_end(ap);
	if (t->kind == FR_TOKEN_END)
		fr_lex_error(l, t->pos, "expected %s, but the file ends", want);
	else
		fr_lex_error(l, t->pos, "expected %s, but found '%.*s'", want,
			     (int)fr_min(t->n, 40u), t->s);
	l->silent = true;
}

bool fr_lex_enter(struct fr_lex *l)
{
	if (++l->depth <= FR_SPEC_DEPTH)
		return true;
	fr_lex_error(l, l->token.pos, "more than %d levels of nesting: split the expression",
		     FR_SPEC_DEPTH);
	l->silent = true;
	return false;
}

/* ---- tokens ---- */

static void keep_comment(struct fr_lex *l, struct fr_spec_pos begin)
{
	size_t n = l->at.offset - begin.offset;
	struct fr_spec_comment c = {.pos = begin, .end = l->at};

	while (n && isspace((unsigned char)l->spec->text[begin.offset + n - 1]))
		n--;
	c.s = fr_spec_string(l->spec, l->spec->text + begin.offset, n);
	fr_vec_push(&l->spec->comment, c);
}

/* Skips a comment, if one begins here. */
static bool skip_comment(struct fr_lex *l)
{
	struct fr_spec_pos begin = l->at;

	if (ahead(l, 0) != '/' || (ahead(l, 1) != '/' && ahead(l, 1) != '*'))
		return false;
	if (ahead(l, 1) == '/') {
		while (!at_end(l) && ahead(l, 0) != '\n')
			step(l);
	} else {
		step(l);
		step(l);
		while (!at_end(l) && !(ahead(l, 0) == '*' && ahead(l, 1) == '/'))
			step(l);
		if (at_end(l)) {
			fr_lex_error(l, begin, "the comment has no end: write */ after it");
			return true;
		}
		step(l);
		step(l);
	}
	keep_comment(l, begin);
	return true;
}

static void skip_space(struct fr_lex *l)
{
	for (;;) {
		while (!at_end(l) && isspace((unsigned char)ahead(l, 0)))
			step(l);
		if (!skip_comment(l))
			return;
	}
}

static uint64_t number_of(struct fr_lex *l, struct fr_spec_pos pos, const char *s, uint32_t n)
{
	char word[32], *end;
	unsigned long long v;

	if (n >= sizeof(word)) {
		fr_lex_error(l, pos, "the number is too long: at most 64 bits");
		return 0;
	}
	memcpy(word, s, n);
	word[n] = 0;
	v = strtoull(word, &end, 0);
	end += strspn(end, "uUlL");
	if (*end || end == word)
		fr_lex_error(l, pos,
			     "'%s' is not a number: write decimal, octal (017) or hexadecimal "
			     "(0x1f)",
			     word);
	return v;
}

/* 'a', '\n', '\0' */
static bool character(struct fr_lex *l, uint64_t *ret)
{
	static const char from[] = "nrt0\\'", to[] = "\n\r\t\0\\'";
	const char *p;
	char c = ahead(l, 1);

	if (c == '\\') {
		p = ahead(l, 2) ? strchr(from, ahead(l, 2)) : NULL;
		if (!p || ahead(l, 3) != '\'')
			return false;
		*ret = (uint64_t)(unsigned char)to[p - from];
		l->at.offset += 4;
		l->at.column += 4;
		return true;
	}
	if (c < ' ' || c == '\'' || ahead(l, 2) != '\'')
		return false;
	*ret = (uint64_t)c;
	l->at.offset += 3;
	l->at.column += 3;
	return true;
}

static bool string(struct fr_lex *l)
{
	step(l);
	while (!at_end(l) && ahead(l, 0) != '"' && ahead(l, 0) != '\n')
		step(l);
	if (ahead(l, 0) != '"')
		return false;
	step(l);
	return true;
}

/* The length of the operator that begins here, 0 if none does. */
static uint32_t operator_length(const struct fr_lex *l)
{
	static const char *const ops[] = {
	    "[*]", "<*>", "[]", "<>", "->", "&&", "||", "==", "!=", "<=", ">=", "<<",
	    ">>",  "..",  "(",	")",  "{",  "}",  ",",	";",  ":",  "|",  "?",	"*",
	    "+",   "!",	  "<",	">",  "-",  "~",  "/",	"%",  "&",  "^",  "."};

	for (size_t i = 0; i < fr_array_size(ops); i++) {
		uint32_t n = (uint32_t)strlen(ops[i]);

		if (l->spec->n - l->at.offset >= n &&
		    !strncmp(l->spec->text + l->at.offset, ops[i], n))
			return n;
	}
	return 0;
}

static void bad_character(struct fr_lex *l)
{
	unsigned char c = (unsigned char)ahead(l, 0);

	if (c == '#')
		fr_lex_error(l, l->at, "unexpected '#': a comment begins with //");
	else if (c == '\'')
		fr_lex_error(l, l->at, "not a character: write one such as 'a' or '\\n'");
	else if (c > ' ' && c < 0x7f)
		fr_lex_error(l, l->at, "unexpected '%c'", c);
	else
		fr_lex_error(l, l->at, "unexpected byte 0x%02x", c);
	if (!at_end(l))
		step(l);
}

/* Reads one token. False: the character belongs to none, and was skipped. */
static bool read_token(struct fr_lex *l)
{
	struct fr_token *t = &l->token;
	char c = ahead(l, 0);
	uint32_t n;

	if (isalpha((unsigned char)c) || c == '_') {
		t->kind = FR_TOKEN_NAME;
		while (in_name(ahead(l, 0)))
			step(l);
	} else if (isdigit((unsigned char)c)) {
		t->kind = FR_TOKEN_NUMBER;
		while (in_name(ahead(l, 0)))
			step(l);
		t->number = number_of(l, t->pos, t->s, l->at.offset - t->pos.offset);
	} else if (c == '\'' && character(l, &t->number)) {
		t->kind = FR_TOKEN_NUMBER;
	} else if (c == '"') {
		t->kind = FR_TOKEN_STRING;
		if (!string(l)) {
			fr_lex_error(l, t->pos, "the string has no end: write \" after it");
			return false;
		}
	} else if ((n = operator_length(l))) {
		t->kind = FR_TOKEN_OP;
		while (n--)
			step(l);
	} else {
		bad_character(l);
		return false;
	}
	return true;
}

void fr_lex_next(struct fr_lex *l)
{
	struct fr_token *t = &l->token;
	struct fr_spec_pos end = l->at;

	l->last = *t;
	for (;;) {
		skip_space(l);
		*t = (struct fr_token){
		    .pos = l->at, .end = l->at, .s = l->spec->text + l->at.offset};
		if (at_end(l)) {
			t->kind = FR_TOKEN_END;
			return;
		}
		if (read_token(l))
			break;
	}
	t->end = l->at;
	t->n = t->end.offset - t->pos.offset;
	t->s = l->spec->text + t->pos.offset;
	t->glued = t->pos.offset == end.offset;
	fr_assert(t->n);
}

/* Reads the characters of a glob. */
static void glob_characters(struct fr_lex *l)
{
	int angle = 0, round = 0;

	for (; !at_end(l); step(l)) {
		char c = ahead(l, 0);

		if (c == '\n' || (c < ' ' && c != '\t'))
			return;
		if (c == ')' && !round)
			return;
		if (c == ',' && angle <= 0 && !round)
			return;
		round += (c == '(') - (c == ')');
		angle += (c == '<') - (c == '>');
	}
}

char *fr_lex_glob(struct fr_lex *l, const char *example)
{
	struct fr_spec_pos begin;
	uint32_t n;

	fr_assert(fr_lex_is(l, "("));
	l->at = l->token.end;
	while (ahead(l, 0) == ' ' || ahead(l, 0) == '\t')
		step(l);
	begin = l->at;
	glob_characters(l);
	n = l->at.offset - begin.offset;
	while (n && isspace((unsigned char)l->spec->text[begin.offset + n - 1]))
		n--;
	fr_lex_next(l);
	if (!n) {
		fr_lex_error(l, begin, "expected a name, such as %s", example);
		l->silent = true;
		return NULL;
	}
	return fr_spec_string(l->spec, l->spec->text + begin.offset, n);
}

bool fr_lex_is(const struct fr_lex *l, const char *s)
{
	const struct fr_token *t = &l->token;

	return (t->kind == FR_TOKEN_OP || t->kind == FR_TOKEN_NAME) && t->n == strlen(s) &&
	       !strncmp(t->s, s, t->n);
}

bool fr_lex_take(struct fr_lex *l, const char *s)
{
	if (!fr_lex_is(l, s))
		return false;
	fr_lex_next(l);
	return true;
}

bool fr_lex_expect(struct fr_lex *l, const char *s, const char *where)
{
	if (fr_lex_take(l, s))
		return true;
	fr_lex_expected(l, "'%s' %s", s, where);
	return false;
}
