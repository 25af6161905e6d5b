/* The options of forerun predict. */
#ifndef FR_CMD_PREDICT_OPT_H
#define FR_CMD_PREDICT_OPT_H

#include "generate/pattern.h"
#include "base/opt.h"
#include "oracle/solve.h"
#include "predict/predict.h"

struct fr_predict_opt {
	struct fr_oracle_opt oracle;
	struct fr_generate_opt what;
	double total;
	uint32_t jobs;
	bool json, all, quiet, fail_on_predicted;
	bool tier_given;
	const struct fr_generator **kinds; /* ends with NULL */
	struct fr_patterns patterns;
};
extern struct fr_predict_opt fr_predict_opt;
extern const struct fr_opt fr_predict_options[];
/* The solvers of this build, then NULL. */
extern const struct fr_solver_ops *const fr_predict_solvers[];

extern struct fr_predict_words fr_predict_words;
#define FR_PREDICT_SELECT(T)                                                             \
	{FR_OPT_LIST,                                                                    \
	 'k',                                                                            \
	 "kinds",                                                                        \
	 "KIND,...",                                                                     \
	 "look only for these kinds of bugs (listed below); may be given "               \
	 "again",                                                                        \
	 &fr_predict_words.kinds},                                                       \
	    {FR_OPT_LIST,                                                                \
	     0,                                                                          \
	     "atomic",                                                                   \
	     "GLOB",                                                                     \
	     "treat each call of a function as atomic if the name or the file of "       \
	     "the function matches; may be given again",                                 \
	     &fr_predict_words.atomic},                                                  \
	    {FR_OPT_LIST,                                                                \
	     0,                                                                          \
	     "atomic-set",                                                               \
	     "NAME,...",                                                                 \
	     "treat locations with these names as one set; names as in reports, "        \
	     "or globs; may be given again for another set",                             \
	     &fr_predict_words.atomic_set},                                              \
	    {FR_OPT_FLAG,                                                                \
	     0,                                                                          \
	     "no-neighbourhood",                                                         \
	     NULL,                                                                       \
	     "do not treat two neighbouring accesses as atomic if nothing else "         \
	     "groups them",                                                              \
	     &fr_predict_opt.what.no_near},                                              \
	    {FR_OPT_LIST,                                                                \
	     'p',                                                                        \
	     "pattern",                                                                  \
	     "FILE",                                                                     \
	     "look also for the patterns in FILE (PATTERNS in the manual); may "         \
	     "be given again; '--kinds pattern' looks only for these",                   \
	     &fr_predict_words.patterns},                                                \
	{                                                                                \
		FR_OPT_STRING, T, "tier", "TIER",                                        \
		    "how far to search: sync (linear time, misses some), precise (with " \
		    "a solver), or hybrid (also schedules that keep locks and threads "  \
		    "but not values). Default: hybrid if the program can run again, "    \
		    "else precise",                                                      \
		    &fr_predict_words.tier                                               \
	}
/* Prints the kinds of bugs. */
void fr_predict_kinds_help(void);
/* Reads the pattern files, before the check. An error names the file, or a place in it. */
int fr_predict_opt_patterns(struct fr_err *reterr);
/* Turns the parsed words into fr_predict_opt. -EINVAL with a message if one is wrong. */
int fr_predict_opt_check(struct fr_err *reterr);
void fr_predict_opt_free(void);

#endif
