/*
 * Reads the file `peers` of a run folder (format/peers.h): what came from outside.
 */
#ifndef FR_TRACE_PEER_STEPS_H
#define FR_TRACE_PEER_STEPS_H

#include "base/err.h"
#include "base/mem.h"
#include "format/peers.h"
#include <stdbool.h>
#include <stdint.h>

/* A record; `at` is the offset of its data in the file, n their number of bytes. */
struct fr_peer_step {
	uint8_t what, type;
	uint16_t flags;
	uint32_t peer, thread;
	uint64_t hook, sent, at, n;
	int64_t result;
};

struct fr_peers {
	int fd; /* the file, open for reading */
	const uint8_t *bytes;
	uint64_t size;
	FR_VEC(struct fr_peer_step) step;
	uint32_t npeers; /* numbers below this one are in use */
	uint64_t lost;	 /* records that are missing */
};

/* Reads the file. There is none if the run has no peers: *ret is then empty, with fd = -1.
   -EBADMSG: damaged. The caller frees *ret also after an error. */
int fr_peers_read(const char *dir, struct fr_peers *ret, struct fr_err *reterr);
void fr_peers_free(struct fr_peers *p);
/* The addresses of a step that has them. */
void fr_peers_addresses(const struct fr_peers *p, const struct fr_peer_step *s,
			struct fr_peer_addresses *ret);

#endif
