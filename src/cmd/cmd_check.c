/* forerun check: reports the errors of property files, or prints the files in the canonical
   layout. */
#include "base/assert.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/opt.h"
#include "cmd/cmd.h"
#include "cmd/spec_path.h"
#include "spec/spec.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool format;

static const struct fr_opt options[] = {
    {FR_OPT_FLAG, 'f', "format", NULL,
     "print the files in the canonical layout, with their comments; a file with errors is not "
     "printed",
     &format},
    {0},
};

typedef FR_VEC(struct fr_spec *) specs;

/* Returns false after a message if two names, the first of them in s, are equal. */
static bool differ(const char *what, const struct fr_spec *s, const struct fr_spec_name *name,
		   const struct fr_spec *other, const struct fr_spec_name *first)
{
	FR_CLEANUP(fr_freep) char *line = NULL;

	if (strcmp(name->s, first->s) != 0)
		return true;
	line = fr_xasprintf("%s:%u:%u: two %s are called '%s': the other is in %s:%u", s->path,
			    name->pos.line, name->pos.column, what, name->s, other->path,
			    first->pos.line);
	fr_say_bare(line);
	return false;
}

/* Returns false after a message if an earlier file has a property or a pattern of the same name. */
static bool is_new(const specs *all, const struct fr_spec *s)
{
	bool fresh = true;

	FR_VEC_FOREACH (other, all)
		FR_VEC_FOREACH (p, &(*other)->rows)
			FR_VEC_FOREACH (q, &s->rows)
				fresh &= differ("patterns", s, &(*q)->name, *other, &(*p)->name);
	FR_VEC_FOREACH (other, all)
		FR_VEC_FOREACH (p, &(*other)->property)
			FR_VEC_FOREACH (q, &s->property)
				fresh &= differ("properties", s, &(*q)->name, *other, &(*p)->name);
	return fresh;
}

/* Returns an exit status, after messages if not FR_EXIT_OK. */
static int check(const char *arg, specs *all)
{
	FR_CLEANUP(fr_freep) char *path = fr_spec_path(arg);
	FR_CLEANUP(fr_buf_free) struct fr_buf text = {0};
	struct fr_spec *s;
	struct fr_err err;

	if (fr_spec_read(path, &s, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	fr_vec_push(all, s);
	all->n--; /* is_new compares with the others */
	fr_spec_errors(s, &text);
	if (text.n)
		fr_say_bare(text.s);
	if (!is_new(all, s) || text.n) {
		all->n++;
		return FR_EXIT_FOUND;
	}
	all->n++;
	if (format) {
		fr_spec_print(s, &text);
		fwrite(text.s, 1, text.n, stdout);
	} else {
		FR_CLEANUP(fr_freep) char *name = fr_escape(path);

		if (s->rows.n)
			printf("%s: %zu pattern%s\n", name, s->rows.n, s->rows.n == 1 ? "" : "s");
		else
			printf("%s: %zu propert%s\n", name, s->property.n,
			       s->property.n == 1 ? "y" : "ies");
	}
	return FR_EXIT_OK;
}

static int cmd_check(int argc, char **argv)
{
	int status = FR_EXIT_OK;
	specs all = {0};

	if (!argc)
		return fr_cmd_usage(&fr_cmd_check, "no property file given");
	for (int i = 0; i < argc; i++) {
		int r = check(argv[i], &all);

		status = fr_max(status, r);
	}
	FR_VEC_FOREACH (s, &all)
		fr_spec_free(*s);
	fr_vec_free(&all);
	return fflush(stdout) || ferror(stdout) ? FR_EXIT_FAILED : status;
}

const struct fr_cmd fr_cmd_check = {
    .name = "check",
    .summary = "report the errors of property files",
    .usage = "forerun check [options] SPEC ...",
    .run = cmd_check,
    .options = options,
    .details = "SPEC is a file of properties (PROPERTIES in the manual) or of patterns, or the\n"
	       "name of ready properties. Each error is one line on standard error, in the form\n"
	       "FILE:LINE:COLUMN: MESSAGE. Exit status: 0 no errors, 1 errors in a file, 2 usage\n"
	       "error, 3 a file cannot be read.\n",
};
