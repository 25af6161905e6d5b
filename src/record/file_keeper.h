/*
 * Keeps the files that the program is about to change (trace/kept_files.h). A thread of the
 * recorder answers the program's questions (runtime/core/keep_file.c), while the thread that asks
 * waits.
 *
 * A copy shares its blocks with the file where the file system supports that; otherwise files up to
 * a limit are copied. Folders are kept without their content: the program must change each file by
 * its own name. Not kept: files under /proc, /sys and /dev; a folder that is renamed with its
 * content.
 */
#ifndef FR_RECORD_FILE_KEEPER_H
#define FR_RECORD_FILE_KEEPER_H

#include "base/err.h"
#include "base/mem.h"
#include "format/pool.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct fr_keeper {
	struct fr_pool *pool;
	char *dir;
	pthread_t thread;
	bool running;
	_Atomic bool stop;
	int list;	     /* descriptor of the list, -1: nothing is kept yet */
	struct fr_map paths; /* hash of each path that is in the list */
	uint32_t copies;
	uint64_t bytes; /* copied so far */
};

/* dir, pool: outlive the keeper. Returns false if no thread can be made; then nothing is kept. */
bool fr_keeper_start(struct fr_keeper *k, const char *dir, struct fr_pool *pool);
/* Call it when the program has ended. Also for a keeper that was never started. */
void fr_keeper_stop(struct fr_keeper *k);

#endif
