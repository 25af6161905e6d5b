/*
 * Before the program first changes a file, the recorder keeps the file as it is, so that each
 * re-execution can start with the same files (record/file_keeper.h, process/box.h).
 */
#ifndef FRT_KEEP_FILE_H
#define FRT_KEEP_FILE_H

#include <stdbool.h>

/* Asks the recorder to keep the file, unless this process has asked about the name before. Returns
   when the file is kept, or at once if nobody keeps files. A path that the kernel cannot read is
   ignored. follow: if the path is a symbolic link, the call will change the file that it names.
   Keeps errno. */
void frt_keep_file(int dir, const char *path, bool follow);
/* The same for the file of a shared memory object (prefix "") or named semaphore (prefix
   "sem."). */
void frt_keep_shm(const char *prefix, const char *name);

#endif
