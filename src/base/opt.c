/* Command-line options from tables. Long options may be abbreviated to a unique prefix. */
#include "base/opt.h"
#include "base/assert.h"
#include "base/mem.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 31
#define COLUMNS 80

bool fr_opt_u64(const char *s, uint64_t *ret)
{
	unsigned long long v;
	unsigned shift = 0;
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	v = strtoull(s, &end, s[0] == '0' && (s[1] | 32) == 'x' ? 16 : 10);
	if (errno)
		return false;
	if (*end && !end[1])
		shift = *end == 'k' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
	if ((*end && !shift) || (shift && v >> (64 - shift)))
		return false;
	*ret = (uint64_t)v << shift;
	return true;
}

static bool seconds(const char *s, double *ret)
{
	char *end;

	if ((*s < '0' || *s > '9') && *s != '.')
		return false;
	*ret = strtod(s, &end);
	return !*end && isfinite(*ret) && *ret > 0 && *ret < 1e9;
}

static int choose(const struct fr_opt *o, const char *value, struct fr_err *reterr)
{
	struct fr_opt_choice *c = o->var;
	char known[128];
	size_t n = 0;

	for (unsigned i = 0; c->word[i]; i++) {
		if (!strcmp(c->word[i], value)) {
			c->chosen = i;
			return 0;
		}
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
				      !i	       ? ""
				      : c->word[i + 1] ? ", "
						       : " or ",
				      c->word[i]);
		fr_assert(n < sizeof(known));
	}
	return fr_err_say(reterr, -EINVAL, "--%s: expected %s", o->name, known);
}

static int assign(const struct fr_opt *o, const char *shown, const char *value,
		  struct fr_err *reterr)
{
	fr_assert(value || o->type == FR_OPT_FLAG);
	switch (o->type) {
	case FR_OPT_FLAG:
		*(bool *)o->var = true;
		break;
	case FR_OPT_STRING:
		*(const char **)o->var = value;
		break;
	case FR_OPT_U64:
		if (!fr_opt_u64(value, o->var))
			return fr_err_say(reterr, -EINVAL, "option '%s': '%s' is not a number",
					  shown, value);
		break;
	case FR_OPT_SECONDS:
		if (!seconds(value, o->var))
			return fr_err_say(reterr, -EINVAL,
					  "--%s: expected a number of seconds above zero", o->name);
		break;
	case FR_OPT_CHOICE:
		return choose(o, value, reterr);
	case FR_OPT_LIST:
		fr_vec_push((struct fr_opt_list *)o->var, value);
		break;
	case FR_OPT_END:
		fr_assert(false); /* the lookups stop there */
		break;
	}
	return 0;
}

/* Finds a long option by its name or by a unique prefix. */
static int find_long(const struct fr_opt *table, const char *name, size_t n,
		     const struct fr_opt **ret, struct fr_err *reterr)
{
	const struct fr_opt *hit = NULL;

	for (const struct fr_opt *o = table; o && o->type; o++) {
		if (strncmp(o->name, name, n))
			continue;
		if (!o->name[n]) {
			*ret = o;
			return 0;
		}
		if (hit)
			return fr_err_say(reterr, -EINVAL,
					  "option '--%.*s' is ambiguous: '--%s' or '--%s'", (int)n,
					  name, hit->name, o->name);
		hit = o;
	}
	if (!hit || !n)
		return fr_err_say(reterr, -EINVAL, "unknown option '--%.*s'", (int)n, name);
	*ret = hit;
	return 0;
}

static int find_letter(const struct fr_opt *table, char letter, const struct fr_opt **ret,
		       struct fr_err *reterr)
{
	for (const struct fr_opt *o = table; o && o->type; o++)
		if (o->letter == letter) {
			*ret = o;
			return 0;
		}
	return fr_err_say(reterr, -EINVAL, "unknown option '-%c'", letter);
}

struct parser {
	const struct fr_opt *table;
	int argc, i;
	char **argv;
	bool *help;
	struct fr_err *err;
};

static int with_value(struct parser *p, const struct fr_opt *o, const char *shown,
		      const char *value)
{
	if (!value && o->arg) {
		if (p->i + 1 >= p->argc)
			return fr_err_say(p->err, -EINVAL, "option '%s' needs a value (%s)", shown,
					  o->arg);
		value = p->argv[++p->i];
	}
	return assign(o, shown, value, p->err);
}

static int parse_long(struct parser *p, const char *s)
{
	const char *eq = strchr(s, '=');
	size_t n = eq ? (size_t)(eq - s) : strlen(s);
	const struct fr_opt *o = NULL;
	char shown[64];
	int r;

	if (n == 4 && !memcmp(s, "help", 4) && !eq) {
		*p->help = true;
		return 0;
	}
	r = find_long(p->table, s, n, &o, p->err);
	if (r < 0)
		return r;
	snprintf(shown, sizeof(shown), "--%s", o->name);
	if (eq && !o->arg)
		return fr_err_say(p->err, -EINVAL, "option '%s' takes no value", shown);
	return with_value(p, o, shown, eq ? eq + 1 : NULL);
}

static int parse_letters(struct parser *p, const char *s)
{
	for (; *s; s++) {
		const struct fr_opt *o = NULL;
		char shown[3] = {'-', *s, 0};
		int r;

		if (*s == 'h') {
			*p->help = true;
			return 0;
		}
		r = find_letter(p->table, *s, &o, p->err);
		if (r < 0)
			return r;
		if (o->arg)
			return with_value(p, o, shown, s[1] ? s + 1 : NULL);
		r = assign(o, shown, NULL, p->err);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Each name and letter stands for one option, and all but flags take a value. */
static void check_table(const struct fr_opt *table)
{
	for (const struct fr_opt *o = table; o->type; o++) {
		fr_assert(!o->arg == (o->type == FR_OPT_FLAG));
		fr_assert(strcmp(o->name, "help") != 0 && o->letter != 'h');
		for (const struct fr_opt *p = table; p < o; p++)
			fr_assert(strcmp(o->name, p->name) != 0 &&
				  (!o->letter || o->letter != p->letter));
	}
}

int fr_opt_parse(const struct fr_opt *table, int argc, char **argv, bool stop, int *ret_argc,
		 char ***ret_argv, bool *ret_help, struct fr_err *reterr)
{
	struct parser p = {table, argc, 1, argv, ret_help, reterr};
	int words = 1, r;

	check_table(table);
	for (; p.i < argc; p.i++) {
		char *s = argv[p.i];

		if (s[0] != '-' || !s[1]) {
			if (stop)
				break;
			argv[words++] = s;
			continue;
		}
		if (s[1] == '-' && !s[2]) {
			p.i++;
			break;
		}
		r = s[1] == '-' ? parse_long(&p, s + 2) : parse_letters(&p, s + 1);
		if (r < 0)
			return r;
		if (*ret_help)
			return 0;
	}
	while (p.i < argc)
		argv[words++] = argv[p.i++];
	fr_assert(words <= argc);
	argv[words] = NULL;
	*ret_argc = words - 1;
	*ret_argv = argv + 1;
	return 0;
}

void fr_opt_wrap(unsigned column, const char *s)
{
	unsigned at = column;

	while (*s) {
		unsigned n = (unsigned)strcspn(s, " ");

		if (at > column && at + 1 + n >= COLUMNS) {
			printf("\n%*s", (int)column, "");
			at = column;
		}
		at += (unsigned)printf("%s%.*s", at > column ? " " : "", (int)n, s);
		s += n + strspn(s + n, " ");
	}
	printf("\n");
}

void fr_opt_print(const struct fr_opt *table)
{
	printf("options:\n");
	for (const struct fr_opt *o = table; o && o->type; o++) {
		char left[64], letter[8] = "    ";

		if (o->letter)
			snprintf(letter, sizeof(letter), "-%c, ", o->letter);
		snprintf(left, sizeof(left), "%s--%s%s%s", letter, o->name, o->arg ? " " : "",
			 o->arg ? o->arg : "");
		printf("  %-28s ", left);
		fr_opt_wrap(HELP_COLUMN, o->help);
	}
	printf("  %-28s show this help\n", "-h, --help");
}
