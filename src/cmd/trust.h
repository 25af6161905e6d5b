/*
 * Keeps a foreign run folder from starting a program; record/folder_origin.h defines foreign. On a
 * terminal, forerun shows the command, the variables that matter and the working folder, and asks
 * the user. Elsewhere nothing starts without --trust. A user who agrees without --trust gets the
 * program without the variables that make it load or run something else (LD_PRELOAD), and with the
 * user's own PATH.
 */
#ifndef FR_CMD_TRUST_H
#define FR_CMD_TRUST_H

#include "base/err.h"
#include "trace/run_info.h"

#define FR_OPT_TRUST(to)                                                      \
	{FR_OPT_FLAG,                                                         \
	 0,                                                                   \
	 "trust",                                                             \
	 NULL,                                                                \
	 "run the program of a foreign run folder (made by another user, or " \
	 "copied) without asking, with its whole recorded environment",       \
	 to}

/* For fr_prover_open (confirm/prove.h). trust: --trust was given. Returns 0 if the program may be
   started, with run->env restricted accordingly; else -ECANCELED with a message. *ret_token is for
   fr_trust_same. */
int fr_trust_ask(const char *dir, bool trust, struct fr_run *run, char **ret_token,
		 struct fr_err *reterr);
/* In the process that gdb starts (fr_replay_become), which reads the folder again: the folder must
   not have changed since the user was asked. Restricts run->env in the same way. */
int fr_trust_same(struct fr_run *run, const char *token, struct fr_err *reterr);

#endif
