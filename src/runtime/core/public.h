/*
 * The functions that the program means when it calls libc by name. frt_libc_NAME passes the call on
 * to PUBLIC(NAME), so it reaches the same function as without forerun: libc's, a preloaded
 * library's, or one of an object file that forerun did not compile. A function that forerun
 * compiled is called directly (src/pass/call.c) and never comes here.
 */
#ifndef FRT_PUBLIC_H
#define FRT_PUBLIC_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

int __isoc99_sscanf(const char *restrict s, const char *restrict format, ...);
int __isoc99_vsscanf(const char *restrict s, const char *restrict format, va_list args);

/*
 * Weak: NULL in a static program that does not call it. An object file of libc.a holds several of
 * them. The linker must not pull it in for a function that the program does not use, because the
 * program may define another one. The calls that the pass redirects still refer to the function by
 * its name.
 */
/* clang-format off */
#define FRT_PUBLIC_WEAK(X)                                                                         \
	X(memcpy) X(memmove) X(memset) X(memcmp) X(bcmp) X(memchr) X(mempcpy) X(strlen) X(strnlen) \
	X(strcpy) X(stpcpy) X(strncpy) X(strcat) X(strncat) X(strcmp) X(strncmp) X(strcasecmp)     \
	X(strncasecmp) X(strchr) X(strrchr) X(strstr) X(strdup) X(strndup) X(qsort) X(strtol)      \
	X(strtoul) X(strtoll) X(strtoull) X(puts) X(fputs) X(vsprintf)             \
	X(vsnprintf) X(fwrite) X(write) X(pwrite) X(send) X(sendto) X(readv) X(writev)             \
	X(socketpair) X(close) X(shutdown) X(connect) X(pipe) X(socket)
/* Each is alone in its object file. Some stand in for their
   checked forms, and the program may call only those. */
#define FRT_PUBLIC_STRONG(X)                                                                       \
	X(atoi) X(atol) X(fgets) X(fread) X(pread) X(recv) X(recvfrom) X(vasprintf)                \
	X(__isoc99_sscanf) X(__isoc99_vsscanf)
#define FRT_PUBLIC(X) FRT_PUBLIC_WEAK(X) FRT_PUBLIC_STRONG(X)
/* clang-format on */

struct frt_public {
#define FRT_X(n) __typeof__(n) *n##_;
	FRT_PUBLIC(FRT_X)
#undef FRT_X
};

extern const struct frt_public frt_public;

#define PUBLIC(n) frt_public.n##_

#endif
