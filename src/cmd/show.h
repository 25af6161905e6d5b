/* Prints findings on standard output, for report, confirm and run, and derives the exit status. */
#ifndef FR_CMD_SHOW_H
#define FR_CMD_SHOW_H

#include "base/opt.h"
#include "findings/ranking.h"

enum fr_show_format { FR_SHOW_TEXT, FR_SHOW_JSON };
enum fr_fail_on { FR_FAIL_ON_PREDICTED, FR_FAIL_ON_CONFIRMED, FR_FAIL_ON_NEVER };
extern const char *const fr_show_formats[], *const fr_fail_on_words[];

struct fr_show {
	const char *dir;
	struct fr_opt_choice format;  /* enum fr_show_format */
	struct fr_opt_choice fail_on; /* enum fr_fail_on */
	bool all;	  /* every verdict and interleaving, not only confirmed findings */
	bool stats;	  /* also the work of prediction */
	bool predictions; /* shows predictions that need harm, which forerun has not looked for */
};
#define FR_SHOW_DEFAULTS                                                \
	{                                                               \
		.format = {fr_show_formats, FR_SHOW_TEXT}, .fail_on = { \
			fr_fail_on_words,                               \
			FR_FAIL_ON_CONFIRMED                            \
		}                                                       \
	}

/* Options of the commands that print findings. S: a struct fr_show. */
#define FR_OPT_FORMAT(S) \
	{FR_OPT_CHOICE, 0, "format", "FORMAT", "output format: text (default) or json", &(S).format}
#define FR_OPT_FAIL_ON(S, NOTE)                                            \
	{FR_OPT_CHOICE,                                                    \
	 0,                                                                \
	 "fail-on",                                                        \
	 "VERDICT",                                                        \
	 "exit with status 1 if a finding has this verdict or a stronger " \
	 "one: predicted, confirmed (default" NOTE "), or never",          \
	 &(S).fail_on}
#define FR_OPT_SHOW_ALL(S)                                                \
	{FR_OPT_FLAG,                                                     \
	 'a',                                                             \
	 "all",                                                           \
	 NULL,                                                            \
	 "print findings of every verdict, not only confirmed ones, and " \
	 "every interleaving",                                            \
	 &(S).all}

/* Prints the findings, worst first. Returns an exit status, after a message if not FR_EXIT_OK. */
int fr_show_findings(const struct fr_show *s, const struct fr_findings *f);
struct fr_hidden {
	size_t unproved, folded;
	size_t endless;	     /* of those folded, the ones whose end forerun did not see */
	size_t harmless;     /* findings that need harm, which was not seen: no bugs */
	size_t left;	     /* of these, the ones that were not tried */
	const char *untried; /* why one of them could not be tried; NULL */
};
/* Sorts findings of several folders and prints them as text, without the summary of each folder.
   Returns the numbers of hidden findings. */
struct fr_hidden fr_show_items(struct fr_ranked *v, size_t n, bool all, struct fr_buf *out);
/* Prints a line about the hidden ones. */
void fr_show_hidden(struct fr_hidden h, struct fr_buf *out);

/* Is there a finding, which is shown without --all, of the verdict of --fail-on or above? */
bool fr_show_fails(const struct fr_show *s, const struct fr_findings *f);

/* Finds the named run folder, or the newest one, and removes slashes at the end. Returns an exit
   status, after a message if not FR_EXIT_OK. */
int fr_show_folder(const char *given, char **ret);

#endif
