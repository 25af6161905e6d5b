/*
 * Names outside of the program: files, socket addresses, shared memory and other named objects.
 *
 * Meaning:   for each name that the program used, the table holds the facts that the first calls
 *            showed: whether the object existed, its type, length and first bytes. After the
 *            program has made, changed or removed the object, its calls only show its own changes;
 *            the table ignores these. So the table describes the world that the program found, in
 *            whatever order its threads use the names. Each new part becomes an INPUT slot (NAME).
 *            Under a schedule it is compared with the recorded run (ctl_outside.c).
 * Identity:  a file is known by its absolute path as the program spelled it, without "." and
 *            repeated slashes. Links and ".." make other names of the same file.
 * Not seen:  names beyond the first NAMES, when the table is full (counted as lost_names); changes
 *            by other processes while the program runs; files under /proc.
 */
#ifndef FRT_OUTSIDE_NAME_H
#define FRT_OUTSIDE_NAME_H

#include "rt.h"
#include <stddef.h>
#include <sys/stat.h>

struct frt_name {
	uint64_t hash;	  /* 0: the name is not followed */
	unsigned kind;	  /* enum fr_name_kind */
	const char *text; /* text for the report; need not end with a NUL within `length` */
	size_t length;
};

/* The facts that a call showed about a name. */
struct frt_shown {
	/* FR_NAME_THERE or _ABSENT, _SIZE, _CONTENT; _CHANGED: the call changed the object */
	unsigned flags;
	/* the call succeeded because of THERE or ABSENT: true whatever other threads saw */
	bool sure;
	uint32_t size, content;
	int error; /* errno, 0: the call succeeded */
};

/* The path must be readable: the kernel accepted it or failed with another error than EFAULT. */
struct frt_name frt_name_file(int dir, const char *path);
struct frt_name frt_name_text(unsigned kind, const char *name);
struct frt_name frt_name_bytes(unsigned kind, const void *bytes, size_t n);
/* Adds the facts that a call showed. Does nothing if t is NULL or the name has no hash. Keeps
   errno. */
void frt_name_used(struct frt_thread *t, const struct frt_name *n, const struct frt_shown *s);
/* True if the table does not know the content yet. */
bool frt_name_open_question(const struct frt_name *n);
/* Fills in SIZE and CONTENT of an open file. */
void frt_name_examine(const struct frt_name *n, const struct stat *st, int fd, struct frt_shown *s);

#endif
