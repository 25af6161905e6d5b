/* The options of forerun predict. */
#ifndef FR_CMD_PREDICT_OPT_H
#define FR_CMD_PREDICT_OPT_H

#include "anomaly/pattern.h"
#include "base/opt.h"
#include "oracle/oracle.h"

struct fr_predict_opt {
	struct fr_oracle_opt oracle;
	struct fr_anomaly_opt what;
	double total;
	uint32_t jobs;
	bool json, all, quiet, fail_on_predicted;
	const struct fr_anomaly **kinds; /* ends with NULL */
	struct fr_patterns patterns;
};
extern struct fr_predict_opt fr_predict_opt;
extern const struct fr_opt fr_predict_options[];

/* A tier that can be asked for, by its name. */
int fr_predict_tier(const char *name, enum fr_tier *ret, struct fr_err *reterr);
/* Reads the patterns, before the check; an error names the file, or a place in it. */
int fr_predict_opt_patterns(struct fr_err *reterr);
/* Turns what was parsed into fr_predict_opt; -EINVAL with what is wrong. */
int fr_predict_opt_check(struct fr_err *reterr);
void fr_predict_opt_free(void);

#endif
