/* forerun record as a step of another command (cmd_run.c). */
#ifndef FR_CMD_CMD_RECORD_H
#define FR_CMD_CMD_RECORD_H

#include "cmd/tuning.h"
#include "record/run_order.h"
#include <stdbool.h>

#define FR_OPT_EXPECT_EXIT(to)                                         \
	{FR_OPT_STRING,                                                \
	 0,                                                            \
	 "expect-exit",                                                \
	 "N",                                                          \
	 "report a failure if the program ends in any other way than " \
	 "with exit status N",                                         \
	 to}

/* How a service ends; `end` is a struct fr_service_end. */
#define FR_OPT_SERVICE(end)                                                                \
	{FR_OPT_SECONDS,                                                                   \
	 0,                                                                                \
	 "for",                                                                            \
	 "SECONDS",                                                                        \
	 "end a program that does not end by itself with SIGTERM after this time",         \
	 &(end).seconds},                                                                  \
	{                                                                                  \
		FR_OPT_FLAG, 0, "until-idle", NULL,                                        \
		    "end it when its clients have been quiet for two seconds", &(end).idle \
	}

/* Can the program be recorded at all? 0, or -1 after a message. *ret_path is a new string. */
int fr_record_check(const char *name, char **ret_path, bool *ret_script);
/* Records a run into an existing empty folder. Returns the exit status of the command. Changes
   signals, terminal and descriptors, so call it in a separate process. */
int fr_record_into(const char *dir, char **argv, const struct fr_tuning *t,
		   const struct fr_run_order *o);

#endif
