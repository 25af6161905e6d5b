/*
 * A runtime for tests of the pass: notes which bytes of named objects are recorded as read or
 * written in each segment of a run (touch.h), and at which sites, and prints them:
 *
 *	SEGMENT NUMBER r|w OBJECT FIRST-LAST ...
 *
 * invented.py compares what two builds of one program print.
 */
#include "touch.h"
#include "../mock/accesses.h"
#include <stdio.h>

#define OBJECTS 256
static struct object {
	const char *name;
	const unsigned char *at;
	unsigned long size;
	unsigned char *seen; /* of each byte: bit 0 read, bit 1 written */
} object[OBJECTS];
static unsigned objects;

static void note(const void *addr, uint64_t size, int write)
{
	for (unsigned k = 0; k < objects; k++) {
		struct object *o = &object[k];
		uintptr_t from = (uintptr_t)addr, to = from + size, start = (uintptr_t)o->at;

		if (from < start)
			from = start;
		if (to > start + o->size)
			to = start + o->size;
		for (; from < to; from++)
			o->seen[from - start] |= (unsigned char)(1 << write);
	}
}

void touch_object(const char *name, const void *at, unsigned long size)
{
	struct object *o = object;

	while (o < object + objects && strcmp(o->name, name))
		o++;
	if (o == object + OBJECTS)
		abort();
	objects += o == object + objects;
	free(o->seen);
	*o = (struct object){name, at, size, calloc(size, 1)};
}

void touch_end(const char *segment, long number)
{
	for (unsigned k = 0; k < objects; k++)
		for (int write = 0; write < 2; write++) {
			struct object *o = &object[k];
			int any = 0;

			for (unsigned long i = 0; i < o->size; i++) {
				unsigned long from = i;

				while (i < o->size && o->seen[i] >> write & 1)
					i++;
				if (i == from)
					continue;
				if (!any++)
					printf("%s %ld %c %s", segment, number, "rw"[write],
					       o -> name);
				printf(" %lu-%lu", from, i - 1);
			}
			if (any)
				printf("\n");
		}
	for (unsigned k = 0; k < objects; k++)
		memset(object[k].seen, 0, object[k].size);
}

int touch_number(int n)
{
	return n;
}

void touch_fill(void *at, unsigned long size, unsigned seed)
{
	for (unsigned long i = 0; i < size; i++) {
		seed = seed * 1103515245u + 12345u;
		((unsigned char *)at)[i] = (unsigned char)(i % 4 ? 0 : seed >> 20 & 127);
	}
}

/* ---- hooks ---- */

static void event(void)
{
}

/* Atomic accesses are no plain ones, and order is no matter here. */
void frt_h_atomic_load(const void *a, uint64_t v, uint32_t aux, uint32_t s)
{
	(void)a, (void)v, (void)aux, (void)s;
}
void frt_h_atomic_store(const void *a, uint64_t v, uint32_t aux, uint32_t s)
{
	(void)a, (void)v, (void)aux, (void)s;
}
void frt_h_atomic_rmw(const void *a, uint64_t o, uint64_t n, uint32_t aux, uint32_t op, uint32_t s)
{
	(void)a, (void)o, (void)n, (void)aux, (void)op, (void)s;
}
void frt_h_atomic_cas(const void *a, uint64_t o, uint64_t d, uint32_t aux, uint32_t ok, uint32_t s)
{
	(void)a, (void)o, (void)d, (void)aux, (void)ok, (void)s;
}
void frt_h_fence(uint32_t aux, uint32_t s)
{
	(void)aux, (void)s;
}
uint32_t mock_enter(uint32_t site)
{
	(void)site;
	return 0;
}
void mock_leave(uint32_t d)
{
	(void)d;
}

/* ---- libc, as far as the programs use it: the bytes that the runtime records ---- */

void *frt_libc_memcpy(void *to, const void *from, size_t n)
{
	note(to, n, 1), note(from, n, 0);
	return memcpy(to, from, n);
}
void *frt_libc_memmove(void *to, const void *from, size_t n)
{
	note(to, n, 1), note(from, n, 0);
	return memmove(to, from, n);
}
void *frt_libc_memset(void *to, int c, size_t n)
{
	note(to, n, 1);
	return memset(to, c, n);
}
int frt_libc_memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;
	size_t i = 0;

	while (i < n && x[i] == y[i])
		i++;
	note(a, i < n ? i + 1 : n, 0), note(b, i < n ? i + 1 : n, 0);
	return memcmp(a, b, n);
}
int frt_libc_bcmp(const void *a, const void *b, size_t n)
{
	return frt_libc_memcmp(a, b, n);
}
size_t frt_libc_strlen(const char *s)
{
	note(s, strlen(s) + 1, 0);
	return strlen(s);
}
int frt_libc_strncmp(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	while (i < n && a[i] && a[i] == b[i])
		i++;
	note(a, i < n ? i + 1 : n, 0), note(b, i < n ? i + 1 : n, 0);
	return strncmp(a, b, n);
}
int frt_libc_strcmp(const char *a, const char *b)
{
	return frt_libc_strncmp(a, b, (size_t)-1);
}
char *frt_libc_strchr(const char *s, int c)
{
	char *r = strchr(s, c);

	note(s, r ? (size_t)(r - s) + 1 : strlen(s) + 1, 0);
	return r;
}
void *frt_libc_memchr(const void *s, int c, size_t n)
{
	const char *r = memchr(s, c, n);

	note(s, r ? (size_t)(r - (const char *)s) + 1 : n, 0);
	return (void *)r;
}
char *frt_libc_strcpy(char *to, const char *from)
{
	note(to, strlen(from) + 1, 1), note(from, strlen(from) + 1, 0);
	return strcpy(to, from);
}
