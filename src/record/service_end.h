/*
 * The end of a recorded service, which does not end by itself: after some time, or when its clients
 * are quiet (--for, --until-idle). It gets SIGTERM, as from an init system, and if that does not
 * end it, SIGKILL.
 *
 * Idle:   nothing has come from outside for IDLE_S seconds, and the program has used less than a
 *         twentieth of a processor in that time. A program that listens is not idle before its
 *         first client.
 * Advice: if the user has chosen no end, and the program still listens for clients after ADVICE_S
 *         seconds, forerun says once how to end it.
 */
#ifndef FR_RECORD_SERVICE_END_H
#define FR_RECORD_SERVICE_END_H

#include "record/peer_file.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The user's choice. */
struct fr_service_end {
	double seconds; /* 0: no limit */
	bool idle;
};

struct fr_service {
	struct fr_service_end end;
	uint64_t begun;			   /* nanoseconds */
	uint64_t quiet_since, used, steps; /* state of the last look at which something had come */
	uint64_t asked;			   /* when it got SIGTERM; 0: not yet */
	bool killed, advised;
};

/* Call it often. peers: may have no file. pid: of the recorded process, 0: not known yet. Returns
   the signal to send now, 0: none. */
int fr_service_check(struct fr_service *s, const struct fr_peer_file *peers, pid_t pid);

#endif
