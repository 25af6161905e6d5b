/* Sanitizers that are linked into the program beside the runtime: see sanitizer.c. */
#ifndef FRT_SANITIZER_H
#define FRT_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

/* True if a sanitizer has its own allocator (address, leak). Its hooks then report allocations. */
extern bool frt_sanitizer_tells;

/* True if the sanitizer's own runtime called a wrapped function. It asks
   for the time with its allocator locked, and yields while it has stopped
   all other threads: such calls must not emit events or end turns. */
extern bool frt_sanitizer_there;
bool frt_sanitizer_called(const void *return_address);
#define frt_sanitizer_asks()                         \
	(__builtin_expect(frt_sanitizer_there, 0) && \
	 frt_sanitizer_called(__builtin_return_address(0)))

/* A sanitizer that cannot work beside the runtime, as -fsanitize= names it; NULL: none. */
const char *frt_sanitizer_alien(void);
/* True if the address sanitizer has found an error. It is about to end the program. */
bool frt_sanitizer_reports(void);
/* If so: reports the error to the controller. */
void frt_sanitizer_tell(void);
/* At start, when the program is recorded. Without this call the functions here do nothing. */
void frt_sanitizer_init(void);

/* True if the allocator has given p out and not got it
   back. frt_sanitizer_size is the requested size. */
bool frt_sanitizer_owns(const void *p);
size_t frt_sanitizer_size(const void *p);
/* Marks this thread's next allocation of n * size bytes as calloc's. */
void frt_sanitizer_zeroed(size_t n, size_t size);

#endif
