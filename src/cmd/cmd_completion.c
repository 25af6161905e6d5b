/*
 * forerun completion: shell completion, generated from the tables of commands and options. For
 * bash: eval "$(forerun completion bash)"; zsh understands the same through bashcompinit.
 */
#include "generate/generate.h"
#include "base/assert.h"
#include "base/opt.h"
#include "cmd/cmd.h"
#include "cmd/predict_opt.h"
#include "trace/trace.h"
#include <stdio.h>
#include <string.h>

static const struct fr_opt options[] = {{0}};

static void print_words(void)
{
	for (const struct fr_cmd *const *c = fr_cmds; *c; c++) {
		printf("\t%s) words=\"", (*c)->name);
		for (const struct fr_opt *o = (*c)->options; o && o->type; o++)
			printf("--%s ", o->name);
		printf("--help\" ;;\n");
	}
}

static void print_kinds(void)
{
	for (unsigned k = 0; k < 256; k++)
		if (fr_event_name(k))
			printf("%s ", fr_event_name(k));
}

/* The words that an option of the command can take. */
static void print_choice(const struct fr_cmd *c, const struct fr_opt *o)
{
	const struct fr_opt_choice *choice = o->var;

	fr_assert(o->type == FR_OPT_CHOICE && choice->word[0]);
	printf("\t%s:--%s", c->name, o->name);
	if (o->letter)
		printf("|%s:-%c", c->name, o->letter);
	printf(") vals=\"");
	for (unsigned i = 0; choice->word[i]; i++)
		printf("%s ", choice->word[i]);
	printf("\" ;;\n");
}

static void print_values(void)
{
	printf("\tdump:--kind|dump:-k) vals=\"access sync thread memory user structure ");
	print_kinds();
	printf("\" ;;\n\tpredict:--kinds|predict:-k|run:--kinds|run:-k) vals=\"");
	for (const struct fr_generator *const *a = fr_generators; *a; a++)
		if ((*a)->summary)
			printf("%s ", (*a)->name);
	printf("\" ;;\n\tpredict:--solver) vals=\"");
	for (const struct fr_solver_ops *const *s = fr_predict_solvers; *s; s++)
		printf("%s ", (*s)->name);
	printf("\" ;;\n");
	for (const struct fr_cmd *const *c = fr_cmds; *c; c++)
		for (const struct fr_opt *o = (*c)->options; o && o->type; o++)
			if (o->type == FR_OPT_CHOICE)
				print_choice(*c, o);
}

static void print_bash(void)
{
	printf(
	    "_forerun()\n{\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= vals=\n"
	    "\tif [ $COMP_CWORD -eq 1 ]; then\n\t\twords=\"--help --version");
	for (const struct fr_cmd *const *c = fr_cmds; *c; c++)
		printf(" %s", (*c)->name);
	printf("\"\n\telse\n\tcase ${COMP_WORDS[1]} in\n");
	print_words();
	printf("\tesac\n\tcase ${COMP_WORDS[1]}:$prev in\n");
	print_values();
	printf("\tesac\n\tif [ -n \"$vals\" ]; then words=$vals\n"
	       "\telif [[ $cur != -* ]]; then words=; fi\n"
	       "\tfi\n"
	       "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
	       "complete -o default -F _forerun forerun\n");
}

static int cmd_completion(int argc, char **argv)
{
	if (argc != 1 || (strcmp(argv[0], "bash") != 0 && strcmp(argv[0], "zsh") != 0))
		return fr_cmd_usage(&fr_cmd_completion, "no shell given: bash or zsh");
	if (!strcmp(argv[0], "zsh"))
		printf("autoload -U +X bashcompinit && bashcompinit\n");
	print_bash();
	return fflush(stdout) ? FR_EXIT_FAILED : FR_EXIT_OK;
}

const struct fr_cmd fr_cmd_completion = {
    .name = "completion",
    .summary = "print completions for a shell",
    .usage = "forerun completion bash|zsh",
    .run = cmd_completion,
    .options = options,
    .details = "Add to ~/.bashrc or ~/.zshrc:  eval \"$(forerun completion bash)\"\n",
};
