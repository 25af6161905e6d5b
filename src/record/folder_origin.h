/*
 * Decides whether this user made a run folder on this machine. `replay` and `confirm` start the
 * program that a folder names. In a foreign folder, somebody else chose that program.
 *
 * The recorder writes a seal, the file `origin`. It contains the path of the folder and a MAC
 * (HMAC-SHA-256) of that path, the folder's inode number and birth time, the user id, and the start
 * of the program in run.json (program, arguments, environment, working folder). Only the kernel
 * sets the birth time: no archive can carry it, and nobody can know it in advance. The key is
 * random and belongs to this user. It is in ~/.local/state/forerun/key, where `~` is the home
 * folder in the user database; the environment does not matter. If the home folder cannot be
 * written, the key is empty, and the seal rests on the inode number and the birth time.
 *
 * Therefore a folder that was copied, unpacked, moved or renamed is foreign, and so is a folder
 * whose run.json was changed.
 * Not noticed: a changed schedule or recorded input in a folder of this user.
 */
#ifndef FR_RECORD_FOLDER_ORIGIN_H
#define FR_RECORD_FOLDER_ORIGIN_H

#include "base/err.h"
#include "trace/run_info.h"

/* Writes the seal in an entered folder. Writes none, without an error, if the folder cannot be
   distinguished from a copy: it is then foreign. */
int fr_origin_write(const char *dir, const struct fr_run *run, struct fr_err *reterr);
/* Returns NULL if this user made the folder here, otherwise the reason why it is foreign, as a new
   string. */
char *fr_origin_foreign(const char *dir, const struct fr_run *run);
/* Computes the digest of the start of the program: 64 hexadecimal digits, a NUL. */
void fr_origin_digest(const struct fr_run *run, char ret[65]);

#endif
