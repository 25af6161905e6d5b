/*
 * New numbers for the findings of a run folder. A prediction numbers findings as it finds them, and
 * anew at its end: worst first. `forerun run` numbers them again when it has confirmed them: the
 * first one that it shows is number 1. A number that a user has seen never changes.
 */
#ifndef FR_FINDINGS_RENUMBER_H
#define FR_FINDINGS_RENUMBER_H

#include "findings/finding.h"

/*
 * Gives f->finding.v[i] the number number[i]: from 1 to the number of findings, each once. Renames
 * the folders of the schedules, sorts the findings by number and replaces findings.json. The caller
 * holds the exclusive lock of the folder, and f equals findings.json.
 *
 * Returns 0 or -errno. If the new findings.json cannot be written, nothing has changed. Like
 * predict_save.c, it removes findings.json while the schedules change places.
 */
int fr_findings_renumber(const char *dir, struct fr_findings *f, const uint32_t *number,
			 struct fr_err *reterr);

#define FR_RENUMBER_SUFFIX ".moves" /* of a folder between two numbers */

/* Renames the folders DIR/I to DIR/to[I], for I from 1 to n. `to` has each number once. Folders
   may be missing. */
int fr_findings_move(const char *dir, const uint32_t *to, uint32_t n, struct fr_err *reterr);

#endif
