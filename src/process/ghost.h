/*
 * The ghost of a re-execution: a process in its box that plays the clients and servers of the
 * recorded run (format/ghost_file.h). It connects where a client connected, listens where a server
 * listened, sends the recorded bytes when the program asks for them (runtime/control/ctl_ghost.h),
 * takes all that the program sends, and stops sending where the peer did.
 *
 * One thread answers the program's requests. The other takes what the program sends, and continues
 * to send when there is room again. Both wait in the kernel: neither polls.
 *
 * Connections keep their recorded addresses and ports where the box has them. A peer that closed
 * only stops sending: the program may still send to it. A peer that broke the connection does so.
 *
 * Lifetime: the process is a child of the tool and ends with it, however it ends. Not handled:
 * out-of-band data, descriptors that a peer passed on, credentials of Unix sockets.
 */
#ifndef FR_PROCESS_GHOST_H
#define FR_PROCESS_GHOST_H

#include "base/err.h"
#include <stdbool.h>
#include <sys/types.h>

struct fr_ghost_how {
	int program; /* pidfd of the program, which is in its box */
	bool user;   /* the box has its own users */
	int file;    /* ghost file */
	int peers;   /* the file `peers` */
};

/* Starts the ghost. Returns 0 or -errno. */
int fr_ghost_start(const struct fr_ghost_how *how, pid_t *ret);
void fr_ghost_stop(pid_t pid);
/* Has it ended by itself? */
bool fr_ghost_gone(pid_t pid);

/* The process itself: `forerun play-ghost`, with the two files as descriptors 3 and 4. */
int fr_ghost_main(void);
#define FR_GHOST_COMMAND "play-ghost"

#endif
