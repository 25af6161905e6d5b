/*
 * A runtime for tests of the pass: keeps, for each byte of `arena`, the sequence of its reads and
 * writes, and prints it at the end. The way to record accesses must not change the
 * sequences. With MOCK_SUMMARY set, only the first and last access of a byte and the pairs of
 * accesses that follow each other: these must not change where repetitions in a loop are left out.
 * Prints "depth" if frames were not left as they were entered.
 */
#include "accesses.h"
#include <stdarg.h>
#include <stdio.h>

extern unsigned char arena[];
extern const unsigned long arena_size;

#define KEEP 256
static struct {
	unsigned n;
	char seq[KEEP];
	char first, last;
	unsigned pairs; /* which of RR, RW, WR, WW are in the sequence */
} *bytes;
static uint32_t depth;
static unsigned long events;

static void note(const void *addr, uint64_t size, int write)
{
	uintptr_t off = (uintptr_t)addr - (uintptr_t)arena;

	if (!bytes)
		bytes = calloc(arena_size, sizeof(*bytes));
	for (uint64_t i = 0; i < size; i++)
		if (off + i < arena_size) {
			unsigned n = bytes[off + i].n++;

			char c = write ? 'W' : 'R';

			if (n < KEEP)
				bytes[off + i].seq[n] = c;
			if (!n)
				bytes[off + i].first = c;
			else
				bytes[off + i].pairs |=
				    1u << ((bytes[off + i].last == 'W') * 2 + write);
			bytes[off + i].last = c;
		}
}

static void event(void)
{
	events++;
}

uint32_t mock_enter(uint32_t site)
{
	(void)site;
	return depth++;
}
void mock_leave(uint32_t d)
{
	depth = d;
}

/* What it reads is not in the arena. */
int frt_libc_printf(const char *restrict format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = vprintf(format, args);
	va_end(args);
	return r;
}

__attribute__((destructor)) static void report(void)
{
	if (depth)
		printf("depth %u\n", depth);
	for (unsigned long i = 0; bytes && i < arena_size; i++)
		if (bytes[i].n && getenv("MOCK_SUMMARY"))
			printf("%lu %c %c %x\n", i, bytes[i].first, bytes[i].last, bytes[i].pairs);
		else if (bytes[i].n)
			printf("%lu %u %.*s\n", i, bytes[i].n,
			       bytes[i].n < KEEP ? (int)bytes[i].n : KEEP, bytes[i].seq);
	fprintf(stderr, "%lu events\n", events);
}
