/* A sanitizer that is linked into the program beside us: see sanitizer.c. */
#ifndef FRT_SANITIZER_H
#define FRT_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

/* Is there one with an allocator of its own (address, leak)? Then it tells of its allocations. */
extern bool frt_sanitizer_tells;

/*
 * Is a call of a wrapped function that of the sanitizer's own runtime? It asks for the time with
 * its allocator locked, and yields while it has stopped all other threads: no events, no turns
 * there.
 */
extern bool frt_sanitizer_there;
bool frt_sanitizer_called(const void *return_address);
#define frt_sanitizer_asks()                         \
	(__builtin_expect(frt_sanitizer_there, 0) && \
	 frt_sanitizer_called(__builtin_return_address(0)))

/* One that cannot be used beside us, as -fsanitize= names it; NULL: none. */
const char *frt_sanitizer_alien(void);
/* Has that of addresses found an error? It is about to end the program. */
bool frt_sanitizer_reports(void);
/* At start, when the program is recorded. Before it and without: nothing. */
void frt_sanitizer_init(void);

/* Has the allocator given it out, and not got it back? Then: how much was asked for. */
bool frt_sanitizer_owns(const void *p);
size_t frt_sanitizer_size(const void *p);
/* This thread's next allocation of n * size bytes is calloc's. */
void frt_sanitizer_zeroed(size_t n, size_t size);

#endif
