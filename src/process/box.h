/*
 * A box: namespaces of its own for a re-execution, in which the files are as they were before the
 * recorded run, and from which nothing that the program writes comes out.
 *
 * Files:   the box has its own mount namespace. An overlay lies over each folder that contains no
 *          mount point; its upper layer is a tmpfs that vanishes with the last process of the box.
 *          Then the files that the recorded run changed get back their earlier content and mode
 *          (*fixes*).
 * Network: if asked, a network namespace with nothing but loopback, which also has the addresses
 *          that the recorded run used.
 * Objects: if asked, its own message queues and System V objects.
 * Rights:  root needs no more. Any other user gets a user namespace, in which the numbers of user
 *          and group stay the same.
 *
 * fr_box_prepare chooses the mounts, and tries them once. fr_box_enter, called by the child of
 * spawn.c, makes only system calls: the child shares the memory of the tool until it executes the
 * program.
 *
 * Not in the box: files outside of all overlays (directly in a folder that contains mount points,
 * and those of /proc, /sys and /dev); process ids.
 */
#ifndef FR_PROCESS_BOX_H
#define FR_PROCESS_BOX_H

#include "base/err.h"
#include "base/mem.h"
#include "format/peers.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A file that becomes as it was. */
struct fr_box_fix {
	char *path;    /* absolute */
	uint32_t mode; /* as st_mode; 0: it is removed, with everything in it */
	int64_t mtime; /* nanoseconds since 1970 */
	int content;   /* regular file: descriptor of its content; else -1 */
	char *target;  /* symbolic link */
};

struct fr_box_layer {
	char *dir, *upper, *work, *options; /* of the overlay */
};

struct fr_box {
	bool network, objects;
	FR_VEC(struct fr_peer_address) address; /* of the private network, beside loopback */
	FR_VEC(struct fr_box_fix) fix;
	/* the rest is filled in by fr_box_prepare */
	char *top; /* where the tmpfs is mounted */
	FR_VEC(struct fr_box_layer) layer;
	bool user;
	char uid_map[40], gid_map[40];
};

/* Chooses the mounts. top: an existing folder, the run folder; while the box is being made, a tmpfs
   hides its content there. -errno with the reason: this machine allows no box, or not for all
   fixes. */
int fr_box_prepare(struct fr_box *b, const char *top, struct fr_err *reterr);
/* In the child: enters a new box. Returns 0 or -errno. */
int fr_box_enter(const struct fr_box *b);
void fr_box_free(struct fr_box *b);

/* box_fix.c: restores the files, by system calls only. Returns 0 or -errno. */
int fr_box_fix_all(const struct fr_box *b);

#endif
