/*
 * A runtime for tests of the pass: keeps, for each byte of `arena`, the sequence of its reads and
 * writes, and prints it at the end. Whatever way accesses are recorded in, the sequences must not
 * change. With MOCK_SUMMARY set, only the first and last access of a byte and the pairs of accesses
 * that follow each other: what must not change where repetitions in a loop are left out. Prints
 * "depth" if frames were not left as they were entered.
 */
#include "format/hook_abi.h"
#include "runtime/core/rt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern unsigned char arena[];
extern const unsigned long arena_size;

/* Recording is on. */
_Thread_local struct frt_thread *frt_self = (struct frt_thread *)1;

#define KEEP 256
static struct {
	unsigned n;
	char seq[KEEP];
	char first, last;
	unsigned pairs; /* which of RR, RW, WR, WW are in the sequence */
} *bytes;
static uint32_t depth;
static unsigned long events;

static void touch(const void *addr, uint64_t size, int write)
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

void mock_access(const void *addr, uint64_t size, int write, uint32_t site)
{
	(void)site;
	events++;
	touch(addr, size, write);
}

static void strided(const void *base, uint64_t count, int64_t stride, uint32_t elem, int write)
{
	events++;
	for (uint64_t i = 0; i < count; i++)
		touch((const char *)base + (int64_t)i * stride, elem, write);
}

void frt_h_stride_read(const void *base, uint64_t count, int64_t stride, uint32_t elem,
		       uint32_t site)
{
	(void)site;
	strided(base, count, stride, elem, 0);
}
void frt_h_stride_write(const void *base, uint64_t count, int64_t stride, uint32_t elem,
			uint32_t site)
{
	(void)site;
	strided(base, count, stride, elem, 1);
}
void frt_h_read16(const void *a, uint64_t lo, uint64_t hi, uint32_t s)
{
	(void)lo, (void)hi;
	mock_access(a, 16, 0, s);
}
void frt_h_write16(const void *a, uint64_t lo, uint64_t hi, uint32_t s)
{
	(void)lo, (void)hi;
	mock_access(a, 16, 1, s);
}
void frt_h_read_u(const void *a, uint64_t v, uint32_t s, uint32_t size)
{
	(void)v;
	mock_access(a, size, 0, s);
}
void frt_h_write_u(const void *a, uint64_t v, uint32_t s, uint32_t size)
{
	(void)v;
	mock_access(a, size, 1, s);
}
void frt_h_range_read(const void *a, uint64_t n, uint32_t s)
{
	mock_access(a, n, 0, s);
}
void frt_h_range_write(const void *a, uint64_t n, uint32_t s)
{
	mock_access(a, n, 1, s);
}
void frt_h_stack_free(const void *a, uint64_t n, uint32_t s)
{
	(void)a, (void)n, (void)s;
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

void frt_register_unit(const void *blob, uint32_t *base, uint32_t nsites, uint32_t abi)
{
	(void)nsites;
	if (memcmp(blob, "FRTS", 4) || abi != FRT_ABI)
		abort();
	*base = 1;
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
