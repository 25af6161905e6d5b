/*
 * Memory, string and signal-set functions with libc's contracts, for the runtime only (own.h).
 *
 * Invariant: built with -fno-builtin, so that the compiler does not turn a loop into a call of the
 * function that the loop implements.
 */
#define FRT_OWN_EXEMPT
#include "own.h"
#include <signal.h>
#include <stddef.h>
#include <stdint.h>

void *frt_own_memcpy(void *restrict to, const void *restrict from, size_t n);
void *frt_own_memmove(void *to, const void *from, size_t n);
void *frt_own_memset(void *to, int c, size_t n);
int frt_own_memcmp(const void *a, const void *b, size_t n);
int frt_own_bcmp(const void *a, const void *b, size_t n);
void *frt_own_memchr(const void *s, int c, size_t n);
void *frt_own_rawmemchr(const void *s, int c);
size_t frt_own_strlen(const char *s);
size_t frt_own_strnlen(const char *s, size_t max);
int frt_own_strcmp(const char *a, const char *b);
int frt_own_strncmp(const char *a, const char *b, size_t n);
char *frt_own_strchr(const char *s, int c);
char *frt_own_strncpy(char *restrict to, const char *restrict from, size_t n);
size_t frt_own_strspn(const char *s, const char *accept);
int frt_own_sigemptyset(sigset_t *set);
int frt_own_sigfillset(sigset_t *set);
int frt_own_sigaddset(sigset_t *set, int sig);
int frt_own_sigdelset(sigset_t *set, int sig);
int frt_own_sigismember(const sigset_t *set, int sig);

void *frt_own_memcpy(void *restrict to, const void *restrict from, size_t n)
{
#if defined(__x86_64__)
	void *d = to;

	__asm__ volatile("rep movsb" : "+D"(d), "+S"(from), "+c"(n) : : "memory");
#else
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
#endif
	return to;
}

void *frt_own_memmove(void *to, const void *from, size_t n)
{
	if ((uintptr_t)to - (uintptr_t)from >= n)
		return frt_own_memcpy(to, from, n);
	while (n--)
		((char *)to)[n] = ((const char *)from)[n];
	return to;
}

void *frt_own_memset(void *to, int c, size_t n)
{
#if defined(__x86_64__)
	void *d = to;

	__asm__ volatile("rep stosb" : "+D"(d), "+c"(n) : "a"(c) : "memory");
#else
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = (char)c;
#endif
	return to;
}

int frt_own_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

int frt_own_bcmp(const void *a, const void *b, size_t n)
{
	return frt_own_memcmp(a, b, n);
}

void *frt_own_memchr(const void *s, int c, size_t n)
{
	const unsigned char *p = s;

	for (size_t i = 0; i < n; i++)
		if (p[i] == (unsigned char)c)
			return (void *)(p + i);
	return NULL;
}

void *frt_own_rawmemchr(const void *s, int c)
{
	const unsigned char *p = s;

	while (*p != (unsigned char)c)
		p++;
	return (void *)p;
}

/* Reads aligned words of eight bytes: such a word never crosses a page, so reading past the end of
   the text is harmless. */
size_t frt_own_strlen(const char *s)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	const char *p = s;
	uint64_t w;

	for (; (uintptr_t)p & 7; p++)
		if (!*p)
			return (size_t)(p - s);
	for (;; p += 8) {
		__builtin_memcpy(&w, p, sizeof(w));
		if ((w - ones) & ~w & ones << 7)
			break;
	}
	while (*p)
		p++;
	return (size_t)(p - s);
}

size_t frt_own_strnlen(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n])
		n++;
	return n;
}

int frt_own_strncmp(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];

		if (x != y || !x)
			return x - y;
	}
	return 0;
}

int frt_own_strcmp(const char *a, const char *b)
{
	return frt_own_strncmp(a, b, SIZE_MAX);
}

char *frt_own_strchr(const char *s, int c)
{
	for (; *s != (char)c; s++)
		if (!*s)
			return NULL;
	return (char *)s;
}

char *frt_own_strncpy(char *restrict to, const char *restrict from, size_t n)
{
	size_t len = frt_own_strnlen(from, n);

	frt_own_memcpy(to, from, len);
	frt_own_memset(to + len, 0, n - len);
	return to;
}

size_t frt_own_strspn(const char *s, const char *accept)
{
	size_t n = 0;

	while (s[n] && frt_own_strchr(accept, s[n]))
		n++;
	return n;
}

/* ---- signals: word 0 holds all signals of Linux. glibc reserves 32 and 33 ---- */

#define WORD(set) (*(uint64_t *)(set))
#define BIT(sig) (UINT64_C(1) << (((unsigned)(sig) - 1) & 63))
#define OF_LIBC (BIT(32) | BIT(33))

int frt_own_sigemptyset(sigset_t *set)
{
	frt_own_memset(set, 0, sizeof(*set));
	return 0;
}

int frt_own_sigfillset(sigset_t *set)
{
	frt_own_memset(set, 0xff, sizeof(*set));
	WORD(set) &= ~OF_LIBC;
	return 0;
}

int frt_own_sigaddset(sigset_t *set, int sig)
{
	WORD(set) |= BIT(sig);
	return 0;
}

int frt_own_sigdelset(sigset_t *set, int sig)
{
	WORD(set) &= ~BIT(sig);
	return 0;
}

int frt_own_sigismember(const sigset_t *set, int sig)
{
	return sig > 0 && sig <= 64 && *(const uint64_t *)set & BIT(sig);
}
