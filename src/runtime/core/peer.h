/*
 * Peers: the other ends of the program's sockets and FIFOs that are outside of the program.
 *
 * Meaning:   a table knows for each descriptor which peer it leads to. While a run is recorded, the
 *            bytes that come from a peer, and its other steps, go to the file `peers` of the run
 *            folder (format/peers.h). In a re-execution, a ghost plays these steps again
 *            (control/ctl_ghost.h), and the same table says which of them a call needs.
 * Invariant: these functions keep errno, and do nothing for calls of threads that are not recorded
 *            (t = NULL). A record has the hook that the thread's call began with.
 * Own ends:  a connection within the program has no peer: its bytes come from the program itself.
 *            The runtime knows them by the port, and by the process id behind a Unix socket.
 * Not seen:  descriptors that were open at the start or came by SCM_RIGHTS; bytes that splice and
 *            the like move; an end in a child of the program (the record says so: FR_PEER_CHILD).
 */
#ifndef FRT_PEER_H
#define FRT_PEER_H

#include "format/peers.h"
#include "rt.h"
#include <sys/socket.h>
#include <sys/uio.h>

/* Maps the file. False: nothing is kept. */
bool frt_peers_attach(const char *path);
/* In a forked child. */
void frt_peers_off(void);

/* True while peers matter. */
extern bool frt_peers;

/* After the calls; r is their result. */
void frt_peer_listens(struct frt_thread *t, int fd, int r);
void frt_peer_accepted(struct frt_thread *t, int listener, int r);
/* Around connect: pass the result of begin to end. In a re-execution, begin binds the socket to the
   port that it got in the recorded run. */
bool frt_peer_connects(struct frt_thread *t, int fd, const struct sockaddr *to, socklen_t n);
void frt_peer_connected(struct frt_thread *t, int fd, const struct sockaddr *to, socklen_t n, int r,
			bool own);
/* Around bind: *to becomes the address that the kernel chose in the recorded run, in `room`. */
void frt_peer_binds(struct frt_thread *t, int fd, const struct sockaddr **to, socklen_t *n,
		    struct sockaddr_storage *room);
void frt_peer_bound(struct frt_thread *t, int fd, const struct sockaddr *to, socklen_t n, int r);
/* Around a call that sends to an address, which may give the socket its own address. */
void frt_peer_sends_to(struct frt_thread *t, int fd, const struct sockaddr *to, socklen_t n);
void frt_peer_sent_to(struct frt_thread *t, int fd, const struct sockaddr *to, ssize_t r);
/* Around a call that opens a file, which is or may be a FIFO. */
void frt_peer_fifo_opens(struct frt_thread *t, const char *path, int flags);
void frt_peer_fifo_opened(struct frt_thread *t, uint64_t hook, const char *path, int flags, int fd);
/* r bytes came into the pieces, or r = -1. from: the sender of a datagram, or NULL. */
void frt_peer_read(struct frt_thread *t, int fd, ssize_t r, const struct iovec *v, size_t n,
		   int flags, const void *from, socklen_t nfrom);
/* The same for a call that began at this hook. */
void frt_peer_read_at(struct frt_thread *t, uint64_t hook, int fd, ssize_t r, const struct iovec *v,
		      size_t n, int flags);
/* The descriptor is ready; events: POLLIN, POLLHUP ... alone: epoll found no other. Returns whether
   that was recorded. */
bool frt_peer_ready(struct frt_thread *t, int fd, unsigned events, bool alone);
/* epoll found these descriptors, in this order. */
void frt_peer_order(struct frt_thread *t, const uint32_t *fds, size_t n);
/* r bytes were sent, or r = -1. */
void frt_peer_sent(int fd, ssize_t r);
/* `to` names what `from` names; -1: nothing known. */
void frt_peer_copied(int from, int to);
/* Bytes came that cannot be kept. */
void frt_peer_missed(int fd);
/* A handler of this signal begins; another process sent it. */
void frt_peer_signal(struct frt_thread *t, int sig);
/* Under a schedule, before a call that gets something from fd: waits until n bytes, which a peer
   has sent, have come. */
void frt_peer_await(int fd, size_t n);
/* The same for a step of this peer, or a connection to this listener. */
void frt_peer_arrived(uint32_t peer);
/* Is fd a socket for datagrams whose senders must be recorded? */
bool frt_peer_datagrams(int fd);

#endif
