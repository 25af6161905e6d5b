/*
 * Memory and cleanup: allocation that dies with a message, attributes that free on return, typed
 * vectors. A size that comes from an input must be checked against that input first.
 */
#ifndef FR_BASE_MEM_H
#define FR_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define FR_CLEANUP(f) __attribute__((cleanup(f)))

/* Takes a pointer out of a variable that would be freed on return. */
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
/* Bisection: the first of n indices for which `before` does not hold, an expression in `i` that
   holds up to some index and not from there on; n if it always does. */
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
void fr_closep(int *fd);  /* closes if not negative, which it is then; keeps errno */
void fr_fclosep(void *f); /* FILE ** */

/* Die with a message when there is no memory. */
void *fr_xmalloc(size_t n);
void *fr_xcalloc(size_t n, size_t size);
void *fr_xrealloc(void *p, size_t n, size_t size);
/* To be called once before that, by one thread, while others that find no memory wait; NULL:
   nothing. It may allocate: if that fails too, it is over. */
void fr_mem_on_exhaustion(void (*f)(void));
/* Calls f(arg). False if there was not enough memory: f was left in the middle, and what it had
   allocated is lost unless arg leads to it. */
bool fr_mem_try(void (*f)(void *), void *arg);
/* What happens then: calls it, prints the message, ends with status 3. */
void fr_mem_exhausted(void);
char *fr_xstrdup(const char *s);
char *fr_xstrndup(const char *s, size_t n);
char *fr_xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A vector of T: struct { T *v; size_t n, cap; }, all zero at first. */
#define FR_VEC(T)              \
	struct {               \
		T *v;          \
		size_t n, cap; \
	}
void *fr_vec_grow_(void *v, size_t *cap, size_t need, size_t size);
/* Room for k more. */
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

/* A string that grows; always NUL-terminated once something was added. */
struct fr_buf {
	char *s;
	size_t n, cap;
};
void fr_buf_add(struct fr_buf *b, const void *p, size_t n);
void fr_buf_puts(struct fr_buf *b, const char *s);
void fr_buf_printf(struct fr_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void fr_buf_free(struct fr_buf *b);

/* A map from 64-bit keys to 64-bit values. Any key but UINT64_MAX. */
struct fr_map {
	struct fr_map_slot {
		uint64_t key, value;
	} *slot;
	size_t n, cap;
};
/* The value of a key, NULL if it is not there. Valid until the next put. */
uint64_t *fr_map_get(const struct fr_map *m, uint64_t key);
/* The same, with the key added (value 0) if it is not there. */
uint64_t *fr_map_put(struct fr_map *m, uint64_t key);
void fr_map_free(struct fr_map *m);

#endif
