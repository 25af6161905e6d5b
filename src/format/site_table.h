/*
 * The site table: the pass's knowledge of each site. The pass writes one blob for each translation
 * unit into the section FR_SITE_SECTION of the object file. The runtime never reads it: it only
 * records the blob's address with the first site id (FR_EV_TU). symbols/sites_build.c reads the
 * blob from the ELF file.
 *
 * Layout (all little endian, offsets from the start of the blob, 8-byte aligned):
 *   struct fr_site_tu | struct fr_site[nsites] | struct fr_site_frame[nframes] |
 *   struct fr_site_mark[nmarks] | struct fr_site_node[nnodes] | uint32_t[ninfluences] | strings
 * Strings are NUL-terminated and identified by their offset in the string part; 0 is "".
 */
#ifndef FR_FORMAT_SITE_TABLE_H
#define FR_FORMAT_SITE_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FR_SITE_SECTION "forerun_sites"
#define FR_SITE_MAGIC 0x53545246u /* "FRTS" */
/* Readers turn tables of version 1 (no objects of calls), 2 (no marks) and 3 (no graph of
   influence) into this one (symbols/sites_old.c). */
#define FR_SITE_VERSION 4

struct fr_site_tu {
	uint32_t magic;
	uint32_t version;
	uint32_t size; /* bytes of the blob, this header included */
	uint32_t nsites;
	uint32_t nframes;
	uint32_t strings; /* bytes of the string part */
	uint32_t dir;	  /* string: directory of compilation */
	uint32_t hash;	  /* fr_site_blob_hash */
	uint32_t nmarks;
	uint32_t nnodes;
	uint32_t ninfluences;
	uint32_t pad; /* 0 */
};
_Static_assert(sizeof(struct fr_site_tu) == 48, "on-disk layout: bump FR_SITE_VERSION");

/* FNV-1a of everything after the header, which has `header` bytes of the n. */
static inline uint32_t fr_site_hash(const void *blob, size_t header, size_t n)
{
	const uint8_t *p = (const uint8_t *)blob;
	uint32_t h = 0x811c9dc5u;

	for (size_t i = header; i < n; i++)
		h = (h ^ p[i]) * 0x01000193u;
	return h;
}

/* n: bytes of the blob, at least those of the header. */
static inline uint32_t fr_site_blob_hash(const void *blob, size_t n)
{
	return fr_site_hash(blob, sizeof(struct fr_site_tu), n);
}

enum fr_site_kind {
	FR_SITE_ACCESS,	  /* a load, store, atomic or range */
	FR_SITE_CALL,	  /* a call, of a frame of a call stack or of a wrapped function */
	FR_SITE_FUNCTION, /* the entry of a function; `name` is the function */
	FR_SITE_BRANCH,	  /* a branch; `name` is a variable that its condition reads, or "" */
	/* begin or return of a function that calls= names: `name`; without a function: a glob of
	   calls=; without a name: `type` is a property that an attribute of the source demands */
	FR_SITE_EXEC,
};

/* Site k of the blob (from 0) has id first + k. */
struct fr_site {
	uint32_t file; /* string, as the compiler was given it; 0: no debug information */
	uint32_t line;
	uint16_t column;
	uint16_t access;   /* FR_SITE_READ | ... */
	uint32_t function; /* string: the function of the source (inlined or not) */
	uint32_t name;	/* string: variable or field path (`queue.head`, `conn->buf[]`); of a call:
			   the callee */
	uint32_t type;	/* string: type of the accessed variable, and fields, see below; of a call:
			   the objects on which it synchronises, see below */
	uint32_t frame; /* 1 + first of the inlined-from frames, innermost first; 0: none */
	uint16_t nframes;
	uint8_t kind; /* enum fr_site_kind */
	uint8_t pad;
	uint32_t physical; /* string: the function whose machine code contains the site */
};
_Static_assert(sizeof(struct fr_site) == 36, "on-disk layout: bump FR_SITE_VERSION");

/*
 * Fields of an access, one a line after the type: `account.balance 40`, a record and its field, and
 * the bytes from the start of the record to the address of the access. Outer records come first.
 * Those whose start is not at a constant distance are left out.
 *
 * Objects of a call, one a line: a letter for the class and, if it is known, a blank and the
 * object's name in the source (`q->lock`). Classes: L lock, C condition, S semaphore, B barrier, O
 * once. A lower-case letter: the object is a parameter of the function, so that the caller's name
 * for it says more. A number after the letter: the object is an element of a global array
 * (`forks[]`), and the number is the size of an element in bytes. Lines that begin with @ follow an
 * object: its fields, as those of an access.
 */

/* A call at file:line in `function` that was inlined. The next frame is the call of `function`. */
struct fr_site_frame {
	uint32_t function; /* the function that contains the call */
	uint32_t file, line;
	uint32_t column;
};
_Static_assert(sizeof(struct fr_site_frame) == 16, "on-disk layout: bump FR_SITE_VERSION");

/*
 * A mark: the value read at this site decides a branch, one side of which always ends in a call
 * that fails (`abort`, `exit`, a throw, ...). A site may have several marks. They are sorted by
 * site.
 */
struct fr_site_mark {
	uint32_t site;	/* number of the site of the read */
	uint32_t fails; /* number of the site of that call */
	uint32_t test; /* string: the values that take the failing side, see below; "": not known */
};
_Static_assert(sizeof(struct fr_site_mark) == 12, "on-disk layout: bump FR_SITE_VERSION");

/*
 * A test is a list of steps, separated by blanks. Each step is a letter and a hexadecimal number N.
 * The steps change a 64-bit number, at first the value read, zero-extended. The value takes the
 * failing side if the result is not 0. site_test.h evaluates tests.
 *   + * & | ^ < > / %   add, multiply, and, or, exclusive or, shift left or right, divide,
 *			 remainder
 *   t s		 keep the N low bits, with zeros or with copies of bit N - 1 above them
 *   = l L g G		 1 if equal to N, less, less as signed numbers, greater, greater as
 *			 signed numbers; else 0
 *   o			 the number before the first o of the test is equal to N, or the result so
 *			 far is not 0
 */

/*
 * The graph of influence: for each function of the unit that the pass instruments, the effects of
 * the values that it reads. symbols/depends.h reads it and explains its use; src/pass/influence.h
 * explains how the pass makes it. Without a path from a node to another, the first does not
 * influence the second. A read whose site has no node of the kind VALUE can influence everything.
 */
enum fr_node_kind {
	FR_NODE_VALUE,	 /* the value that is read or written at a site (or both: RMW, CAS) */
	FR_NODE_EXECUTE, /* whether accesses at the sites of ... of + arg execute, how often */
	FR_NODE_PARAM,	 /* parameter arg (from 0) of a function */
	FR_NODE_RESULT,	 /* the result of a function */
	FR_NODE_CALLED,	 /* whether a function executes, and how often */
	FR_NODE_JOIN,	 /* a condition, a local variable, or another place where influences meet */
	FR_NODE_BRANCH,	 /* a branch that is not harmless, at a site */
	FR_NODE_USED,	 /* a use that cannot be followed, at a site; arg: enum fr_node_use */
	FR_NODE_KINDS,
};

/* How the value is used that reaches a node of the kind USED. */
enum fr_node_use {
	FR_USE_OTHER,	 /* in a way that the pass does not understand */
	FR_USE_ADDRESS,	 /* as the address, or the size, of an access */
	FR_USE_STORED,	 /* stored where readers cannot follow it */
	FR_USE_ARGUMENT, /* as an argument, or as the function, of a call that cannot be followed */
	FR_USE_RETURNED, /* returned to a caller that is not known */
	FR_USES,
};

/*
 * The influences of node k are those with the numbers first ... (first of node k + 1) - 1; of the
 * last node, up to ninfluences - 1. An influence is the number of the other node (24 bits), and in
 * the upper 8 bits how the value gets there, see below.
 */
struct fr_site_node {
	uint32_t
	    of; /* VALUE, EXECUTE, BRANCH, USED: number of the site, FR_NODE_NOWHERE: see below;
			PARAM, RESULT, CALLED: string, the linkage name of the function; JOIN: 0 */
	uint32_t first;
	uint16_t arg;
	uint8_t kind;  /* enum fr_node_kind */
	uint8_t flags; /* FR_NODE_INTERNAL | ... */
};
_Static_assert(sizeof(struct fr_site_node) == 12, "on-disk layout: bump FR_SITE_VERSION");

/* Of BRANCH and USED: not known, or on the line of the read that reaches it. */
#define FR_NODE_NOWHERE UINT32_MAX
#define FR_NODE_MAX (1u << 24) /* nodes of a unit */
/* Flags of PARAM, RESULT and CALLED: the function has internal linkage, so that its name means it
   only in this unit; */
#define FR_NODE_INTERNAL 0x01
/* ... (CALLED) this unit defines it, and the graph contains all its influences; */
#define FR_NODE_DEFINED 0x02
/* ... (PARAM) the argument is one of `...`: a definition uses it in ways that the graph lacks. */
#define FR_NODE_VARIADIC 0x04

/* Where the write of the second node (a VALUE) is, seen from the read of the first one (a VALUE).
   0: anywhere; FR_WHERE_SAME: at the same address as the read; else always this number of hooks
   after the read. */
#define FR_WHERE_SAME 255
static inline uint32_t fr_influence_to(uint32_t influence)
{
	return influence & (FR_NODE_MAX - 1);
}
static inline unsigned fr_influence_where(uint32_t influence)
{
	return influence >> 24;
}

#define FR_SITE_READ 0x01
#define FR_SITE_WRITE 0x02
#define FR_SITE_ATOMIC 0x04
#define FR_SITE_VOLATILE 0x08
#define FR_SITE_RANGE 0x10
#define FR_SITE_LOCAL 0x20 /* an escaping local */
#define FR_SITE_CAS 0x40   /* a compare-and-exchange */
#define FR_SITE_NUMBER \
	0x80 /* a read of a number, which the function does not turn into an address */
#define FR_SITE_POINTER 0x100 /* a read of a pointer, or of a number that becomes one */
/* ... and a null would reach a dereference, before the function compares the pointer with null; */
#define FR_SITE_DEREFERENCED 0x200
/* ... or would not, because the function compares the pointer with null first. */
#define FR_SITE_CHECKED 0x400
/* The address is the same constant of the linker in each execution: a global variable, or a fixed
   offset in it. Not thread-local. */
#define FR_SITE_FIXED 0x800
/* A read of a waiting loop: the loop does nothing but read, and the value read decides when it
   ends. A compare-and-exchange, exchange or test-and-set that takes a lock is one too, and so is a
   call that tries to take a lock. */
#define FR_SITE_WAITS 0x1000
/* A fill with zeros, or a store of more than eight bytes that are all zero. */
#define FR_SITE_ZEROES 0x2000

/* Returns whether the file is a header of the system or the compiler, which tells a reader nothing.
 */
static inline bool fr_site_of_system(const char *file)
{
	return !strncmp(file, "/usr/include/", 13) || !strncmp(file, "/usr/lib/", 9) ||
	       strstr(file, "/include/c++/");
}

#endif
