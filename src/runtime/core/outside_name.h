/*
 * Names outside of the program: files, socket addresses, shared memory and other named objects.
 *
 * Meaning:   the table holds, for each name that the program used, what the first calls showed of
 *            it: whether it existed, its type, length and first bytes. Once the program has made,
 *            changed or removed the object, what calls show is its own doing and is not added. So
 *            the table describes the world that the program found, whatever order its threads use
 *            the names in. Each new part becomes an INPUT slot (NAME). Under a schedule it is
 *            compared with what the recorded run found (ctl_name.c).
 * Identity:  a file is known by its absolute path as the program spelled it, "." and repeated
 *            slashes left out. Links and ".." make other names of the same file.
 * Not seen:  names beyond the first NAMES (the table is full), which are counted (lost_names); what
 * other processes change while the program runs; files under /proc.
 */
#ifndef FRT_OUTSIDE_NAME_H
#define FRT_OUTSIDE_NAME_H

#include "rt.h"
#include <stddef.h>
#include <sys/stat.h>

struct frt_name {
	uint64_t hash;	  /* 0: no name that is followed */
	unsigned sort;	  /* enum fr_name_sort */
	const char *text; /* what the reader is shown; need not end with a NUL within `length` */
	size_t length;
};

/* What a call showed. */
struct frt_shown {
	unsigned flags; /* FR_NAME_THERE or _ABSENT, _SIZE, _CONTENT; _CHANGED: what it did */
	bool sure;	/* THERE or ABSENT is what made it succeed: right whatever others saw */
	uint32_t size, content;
	int error; /* errno, 0: it succeeded */
};

/* The path must be readable: the kernel has accepted it, or failed with another error than EFAULT.
 */
struct frt_name frt_name_file(int dir, const char *path);
struct frt_name frt_name_text(unsigned sort, const char *name);
struct frt_name frt_name_bytes(unsigned sort, const void *bytes, size_t n);
/* Tells. Nothing if the thread is NULL or the name has no hash. Keeps errno. */
void frt_name_used(struct frt_thread *t, const struct frt_name *n, const struct frt_shown *s);
/* Would its content be news? */
bool frt_name_open_question(const struct frt_name *n);
/* SIZE and CONTENT of an open file. */
void frt_name_look(const struct frt_name *n, const struct stat *st, int fd, struct frt_shown *s);

#endif
