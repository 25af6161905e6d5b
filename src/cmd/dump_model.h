/* forerun dump --model: prints a run as the analyses see it, for their developers. */
#ifndef FR_CMD_DUMP_MODEL_H
#define FR_CMD_DUMP_MODEL_H

#include <stdbool.h>

/* Prints the model of a run folder; returns the exit status. */
int fr_dump_model(const char *dir, bool numbers_only);

#endif
