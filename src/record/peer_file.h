/*
 * The file `peers` of a recording (format/peers.h). The program writes it. The recorder makes it,
 * backs it with disk space while the program runs, and cuts it at the end.
 */
#ifndef FR_RECORD_PEER_FILE_H
#define FR_RECORD_PEER_FILE_H

#include "base/err.h"
#include "format/peers.h"
#include <stdint.h>

struct fr_peer_file {
	char *path;
	int fd;
	struct fr_peers_header *h; /* NULL: there is no such file */
};

/* Fails without a message for the user: the recording is possible without the file. */
int fr_peer_file_open(struct fr_peer_file *f, const char *dir);
/* Backs the next records with disk space if needed. Call it often. */
void fr_peer_file_extend(struct fr_peer_file *f);
/* The program has ended: keeps the records, or removes an empty file. Returns the number of lost
   records. */
uint64_t fr_peer_file_finish(struct fr_peer_file *f);
/* Also for one that was never opened, if it is all zero. */
void fr_peer_file_close(struct fr_peer_file *f);

#endif
