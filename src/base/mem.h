/*
 * Containers and allocation, and the entry to the module `base`, which every other part of the tool
 * uses. The runtime does not use it: it may neither allocate nor print.
 *
 * Allocation never returns NULL. When memory runs out, the fr_x* functions print a message, or call
 * the function of fr_mem_on_exhaustion for that, and end the process with status 3. So a command
 * saves its results while it works. A size that comes from an input must be checked against that
 * input before it is allocated.
 *
 * All containers start as all zero bytes and belong to one thread at a time:
 *   FR_VEC(T)       a vector of T
 *   struct fr_buf   a string that grows
 *   struct fr_map   a hash map from 64-bit keys to 64-bit values
 * Local variables free themselves on return with FR_CLEANUP; fr_steal keeps the value.
 *
 * The other headers of base:
 *   assert.h     invariants as code
 *   debug.h      a log for those who work on forerun
 *   err.h        errors: a code and a message, returned up to the command that prints it
 *   message.h    messages for the user on standard error; exit statuses
 *   escape.h     escapes text from outside before it is printed
 *   term.h       colours, numbers and progress on a terminal; the monotonic clock
 *   opt.h        command-line options from a table
 *   interrupt.h  SIGINT, SIGTERM and SIGHUP as flags
 *   crew.h       worker threads for a number of tasks
 *   io.h         reading, writing and mapping files
 *   dir.h        files of run folders, which other users may have prepared
 *   output.h     files and folders that the user names as outputs
 *   json.h       JSON writer (json_write.c) and reader
 *   json_fields.h  fields of JSON records, for both directions
 *   lines.h      the lines of a text
 *   names.h      tables of names
 *   hash.h       hashes of bytes and texts
 *   crc32c.h     checksum of trace blocks
 *   sha256.h     SHA-256 and HMAC
 */
#ifndef FR_BASE_MEM_H
#define FR_BASE_MEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define FR_CLEANUP(f) __attribute__((cleanup(f)))

/* Returns the pointer and clears the variable, so that its FR_CLEANUP frees nothing. */
#define fr_steal(p)                            \
	({                                     \
		__typeof__(p) fr_stolen = (p); \
		(p) = NULL;                    \
		fr_stolen;                     \
	})

#define fr_min(a, b)                       \
	({                                 \
		__typeof__(a) fr_a = (a);  \
		__typeof__(b) fr_b = (b);  \
		fr_a < fr_b ? fr_a : fr_b; \
	})
#define fr_max(a, b)                       \
	({                                 \
		__typeof__(a) fr_a = (a);  \
		__typeof__(b) fr_b = (b);  \
		fr_a > fr_b ? fr_a : fr_b; \
	})
/* Bisection: returns the first index i < n for which the expression `before` is false, n if there
   is none. `before` must be true up to some index and false from there on. */
#define fr_bisect(n, i, before)                                     \
	({                                                          \
		size_t fr_low = 0, fr_high = (n);                   \
		while (fr_low < fr_high) {                          \
			size_t i = fr_low + (fr_high - fr_low) / 2; \
			if (before)                                 \
				fr_low = i + 1;                     \
			else                                        \
				fr_high = i;                        \
		}                                                   \
		fr_low;                                             \
	})
#define fr_array_size(a) (sizeof(a) / sizeof((a)[0]))

void fr_freep(void *p);	  /* void ** */
void fr_closep(int *fd);  /* closes unless negative, sets it to -1, keeps errno */
void fr_fclosep(void *f); /* FILE ** */

/* End the process with a message when there is no memory. */
void *fr_xmalloc(size_t n);
void *fr_xcalloc(size_t n, size_t size);
void *fr_xrealloc(void *p, size_t n, size_t size);
/* Sets the function that prints the missing results, and a remedy. Any thread calls it when it has
   no memory; then the process ends. NULL: the message only says that memory ran out. Set it while
   no other thread runs. */
void fr_mem_on_exhaustion(void (*f)(void *), void *arg);
/* Ends the process as a failed allocation does. */
_Noreturn void fr_mem_exhausted(void);
char *fr_xstrdup(const char *s);
char *fr_xstrndup(const char *s, size_t n);
char *fr_xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *fr_xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* A vector of T: struct { T *v; size_t n, cap; }, all zero at first. */
#define FR_VEC(T)              \
	struct {               \
		T *v;          \
		size_t n, cap; \
	}
void *fr_vec_grow_(void *v, size_t *cap, size_t need, size_t size);
/* Makes room for k more elements. */
#define fr_vec_reserve(vec, k)                                                                    \
	((vec)->n + (k) > (vec)->cap                                                              \
	     ? (void)((vec)->v =                                                                  \
			  fr_vec_grow_((vec)->v, &(vec)->cap, (vec)->n + (k), sizeof(*(vec)->v))) \
	     : (void)0)
#define fr_vec_push(vec, ...)                         \
	do {                                          \
		fr_vec_reserve(vec, 1);               \
		(vec)->v[(vec)->n++] = (__VA_ARGS__); \
	} while (0)
#define fr_vec_free(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)
#define FR_VEC_FOREACH(p, vec) \
	for (__typeof__((vec)->v + 0) p = (vec)->v; p < (vec)->v + (vec)->n; p++)

/* A string that grows. NUL-terminated after the first addition; NULL before. */
struct fr_buf {
	char *s;
	size_t n, cap;
};
/* Append n bytes, a string, or the result of printf. */
void fr_buf_add(struct fr_buf *b, const void *p, size_t n);
void fr_buf_puts(struct fr_buf *b, const char *s);
void fr_buf_printf(struct fr_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void fr_buf_free(struct fr_buf *b);

/* A map from 64-bit keys to 64-bit values. UINT64_MAX is not a valid key. */
struct fr_map {
	struct fr_map_slot {
		uint64_t key, value;
	} *slot;
	size_t n, cap;
};
/* Returns the value of a key, NULL if it is absent. The pointer is valid until the next put. */
uint64_t *fr_map_get(const struct fr_map *m, uint64_t key);
/* The same, but adds an absent key with value 0. */
uint64_t *fr_map_put(struct fr_map *m, uint64_t key);
void fr_map_free(struct fr_map *m);

#endif
