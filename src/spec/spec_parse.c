/*
 * Files, properties, parameters and events. After an error in an event the parser continues behind
 * the event's `;`, after any other error at the next property.
 */
#include "spec/spec_lex.h"
#include "base/io.h"
#include <errno.h>
#include <string.h>

static struct fr_spec_name name_of(struct fr_lex *l, const struct fr_token *t)
{
	return (struct fr_spec_name){fr_spec_string(l->spec, t->s, t->n), t->pos};
}

/* Takes a name. */
static bool take_name(struct fr_lex *l, const char *what, struct fr_spec_name *ret)
{
	if (l->token.kind != FR_TOKEN_NAME) {
		fr_lex_expected(l, "%s", what);
		return false;
	}
	if (l->token.n > FR_SPEC_NAME)
		fr_lex_error(l, l->token.pos, "a name has at most %d characters", FR_SPEC_NAME);
	*ret = name_of(l, &l->token);
	fr_lex_next(l);
	return true;
}

/* ---- parameters ---- */

static bool has_word(const char *type, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = type; (p = strstr(p, word)); p += n)
		if ((p == type || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

static bool is_unsigned(const char *type)
{
	return strchr(type, '*') || has_word(type, "unsigned") || has_word(type, "size_t") ||
	       has_word(type, "uintptr_t") || !strncmp(type, "uint", 4);
}

/* One parameter: the words of a type and stars, then a name. */
static bool parameter(struct fr_lex *l, struct fr_spec_param *ret)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf type = {0};
	struct fr_token name = {0};
	struct fr_spec_pos pos = l->token.pos;

	for (; l->token.kind == FR_TOKEN_NAME || fr_lex_is(l, "*"); fr_lex_next(l)) {
		if (name.n)
			fr_buf_printf(&type, "%s%.*s",
				      type.n && type.s[type.n - 1] != '*' ? " " : "", (int)name.n,
				      name.s);
		name = l->token;
	}
	if (name.kind != FR_TOKEN_NAME || !type.n) {
		if (name.n)
			fr_lex_error(
			    l, pos,
			    "expected a type and a name, such as 'list *c', but found only "
			    "'%.*s'",
			    (int)fr_min(name.n, 40u), name.s);
		else
			fr_lex_expected(l, "a type and a name, such as 'list *c'");
		l->silent = true;
		return false;
	}
	*ret = (struct fr_spec_param){.type = fr_spec_string(l->spec, type.s, type.n),
				      .name = name_of(l, &name),
				      .pointer = strchr(type.s, '*'),
				      .is_unsigned = is_unsigned(type.s)};
	return true;
}

typedef FR_VEC(struct fr_spec_param) params;

static void check_new_parameter(struct fr_lex *l, const struct fr_spec_param *p, const params *old)
{
	FR_VEC_FOREACH (q, old)
		if (!strcmp(q->name.s, p->name.s))
			fr_lex_error(l, p->name.pos, "two parameters are called '%s'", p->name.s);
	if (l->property->param.n + (l->event ? l->event->param.n : 0) == FR_SPEC_PARAMS)
		fr_lex_error(l, p->name.pos, "more than %d parameters", FR_SPEC_PARAMS);
}

/* "(" [parameter {"," parameter}] ")" */
static bool parameters(struct fr_lex *l)
{
	params *list =
	    (params *)(l->event ? (void *)&l->event->param : (void *)&l->property->param);
	struct fr_spec_param p;

	if (!fr_lex_expect(l, "(", "before the parameters"))
		return false;
	if (fr_lex_take(l, ")"))
		return true;
	do {
		if (!parameter(l, &p))
			return false;
		check_new_parameter(l, &p, list);
		if (l->event)
			check_new_parameter(l, &p, (params *)&l->property->param);
		if (l->property->param.n + (l->event ? l->event->param.n : 0) < FR_SPEC_PARAMS)
			fr_vec_push(list, p);
	} while (fr_lex_take(l, ","));
	return fr_lex_expect(l, ")", "after the parameters");
}

uint32_t fr_parse_param(struct fr_lex *l, const struct fr_token *name)
{
	struct fr_property *p = l->property;

	fr_assert(p && l->event);
	for (size_t i = 0; i < p->param.n; i++)
		if (strlen(p->param.v[i].name.s) == name->n &&
		    !strncmp(p->param.v[i].name.s, name->s, name->n))
			return (uint32_t)i;
	for (size_t i = 0; i < l->event->param.n; i++)
		if (strlen(l->event->param.v[i].name.s) == name->n &&
		    !strncmp(l->event->param.v[i].name.s, name->s, name->n))
			return (uint32_t)(p->param.n + i);
	fr_lex_error(
	    l, name->pos,
	    "unknown parameter '%.*s': declare it with its type, in property %s(...) or, if "
	    "only this event needs it, in event %s(...)",
	    (int)fr_min(name->n, 40u), name->s, p->name.s, l->event->name.s);
	return FR_NO_NAME;
}

/* ---- events ---- */

/* Skips to the next token at which an event or the body can begin, or to the end of the
   property. */
static void resync(struct fr_lex *l)
{
	while (l->token.kind != FR_TOKEN_END && !fr_lex_is(l, "event") &&
	       !fr_lex_is(l, "pattern") && !fr_lex_is(l, "ltl") && !fr_lex_is(l, "}") &&
	       !fr_lex_is(l, "property")) {
		bool end = fr_lex_is(l, ";");

		fr_lex_next(l);
		if (end)
			break;
	}
	l->silent = false;
	l->depth = 0;
}

static bool is_reserved(const char *s)
{
	static const char *const words[] = {"X", "Y", "U", "S", "W", "true", "false"};

	for (size_t i = 0; i < fr_array_size(words); i++)
		if (!strcmp(words[i], s))
			return true;
	return false;
}

static void check_event_name(struct fr_lex *l, const struct fr_spec_name *name)
{
	if (is_reserved(name->s))
		fr_lex_error(l, name->pos,
			     "an event cannot be called '%s': temporal formulas use this word",
			     name->s);
	FR_VEC_FOREACH (e, &l->property->event)
		if (!strcmp((*e)->name.s, name->s))
			fr_lex_error(l, name->pos, "two events are called '%s'", name->s);
	if (l->property->event.n == FR_SPEC_EVENTS)
		fr_lex_error(l, name->pos, "more than %d events", FR_SPEC_EVENTS);
}

/* "event" name [parameters] ["before" | "after"] pointcut ";" */
static void event(struct fr_lex *l)
{
	struct fr_spec_event *e = fr_spec_alloc(l->spec, sizeof(*e));

	e->begin = l->token.pos;
	fr_lex_next(l);
	if (fr_lex_is(l, "before") || fr_lex_is(l, "after"))
		fr_lex_expected(l, "the name of the event");
	if (!take_name(l, "the name of the event", &e->name)) {
		resync(l);
		return;
	}
	check_event_name(l, &e->name);
	/* An event with an error exists too, so that the body may name it. */
	if (l->property->event.n < FR_SPEC_EVENTS)
		fr_vec_push(&l->property->event, e);
	l->event = e;
	if (fr_lex_is(l, "(") && l->token.glued && !parameters(l)) {
		resync(l);
		l->event = NULL;
		fr_spec_own(l->spec, &e->param);
		return;
	}
	e->when = fr_lex_take(l, "before")  ? FR_WHEN_BEFORE
		  : fr_lex_take(l, "after") ? FR_WHEN_AFTER
					    : FR_WHEN_NONE;
	e->cut = fr_parse_pointcut(l);
	if (e->cut && !fr_lex_is(l, ";")) {
		fr_lex_expected(l, "&&, || or ';' after the pointcut");
		e->cut = NULL;
	}
	e->end = l->token.end;
	if (e->cut)
		fr_lex_next(l);
	else
		resync(l);
	l->event = NULL;
	fr_spec_own(l->spec, &e->param);
}

/* ---- properties ---- */

static void body(struct fr_lex *l, struct fr_property *p)
{
	struct fr_formula *f;

	if (p->body)
		fr_lex_error(l, l->token.pos,
			     "a property has one pattern: or ltl:, and this is its second; write "
			     "another property");
	p->body_begin = l->token.pos;
	p->is_ltl = fr_lex_is(l, "ltl");
	fr_lex_next(l);
	if (!fr_lex_expect(l, ":", p->is_ltl ? "after 'ltl'" : "after 'pattern'")) {
		resync(l);
		return;
	}
	f = p->is_ltl ? fr_parse_ltl(l) : fr_parse_pattern(l);
	p->body_end = l->last.end;
	if (f && !fr_lex_is(l, ";") && !fr_lex_is(l, "}")) {
		fr_lex_expected(l, p->is_ltl ? "an operator or '}' after the formula"
					     : "an event, an operator or '}' in the pattern");
		f = NULL;
	}
	if (f) {
		p->body = f;
		fr_lex_take(l, ";");
	} else {
		resync(l);
	}
}

static void members(struct fr_lex *l, struct fr_property *p)
{
	while (l->token.kind != FR_TOKEN_END && !fr_lex_is(l, "}") && !fr_lex_is(l, "property")) {
		if (fr_lex_is(l, "event")) {
			if (p->body)
				fr_lex_error(l, l->token.pos,
					     "events come before 'pattern:' or 'ltl:'");
			event(l);
		} else if (fr_lex_is(l, "pattern") || fr_lex_is(l, "ltl")) {
			body(l, p);
		} else {
			fr_lex_expected(l, "event, pattern:, ltl: or '}'");
			fr_lex_next(l);
			resync(l);
		}
	}
}

/* Moves to the next property. */
static void skip_property(struct fr_lex *l)
{
	while (l->token.kind != FR_TOKEN_END && !fr_lex_is(l, "property"))
		fr_lex_next(l);
	l->silent = false;
	l->depth = 0;
}

static bool head(struct fr_lex *l, struct fr_property *p)
{
	if (!take_name(l, "the name of the property", &p->name))
		return false;
	FR_VEC_FOREACH (q, &l->spec->property)
		if (!strcmp((*q)->name.s, p->name.s))
			fr_lex_error(l, p->name.pos, "two properties are called '%s'", p->name.s);
	l->property = p;
	l->event = NULL;
	return parameters(l) && fr_lex_expect(l, "{", "after the parameters");
}

static void property(struct fr_lex *l)
{
	struct fr_property *p = fr_spec_alloc(l->spec, sizeof(*p));
	size_t errors = l->spec->error.n;

	p->begin = l->token.pos;
	fr_lex_next(l);
	if (!head(l, p)) {
		fr_spec_own(l->spec, &p->param);
		skip_property(l);
		return;
	}
	members(l, p);
	p->close = l->token.pos;
	p->end = l->token.end;
	if (!fr_lex_take(l, "}") && errors == l->spec->error.n)
		fr_lex_expected(l, "'}' at the end of property %s", p->name.s);
	l->silent = false;
	if (!p->body && errors == l->spec->error.n)
		fr_lex_error(l, p->close, "property %s has no 'pattern:' and no 'ltl:'", p->name.s);
	fr_vec_push(&l->spec->property, p);
	if (errors == l->spec->error.n && !l->spec->more_errors)
		fr_check_property(l, p);
	fr_spec_own(l->spec, &p->param);
	fr_spec_own(l->spec, &p->event);
	fr_spec_own(l->spec, &p->thread);
	fr_spec_own(l->spec, &p->region);
}

static void file(struct fr_lex *l)
{
	bool said = false;

	fr_lex_next(l);
	while (l->token.kind != FR_TOKEN_END) {
		if (fr_lex_is(l, "property")) {
			property(l);
			said = false;
			continue;
		}
		if (!said)
			fr_lex_expected(l, "property NAME(parameters) { ... }");
		said = true;
		fr_lex_next(l);
		l->silent = false;
	}
	if (!l->spec->property.n && !l->spec->error.n)
		fr_lex_error(l, l->token.pos, FR_SPEC_EMPTY);
}

static int by_position(const void *a, const void *b)
{
	const struct fr_spec_error *x = a, *y = b;

	if (x->pos.offset != y->pos.offset)
		return x->pos.offset < y->pos.offset ? -1 : 1;
	return strcmp(x->text, y->text);
}

struct fr_spec *fr_spec_parse(const char *path, const char *text, size_t n)
{
	struct fr_spec *s = fr_xcalloc(1, sizeof(*s));
	struct fr_lex l = {.spec = s, .at = {0, 1, 1}};

	fr_assert(n < UINT32_MAX);
	s->path = fr_xstrdup(path);
	s->text = fr_xmalloc(n + 1);
	memcpy(s->text, text, n);
	s->text[n] = 0;
	s->n = n;
	if (fr_rows_begin(s->text, n))
		fr_parse_rows(&l);
	else
		file(&l);
	if (s->error.n)
		qsort(s->error.v, s->error.n, sizeof(*s->error.v), by_position);
	return s;
}

int fr_spec_read(const char *path, struct fr_spec **ret, struct fr_err *reterr)
{
	struct fr_mapped file = {0};
	int r = fr_io_map(path, &file, reterr);

	if (r < 0)
		return r;
	if (file.n > 16u << 20) {
		fr_io_unmap(&file);
		return fr_err_say(reterr, -EFBIG, "'%s' is longer than 16 MiB: not a property file",
				  path);
	}
	*ret = fr_spec_parse(path, file.n ? (const char *)file.p : "", file.n);
	fr_io_unmap(&file);
	return 0;
}

void fr_spec_free(struct fr_spec *s)
{
	if (!s)
		return;
	FR_VEC_FOREACH (b, &s->block)
		free(*b);
	fr_vec_free(&s->block);
	fr_vec_free(&s->property);
	fr_vec_free(&s->rows);
	fr_vec_free(&s->comment);
	fr_vec_free(&s->error);
	free(s->path);
	free(s->text);
	free(s);
}

void fr_spec_freep(struct fr_spec **s)
{
	fr_spec_free(*s);
	*s = NULL;
}

void fr_spec_errors(const struct fr_spec *s, struct fr_buf *ret)
{
	FR_VEC_FOREACH (e, &s->error)
		fr_buf_printf(ret, "%s:%u:%u: %s\n", s->path, e->pos.line, e->pos.column, e->text);
	if (s->more_errors)
		fr_buf_printf(ret, "%s: more errors follow these %d\n", s->path, FR_SPEC_ERRORS);
}
