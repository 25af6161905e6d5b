/*
 * The ghost file: shared memory between a re-executed program, its ghost (process/ghost.h) and the
 * tool. confirm/ghost_file_build.c makes it from the file `peers` of the run folder (peers.h).
 *
 * Layout:  header | threads | calls | actions | peers | pieces | descriptors; each part at its
 *          offset.
 * Actions: the steps of all peers in the recorded order.
 * Calls:   what the peers must have done before a call of the program, by thread and hook.
 * Mailbox: the thread that has the turn writes a request, increments `asked` and waits for
 *          `answered`, both futexes. The ghost answers when it has done its step.
 * The file exists only while the program runs. All parts are built together, so no other version
 * is ever read.
 */
#ifndef FR_FORMAT_GHOST_FILE_H
#define FR_FORMAT_GHOST_FILE_H

#include "peers.h"

#define FR_GHOST_MAGIC UINT64_C(0x317473686f677266) /* "frghost1" */

enum fr_ghost_do {
	FR_GHOST_OPEN = 1, /* connects to the program */
	FR_GHOST_LISTEN,   /* listens where the program is about to connect */
	FR_GHOST_SEND,	   /* has sent `upto` bytes in all, or this number of datagrams */
	FR_GHOST_END,	   /* sends no more; upto = 1: and has closed the connection */
	FR_GHOST_RESET,	   /* breaks the connection */
	FR_GHOST_SIGNAL,   /* the program itself sends it; upto: its number */
	FR_GHOST_BIND,	   /* calls only: the address that the kernel chose */
};

/* The calls of a thread of the control file. */
struct fr_ghost_thread {
	uint32_t first, n;
};

struct fr_ghost_call {
	uint64_t hook;
	uint64_t upto; /* ORDER: the first of its descriptors */
	uint32_t peer; /* ORDER: number of descriptors */
	uint16_t does; /* enum fr_ghost_do */
	uint16_t what; /* enum fr_peer_what: the call */
};

struct fr_ghost_action {
	uint64_t upto;
	uint64_t sent; /* not before the program has sent this number of bytes to the peer */
	uint32_t peer; /* SIGNAL: FR_PEER_NONE */
	uint16_t does;
	_Atomic uint16_t over; /* SIGNAL: the program has handled it */
};

/* Bytes of a peer in the file `peers`. */
struct fr_ghost_piece {
	uint64_t offset; /* in the file */
	uint64_t n;
	uint64_t from; /* datagrams: offset of the sender's address, 0: none */
};

struct fr_ghost_peer {
	uint8_t what; /* enum fr_peer_what that began it */
	uint8_t type;
	uint16_t flags;
	uint32_t listener; /* of ACCEPT */
	uint32_t piece, npieces;
	struct fr_peer_addresses address;
	/* ---- written by the ghost ---- */
	_Atomic uint32_t opened; /* position among all that were opened, from 1 */
	_Atomic uint32_t ended;	 /* 1: sends no more; 2: closed */
	_Atomic uint64_t delivered;
	/* ---- written by the program ---- */
	_Atomic uint32_t used; /* the program has accepted or connected it, or listens */
	uint32_t pad;
	_Atomic uint64_t sent;
};

enum fr_ghost_state { FR_GHOST_NEW, FR_GHOST_READY, FR_GHOST_FAILED };

struct fr_ghost_file {
	uint64_t magic, size;
	uint32_t nthreads, ncalls, nactions, npeers, npieces, nfds;
	uint64_t threads_off, calls_off, actions_off, peers_off, pieces_off, fds_off;
	char folder[1024];		     /* the program's working folder */
	_Alignas(64) _Atomic uint32_t state; /* futex */
	_Atomic uint32_t asked, answered;    /* futexes */
	uint32_t does, peer;		     /* the request */
	uint64_t upto;
	int32_t result; /* 0 or -errno */
};

static inline struct fr_ghost_thread *fr_ghost_threads(struct fr_ghost_file *g)
{
	return (struct fr_ghost_thread *)((char *)g + g->threads_off);
}
static inline struct fr_ghost_call *fr_ghost_calls(struct fr_ghost_file *g)
{
	return (struct fr_ghost_call *)((char *)g + g->calls_off);
}
static inline struct fr_ghost_action *fr_ghost_actions(struct fr_ghost_file *g)
{
	return (struct fr_ghost_action *)((char *)g + g->actions_off);
}
static inline struct fr_ghost_peer *fr_ghost_peers(struct fr_ghost_file *g)
{
	return (struct fr_ghost_peer *)((char *)g + g->peers_off);
}
static inline uint32_t *fr_ghost_fds(struct fr_ghost_file *g)
{
	return (uint32_t *)((char *)g + g->fds_off);
}
static inline struct fr_ghost_piece *fr_ghost_pieces(struct fr_ghost_file *g)
{
	return (struct fr_ghost_piece *)((char *)g + g->pieces_off);
}

#endif
