/*
 * The file `peers` of a run folder: what came from outside through sockets and FIFOs.
 *
 * Meaning:   a *peer* is the other end of a connection, socket or FIFO of the program. The file has
 *            a record for each step of a peer that the program saw, in the order in which it saw
 *            them. A re-execution plays these steps again (process/ghost.h).
 * Numbers:   the runtime numbers the peers, and the sockets that the program listens on, from 0.
 * Writing:   the program maps the file (runtime/core/peer.c). A thread reserves its record by
 *            adding to `used`, and stores the size last: a size of 0 ends the file. The recorder
 *            backs the file with disk space (record/peer_file.c); `reserved` counts the bytes. A
 *            record beyond `limit` is lost and counted.
 * Not kept:  connections of which both ends are in the program, and pipes that it made.
 */
#ifndef FR_FORMAT_PEERS_H
#define FR_FORMAT_PEERS_H

#include <stdint.h>

#define FR_PEERS_MAGIC UINT64_C(0x0a73726565707266) /* "frpeers\n" */
#define FR_PEERS_VERSION 1
#define FR_PEERS_LIMIT (UINT64_C(64) << 20) /* bytes */
#define FR_PEERS_MOST 65536		    /* peers of one run */
#define FR_PEER_NONE UINT32_MAX

struct fr_peers_header {
	uint64_t magic;
	uint32_t version;
	uint32_t pad;
	uint64_t limit;
	_Atomic uint64_t used;	   /* bytes in records, and this header */
	_Atomic uint64_t reserved; /* bytes that a thread may write */
	_Atomic uint32_t grown;	   /* futex: changes when `reserved` does, or can no longer */
	_Atomic uint32_t full;	   /* no more bytes can be reserved */
	_Atomic uint64_t lost;	   /* records without room, and peers without a number */
	_Atomic uint64_t steps;	   /* connections and reads */
	_Atomic uint64_t listeners;
};
_Static_assert(sizeof(struct fr_peers_header) == 72, "on-disk layout: bump FR_PEERS_VERSION");

enum fr_peer_what {
	FR_PEER_LISTEN = 1, /* the program listens; addresses: `local` */
	FR_PEER_ACCEPT,	    /* the program accepted a connection; result: number of the listener */
	FR_PEER_CONNECT,    /* the program connected; result: 0 or -errno */
	FR_PEER_BIND,	    /* the program bound a socket to a port that the kernel chose */
	FR_PEER_SOCKET,	    /* a socket for datagrams; `local`. Or a FIFO: its path in `local` */
	FR_PEER_READ,	    /* result: bytes, which follow; 0: the end; or -errno */
	FR_PEER_PEEK,	    /* the same, but the bytes stay there */
	FR_PEER_READY,	    /* poll or the like found something; result: POLLIN, POLLHUP ... */
	FR_PEER_FAIL,	    /* the program could not send; result: -errno */
	FR_PEER_SIGNAL,	    /* a signal from another process; result: its number; no peer */
	FR_PEER_ORDER,	    /* what epoll found; result: number of descriptors of 32 bits */
	FR_PEER_WHATS
};

#define FR_PEER_OWN 1	 /* the other end is in the program, too */
#define FR_PEER_CHILD 2	 /* the other end may be in a child of the program */
#define FR_PEER_FROM 4	 /* a datagram: struct fr_peer_address of the sender, then the bytes */
#define FR_PEER_ALONE 16 /* READY: epoll found only this descriptor; `sent`: its number */
#define FR_PEER_WRITES 8 /* the program opened the FIFO for writing only */
/* ACCEPT: a thread of the program may have been connecting. Its CONNECT may come later: if that has
   FR_PEER_OWN and the same port, both ends are in the program. */
#define FR_PEER_UNSURE 32

struct fr_peer_record {
	_Atomic uint32_t size; /* all of it, a multiple of 8 */
	uint8_t what;	       /* enum fr_peer_what */
	uint8_t type;	       /* of the socket: SOCK_STREAM ...; 0: a FIFO */
	uint16_t flags;
	uint32_t peer;	 /* number, or FR_PEER_NONE */
	uint32_t thread; /* pool id */
	uint64_t hook;	 /* of the thread */
	int64_t result;
	uint64_t sent; /* bytes that the program had sent to the peer before */
};
_Static_assert(sizeof(struct fr_peer_record) == 40, "on-disk layout: bump FR_PEERS_VERSION");

/* An address of a socket, as the kernel gives it; of a FIFO, its path. */
struct fr_peer_address {
	uint16_t len; /* 0: none */
	uint8_t bytes[254];
};
/* The data of LISTEN, ACCEPT, CONNECT, BIND and SOCKET. */
struct fr_peer_addresses {
	struct fr_peer_address local, remote;
};
_Static_assert(sizeof(struct fr_peer_addresses) == 512, "on-disk layout: bump FR_PEERS_VERSION");

#endif
