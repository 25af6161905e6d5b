/*
 * Keys: names for the kernel objects through which threads pass data or order each other.
 *
 * Meaning:   a key names an object of the kernel: a pipe, a connection, a port, a file, a file
 *            name, a semaphore set. A call that changes the object releases its key before the
 *            call. A call that observes the object acquires the key after the call (rt_stream.h).
 *            Two descriptors of one object have one key, however the program got them (dup, a
 *            second open, SCM_RIGHTS), because keys come from the kernel's description of the
 *            descriptor.
 * Coarse:    objects that the kernel does not tell apart share a key: signalfds, inotify and epoll
 *            instances, eventfds and timerfds whose creation the runtime did not see; files of the
 *            same name in different directories; sockets of all addresses on one port. A shared key
 *            adds order, so it can hide a bug but never causes a false report.
 * None:      FRT_KEY_NONE orders nothing. Calls on descriptors without a key still count as a hook,
 *            because standard streams differ between the recorded run and a re-execution.
 *
 * doc/kernel-order.md lists the calls, the keys that each releases and acquires, and the tests.
 */
#ifndef FRT_KERNEL_H
#define FRT_KERNEL_H

#include "rt.h"
#include <sys/socket.h>

#define FRT_KEY_NONE FR_STREAM

enum frt_key_kind {
	FRT_KEY_FILE = 1, /* pipe, FIFO, directory: device and inode */
	FRT_KEY_REGULAR,  /* regular file, POSIX message queue: device and inode */
	FRT_KEY_ANON,	  /* descriptors without an inode of their own */
	FRT_KEY_PAIR,	  /* both ends of a socket pair or connection */
	FRT_KEY_PORT,	  /* internet sockets: the port */
	FRT_KEY_NAME,	  /* file name, socket path, name of a shared object */
	FRT_KEY_FAMILY,	  /* sockets of other families */
	FRT_KEY_PTY,	  /* both ends of a pseudoterminal */
	FRT_KEY_REMOVED,  /* some name disappeared from a directory */
	FRT_KEY_SEM_UP,	  /* System V semaphores: identifier of the set */
	FRT_KEY_SEM_DOWN,
	FRT_KEY_MSG,	/* System V message queue */
	FRT_KEY_IPC,	/* System V key_t */
	FRT_KEY_AIO,	/* control block of an asynchronous operation */
	FRT_KEY_STREAM, /* lock of a FILE */
	FRT_KEY_LOADER, /* dlopen and dlclose */
};

uint64_t frt_key(enum frt_key_kind kind, uint64_t a, uint64_t b);
/* The key of a file that stat describes. */
uint64_t frt_key_inode(unsigned mode, uint64_t inode, uint64_t device);

/* True if calls on such an object never wait for another thread. */
static inline bool frt_key_quick(uint64_t key)
{
	return key & 2;
}

/* The object behind a descriptor for a call that gets data from it. */
uint64_t frt_key_in(int fd);
/* The same for a regular file, where no call waits; FRT_KEY_NONE for anything else. */
uint64_t frt_key_file(int fd);
/* The same for a call that gives data. `to` is the destination of a datagram, or NULL. */
uint64_t frt_key_out(int fd, const void *to, socklen_t n);
/* The address that a socket is bound to: other sockets connect to it. */
uint64_t frt_key_bound(int fd);
uint64_t frt_key_address(const void *address, socklen_t n);
/* The last component of a path. */
uint64_t frt_key_name(const char *path);
/* The file that a path names now; FRT_KEY_NONE if there is none. */
uint64_t frt_key_path(int dir, const char *path);

/* fd is a new eventfd or timerfd. */
void frt_key_made(int fd);
/* `to` becomes another number for the object of `from`; from = -1: for no known object. */
void frt_key_copied(int from, int to);
/* True if a release of this key must also release the key that all anonymous descriptors share. */
static inline bool frt_key_is_identity(uint64_t key)
{
	return key > FRT_KEY_NONE && !(key & 1);
}

/* These two descriptors are the ends of one connection. */
void frt_key_pair(const int end[2]);
/* Is the socket with this inode such an end? */
bool frt_key_is_pair(uint64_t inode);
/* fd is connected now: remembers its key for the time after the peer has closed. */
void frt_key_connected(int fd);

#endif
