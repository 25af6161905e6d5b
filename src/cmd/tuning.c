/* Options of recorder and runtime: see tuning.h. */
#include "cmd/tuning.h"
#include "base/assert.h"
#include "cmd/cmd.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BLOCKS 256

static const struct {
	const char *key, *value, *help;
} known[] = {
    {"private", "0|1",
     "drop accesses to memory that only one thread has accessed, at hot sites (default 1)"},
    {"repeat", "0|1",
     "drop a read at a hot site that repeats a read since the thread's last synchronisation "
     "(default 1)"},
    {"hot", "0-128", "executions by one thread after which a site is hot (default 128)"},
    {"branch", "0|1|all",
     "record branches: none, the first after each recorded read, or all (default 0)"},
    {"pool_blocks", "N",
     "blocks of 64 KiB that program and recorder share, besides four for each thread (default "
     "256)"},
};

static int check(const char *s, size_t n, struct fr_err *reterr)
{
	const char *eq = memchr(s, '=', n);
	size_t key = eq ? (size_t)(eq - s) : n;

	if (!eq)
		return fr_err_say(reterr, -EINVAL, "option '%.*s' is not KEY=VALUE", (int)n, s);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].key) == key && !memcmp(known[i].key, s, key))
			return key + 1 < n
				   ? 0
				   : fr_err_say(reterr, -EINVAL, "option '%s' needs a value (%s)",
						known[i].key, known[i].value);
	return fr_err_say(reterr, -EINVAL,
			  "unknown option '%.*s' ('forerun record --help' lists them)", (int)key,
			  s);
}

/* Checks each "key=value" and adds it. */
static int add(struct fr_tuning *t, const char *s, struct fr_err *reterr)
{
	size_t used = strlen(t->text), n;
	int r;

	for (; *s; s += n + (s[n] == ':')) {
		n = strcspn(s, ":");
		if (!n)
			continue;
		r = check(s, n, reterr);
		if (r < 0)
			return r;
		if (used + n + 2 > sizeof(t->text))
			return fr_err_say(reterr, -EINVAL,
					  "--option: the values are too long in total");
		if (used)
			t->text[used++] = ':';
		memcpy(t->text + used, s, n);
		used += n;
		t->text[used] = 0;
		fr_assert(used < sizeof(t->text));
	}
	return 0;
}

static const char *value_of(const char *text, const char *key)
{
	size_t n = strlen(key);

	fr_assert(n && !strpbrk(key, "=:"));
	for (const char *p = text; *p; p += strcspn(p, ":"), p += *p == ':')
		if (!strncmp(p, key, n) && p[n] == '=')
			return p + n + 1;
	return NULL;
}

int fr_tuning_parse(const struct fr_opt_list *given, struct fr_tuning *ret, struct fr_err *reterr)
{
	const char *env = getenv("FORERUN_OPTIONS"), *v;
	struct fr_tuning t = {.pool_blocks = DEFAULT_BLOCKS};
	unsigned long n;
	int r = 0;

	for (size_t i = given->n; i-- > 0 && !r;)
		r = add(&t, given->v[i], reterr);
	if (r < 0)
		return r;
	if (env) {
		r = add(&t, env, reterr);
		if (r < 0) {
			struct fr_err e = *reterr;

			return fr_err_say(reterr, r, "FORERUN_OPTIONS: %.900s", e.msg);
		}
	}
	v = value_of(t.text, "pool_blocks");
	if (v) {
		n = strtoul(v, NULL, 10);
		if (*v < '0' || *v > '9' || n < 4 || n > FR_POOL_MAX_BLOCKS)
			return fr_err_say(reterr, -EINVAL, "option 'pool_blocks' must be 4 to %d",
					  FR_POOL_MAX_BLOCKS);
		t.pool_blocks = (uint32_t)n;
	}
	fr_assert(t.pool_blocks && t.pool_blocks <= FR_POOL_MAX_BLOCKS);
	*ret = t;
	return 0;
}

int fr_tuning_expect_exit(const char *given, struct fr_tuning *t, struct fr_err *reterr)
{
	uint64_t n;

	if (!given)
		return 0;
	if (!fr_opt_u64(given, &n) || n > 255)
		return fr_err_say(reterr, -EINVAL,
				  "--expect-exit: expected a status from 0 to 255");
	t->expects_exit = true;
	t->expect_exit = (int)n;
	return 0;
}

void fr_tuning_help(void)
{
	printf("\noptions for --option and for the variable FORERUN_OPTIONS=key=value:...:\n");
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		printf("  %-12s %-8s ", known[i].key, known[i].value);
		fr_opt_wrap(24, known[i].help);
	}
}
