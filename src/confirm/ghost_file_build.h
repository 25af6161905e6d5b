/*
 * Builds ghost files (format/ghost_file.h) from the recorded steps of the peers
 * (trace/peer_steps.h).
 *
 * A call of the program needs the step that it saw, and each step of the same peer before it. A
 * call that found a descriptor ready needs the next step of its peer: for a listening socket, the
 * next connection that the same thread accepts.
 */
#ifndef FR_CONFIRM_GHOST_FILE_BUILD_H
#define FR_CONFIRM_GHOST_FILE_BUILD_H

#include "confirm/control_file_build.h"
#include "format/ghost_file.h"
#include "trace/peer_steps.h"
#include "trace/trace.h"

/* Everything about the peers of a run that each re-execution needs. */
struct fr_ghosts {
	struct fr_peers peers;
	FR_VEC(char *) thread; /* creation path by pool id - 1; NULL: not known */
	char folder[1024];     /* the program's working folder */
	int signal;	       /* another process ended the run with it; 0: none did */
};

/* Reads the peers of a run. *ret_why: a new string that says why ghosts cannot play them; NULL if
   they can, or if there are none (ret->peers.npeers == 0). */
void fr_ghosts_open(struct fr_ghosts *g, const char *dir, const struct fr_trace *t, char **ret_why);
void fr_ghosts_close(struct fr_ghosts *g);
/* Adds the internet addresses of the run to `to`, each once, without those of loopback. */
typedef FR_VEC(struct fr_peer_address) fr_ghost_addresses;
void fr_ghosts_addresses(const struct fr_ghosts *g, fr_ghost_addresses *to);
/* Is there anything to play? */
bool fr_ghosts_any(const struct fr_ghosts *g);

struct fr_ghost_file_handle {
	int fd;
	struct fr_ghost_file *g;
	size_t size;
	char path[64]; /* valid while this process lives and fd is open */
};
/* Makes the file for an execution whose control file is `f`. */
int fr_ghost_file_build(const struct fr_ghosts *g, const struct fr_control_file_handle *f,
			struct fr_ghost_file_handle *ret, struct fr_err *reterr);
/* The ghost cannot be started or has ended: the program must not wait for it. */
void fr_ghost_file_fail(struct fr_ghost_file_handle *f);
void fr_ghost_file_free(struct fr_ghost_file_handle *f);

#endif
