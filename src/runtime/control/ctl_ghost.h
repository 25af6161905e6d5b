/*
 * Asks the ghost of a re-execution to do what the peers of the recorded run did (core/peer.h,
 * format/ghost_file.h).
 *
 * Schedule:  before a thread makes a call whose recorded result depends on a peer, the ghost does
 *            the steps that this call needs, and the thread waits until they are done
 *            (frt_ctl_ghost_due). So the real kernel gives the recorded answer.
 * Free:      off the schedule and after it, the ghost does its next step when no thread can run
 *            (frt_ctl_ghost_next): of the steps that may come now, the first in the recorded order.
 *            A step may come when the peer's earlier steps are over, and when the program has sent
 *            to it as many bytes as in the recorded run. Signals from other processes are steps of
 *            this kind, too.
 * Invariant: the calling thread has the turn, so there is one request at a time.
 * Failure:   a step that the ghost cannot do is a difference of the world (FR_WORLD_PEER): the
 *            result of this execution is unknown.
 */
#ifndef FRT_CTL_GHOST_H
#define FRT_CTL_GHOST_H

#include "format/ghost_file.h"
#include "runtime/core/rt.h"
#include <sys/socket.h>

/* NULL: there is no ghost. */
extern struct fr_ghost_file *frt_ctl_ghost;

bool frt_ctl_ghost_attach(const char *path);
void frt_ctl_ghost_off(void);
/* Before a call of t that is the recorded one. True: it needs a step of a peer. */
bool frt_ctl_ghost_due(struct frt_thread *t);
/* No thread can run. True: the ghost has done a step, or a signal was sent. */
bool frt_ctl_ghost_next(void);
/* True if no peer can do anything any more, whatever the program does. */
bool frt_ctl_ghost_over(void);
/* The handler of this signal begins, where the schedule has it. */
void frt_ctl_ghost_signalled(int sig);

/* ---- for core/peer.c: numbers of peers, or FR_PEER_NONE ---- */

uint32_t frt_ctl_ghost_listens(const struct sockaddr *local, socklen_t n);
/* listener: 1 + its number, 0: not known. */
uint32_t frt_ctl_ghost_accepted(struct frt_thread *t, uint32_t listener);
/* Before connect: the ghost listens, and the socket gets its recorded port. */
void frt_ctl_ghost_connects(struct frt_thread *t, int fd);
uint32_t frt_ctl_ghost_connected(struct frt_thread *t, const struct sockaddr *to, socklen_t n);
void frt_ctl_ghost_binds(struct frt_thread *t, const struct sockaddr **to, socklen_t *n,
			 struct sockaddr_storage *room);
/* A socket for datagrams has this address; a FIFO was opened. */
uint32_t frt_ctl_ghost_socket(const struct sockaddr *local, socklen_t n);
uint32_t frt_ctl_ghost_fifo(const char *path, size_t n);
void frt_ctl_ghost_sent(uint32_t peer, uint64_t n);
/* The descriptors that the recorded call of epoll found, in their order; *ret_n: their number.
   NULL: not known. */
const uint32_t *frt_ctl_ghost_order(struct frt_thread *t, uint32_t *ret_n);

#endif
