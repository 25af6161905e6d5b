/*
 * Options of recorder and runtime, "key=value:...", from --option and FORERUN_OPTIONS. The table
 * names all of them, so that a misspelt one is an error and --help can list them.
 */
#ifndef FR_CMD_TUNING_H
#define FR_CMD_TUNING_H

#include "base/err.h"
#include "base/opt.h"
#include "format/pool.h"
#include "record/service_end.h"

struct fr_tuning {
	char text[FR_PATH_MAX]; /* for the runtime: the first value of a key wins */
	uint32_t pool_blocks;
	/* of --expect-exit; fr_tuning_parse leaves it out */
	bool expects_exit;
	int expect_exit;
	struct fr_service_end end; /* of --for and --until-idle; likewise */
};

/* Checks --option and FORERUN_OPTIONS, which comes last. -EINVAL with a message if one is wrong. */
int fr_tuning_parse(const struct fr_opt_list *given, struct fr_tuning *ret, struct fr_err *reterr);
/* Reads --expect-exit, which may be NULL. -EINVAL with a message if it is wrong. */
int fr_tuning_expect_exit(const char *given, struct fr_tuning *t, struct fr_err *reterr);
/* Prints the table for --help. */
void fr_tuning_help(void);

#endif
