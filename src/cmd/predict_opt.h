/* The options of prediction, for forerun predict and forerun run. */
#ifndef FR_CMD_PREDICT_OPT_H
#define FR_CMD_PREDICT_OPT_H

#include "generate/property.h"
#include "base/opt.h"
#include "causality/slice_pure.h"
#include "cmd/cmd.h"
#include "oracle/solve.h"
#include "predict/predict.h"

/* The options as values. */
struct fr_predict_opt {
	const struct fr_predict_args *args; /* the options as the user gave them */
	struct fr_oracle_opt oracle;
	struct fr_generate_opt what;
	double total;
	uint32_t jobs;
	bool all;
	bool tier_given;
	const struct fr_generator **kinds; /* ends with NULL */
	struct fr_pure *pure;		   /* library functions that do no harm */
	struct fr_property_kinds properties;
	/* The properties of attributes, once a run has been read; NULL: do not look for them. */
	struct fr_property_kinds *attributes;
};
#define FR_RELAX_DEFAULT 5 /* --relax */
/* The choice of --tier: all but FR_TIER_NONE. */
extern const char *const fr_tier_words[];
#define FR_TIER_CHOICE(tier) {fr_tier_words + FR_TIER_SYNC, (tier) - FR_TIER_SYNC}
#define FR_TIER_NO_CHOICE {fr_tier_words + FR_TIER_SYNC, FR_OPT_NO_CHOICE}
/* The solvers of this build, then NULL. */
extern const struct fr_solver_ops *const fr_predict_solvers[];
#ifdef FR_Z3
#define FR_PREDICT_SOLVERS "order (default) or z3"
#else
#define FR_PREDICT_SOLVERS "order (z3 only in a build with -Dz3=enabled)"
#endif

/* The options that select the bugs to look for. A: a struct fr_predict_args; T: the letter of
   --tier. */
#define FR_PREDICT_SELECT(A, T)                                                          \
	{FR_OPT_LIST,                                                                    \
	 'k',                                                                            \
	 "kinds",                                                                        \
	 "KIND,...",                                                                     \
	 "look only for these kinds of bugs (listed below); may be given "               \
	 "again",                                                                        \
	 &(A).kinds},                                                                    \
	    {FR_OPT_LIST,                                                                \
	     0,                                                                          \
	     "atomic",                                                                   \
	     "GLOB",                                                                     \
	     "treat each call of a function as atomic if the name or the file of "       \
	     "the function matches; may be given again",                                 \
	     &(A).atomic},                                                               \
	    {FR_OPT_LIST,                                                                \
	     0,                                                                          \
	     "atomic-set",                                                               \
	     "NAME,...",                                                                 \
	     "treat locations with these names as one set; names as in reports, "        \
	     "or globs; may be given again for another set",                             \
	     &(A).atomic_set},                                                           \
	    {FR_OPT_FLAG,                                                                \
	     0,                                                                          \
	     "no-neighbourhood",                                                         \
	     NULL,                                                                       \
	     "do not treat two neighbouring accesses as atomic if nothing else "         \
	     "groups them",                                                              \
	     &(A).no_neighbourhood},                                                     \
	    {FR_OPT_LIST,                                                                \
	     'p',                                                                        \
	     "pattern",                                                                  \
	     "FILE",                                                                     \
	     "look also for the patterns in FILE (PATTERNS in the manual); may "         \
	     "be given again; '--kinds pattern' looks only for these",                   \
	     &(A).patterns},                                                             \
	    {FR_OPT_LIST,                                                                \
	     0,                                                                          \
	     "pure",                                                                     \
	     "FILE",                                                                     \
	     "treat the functions in FILE, which forerun did not compile, as harmless "  \
	     "(--pure in the manual); may be given again",                               \
	     &(A).pure},                                                                 \
	    {FR_OPT_LIST,                                                                \
	     0,                                                                          \
	     "spec",                                                                     \
	     "FILE",                                                                     \
	     "look also for violations of the properties in FILE, or of ready ones by "  \
	     "name (PROPERTIES in the manual); may be given again; '--kinds property' "  \
	     "looks only for these",                                                     \
	     &(A).specs},                                                                \
	    {FR_OPT_U64,                                                                 \
	     0,                                                                          \
	     "relax",                                                                    \
	     "K",                                                                        \
	     "let at most K reads differ in the relaxed tier, as few as possible; "      \
	     "0 leaves that tier out (default 5, at most 16)",                           \
	     &(A).relax},                                                                \
	    {FR_OPT_FLAG,                                                                \
	     0,                                                                          \
	     "explain",                                                                  \
	     NULL,                                                                       \
	     "print for each finding the reads that matter, with the reason, and for "   \
	     "infeasible candidates the reads that stand in the way",                    \
	     &(A).explain},                                                              \
	    {FR_OPT_FLAG,                                                                \
	     0,                                                                          \
	     "stats",                                                                    \
	     NULL,                                                                       \
	     "print the work of prediction: time of each step and tier, events of "      \
	     "the segments, solver calls",                                               \
	     &(A).stats},                                                                \
	    {FR_OPT_FLAG,                                                                \
	     0,                                                                          \
	     "no-prune",                                                                 \
	     NULL,                                                                       \
	     "let the solver search the whole run instead of a segment, to compare; "    \
	     "the answers are the same",                                                 \
	     &(A).no_prune},                                                             \
	{                                                                                \
		FR_OPT_CHOICE, T, "tier", "TIER",                                        \
		    "how far to search: sync (linear time, misses some), precise (with " \
		    "a solver), sliced (reads that do not matter may differ), relaxed "  \
		    "(also schedules in which a few other reads differ), or hybrid "     \
		    "(also schedules that keep locks and threads but not values). "      \
		    "Default of run: hybrid; of predict: sliced, and hybrid "            \
		    "for the kinds that need it if the program can run again",           \
		    &(A).tier                                                            \
	}
/* Prints the kinds of bugs. */
void fr_predict_kinds_help(void);
/* Reads the purity tables: forerun's own, if it is there, and those of the user (NULL: none). */
int fr_predict_pure(const struct fr_opt_list *more, struct fr_pure **ret, struct fr_err *reterr);
/* Turns the options of a command into values. Returns FR_EXIT_OK, or FR_EXIT_USAGE after a message.
   The caller calls fr_predict_opt_free in either case. */
int fr_predict_opt_read(const struct fr_cmd *cmd, const struct fr_predict_args *args,
			struct fr_predict_opt *ret);
void fr_predict_opt_free(struct fr_predict_opt *o);

#endif
