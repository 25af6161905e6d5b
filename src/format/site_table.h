/*
 * The site table: what the pass knows of each instrumented place, one blob a translation unit, in
 * the section FR_SITE_SECTION of the object file. The runtime never reads it: it only tells the
 * blob's address with the first site id (FR_EV_TU), and the tool reads the blob from the ELF file.
 *
 * Layout (all little endian, offsets from the start of the blob, 8-byte aligned):
 *   struct fr_site_tu | struct fr_site[nsites] | struct fr_site_frame[nframes] | strings
 * Strings are NUL-terminated, named by their offset in the string part; 0 is "".
 */
#ifndef FR_FORMAT_SITE_TABLE_H
#define FR_FORMAT_SITE_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FR_SITE_SECTION "forerun_sites"
#define FR_SITE_MAGIC 0x53545246u /* "FRTS" */
#define FR_SITE_VERSION 2	  /* 1, in which calls have no objects, is read as well */

struct fr_site_tu {
	uint32_t magic;
	uint32_t version;
	uint32_t size; /* of the blob in bytes, this header included */
	uint32_t nsites;
	uint32_t nframes;
	uint32_t strings; /* bytes of the string part */
	uint32_t dir;	  /* string: directory of compilation */
	uint32_t hash;	  /* FNV-1a over all that follows this header */
};

enum fr_site_kind {
	FR_SITE_ACCESS,	  /* a load, store, atomic or range */
	FR_SITE_CALL,	  /* a call: where frames stand, and where wrapped functions are called */
	FR_SITE_FUNCTION, /* a function: its entry; `name` is the function */
	FR_SITE_BRANCH,	  /* a branch; `name` is a variable that its condition reads, "" if none is
			     known */
	FR_SITE_EXEC,	  /* where a function named by calls= begins or returns; `name` is it */
};

/* Site k of the blob (from 0) has id first + k. */
struct fr_site {
	uint32_t file; /* string, as the compiler was given it; 0: no debug information */
	uint32_t line;
	uint16_t column;
	uint8_t kind;	   /* enum fr_site_kind */
	uint8_t access;	   /* FR_SITE_READ | ... */
	uint32_t function; /* string: the function of the source (inlined or not) */
	uint32_t name;	/* string: variable or field path (`queue.head`, `conn->buf[]`); callee of a
			   call */
	uint32_t type;	/* string: type of what is accessed; of a call: the objects that it
			   synchronises on, see below */
	uint32_t frame; /* first of the inlined-from frames + 1, innermost first; 0: none */
	uint32_t nframes;
	uint32_t physical; /* string: the function whose machine code it is in */
};
_Static_assert(sizeof(struct fr_site) == 36, "on-disk layout: bump FR_SITE_VERSION");

/*
 * Objects of a call, one a line: a letter for the class and, if it is known, a blank and the object
 * as the source calls it (`q->lock`). Classes: L lock, C condition, S semaphore, B barrier, O once.
 * A small letter: the function was given it by its caller, whose name for it says more. A number
 * behind the letter: the name is in a global array (`forks[]`), whose elements are so many bytes.
 */

/* `function` was inlined into the function of the next frame (or, at the last, is called from) at
 * file:line. */
struct fr_site_frame {
	uint32_t function; /* the function that the call stands in */
	uint32_t file, line;
	uint32_t column;
};

#define FR_SITE_READ 0x01
#define FR_SITE_WRITE 0x02
#define FR_SITE_ATOMIC 0x04
#define FR_SITE_VOLATILE 0x08
#define FR_SITE_RANGE 0x10
#define FR_SITE_LOCAL 0x20 /* an escaping local */
#define FR_SITE_CAS 0x40   /* compares, and writes only what it expected */

/* In a header of the system or of the compiler: says nothing to the reader. */
static inline bool fr_site_of_system(const char *file)
{
	return !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9) ||
	       strstr(file, "/include/c++/");
}

#endif
