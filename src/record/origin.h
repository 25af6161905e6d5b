/*
 * Whether a run folder was made here, by this user. `replay` and `confirm` start the program that a
 * folder names; for a folder from elsewhere that program is somebody else's choice.
 *
 * The recorder leaves a mark, the file `origin`: where it made the folder, and a MAC (HMAC-SHA-256)
 * over that path, the folder's inode number and time of birth, the user, and everything in run.json
 * that decides what is started (program, arguments, environment, working folder). The time of birth
 * is set by the kernel alone: no archive can carry it, and nobody can know it in advance. The key
 * is random, of this user, in ~/.local/state/forerun/key, where `~` is the home in the user
 * database: the environment does not matter. Without a home that can be written the key is empty,
 * and the mark rests on the inode and the time of birth.
 *
 * So a folder that was copied, unpacked, moved or renamed is foreign, and so is one whose run.json
 * was changed. Not noticed: another schedule or recorded input in a folder that is ours.
 */
#ifndef FR_RECORD_ORIGIN_H
#define FR_RECORD_ORIGIN_H

#include "base/err.h"
#include "trace/run_info.h"

/* Leaves the mark in a folder that was entered. */
int fr_origin_write(const char *dir, const struct fr_run *run, struct fr_err *reterr);
/* NULL: the folder is ours; otherwise why it is foreign, as a new string. */
char *fr_origin_foreign(const char *dir, const struct fr_run *run);
/* The digest of all that decides what is started, 64 hexadecimal digits and a NUL. */
void fr_origin_digest(const struct fr_run *run, char ret[65]);

#endif
