/*
 * Allocation that ends the process on failure, vectors, string buffers, the map.
 * A container may be used by one thread at a time. Nothing here is async-signal-safe.
 */
#include "base/mem.h"
#include "base/assert.h"
#include "base/hash.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void (*say_missing)(void *);
static void *say_arg;

void fr_mem_on_exhaustion(void (*f)(void *), void *arg)
{
	say_missing = f;
	say_arg = arg;
}

void fr_mem_exhausted(void)
{
	static _Thread_local bool again;

	if (say_missing && !again) {
		again = true;
		say_missing(say_arg);
	} else {
		fprintf(stderr, "forerun: out of memory\n");
	}
	/* Other threads may still run: skip the exit handlers. */
	_exit(3);
}

void fr_freep(void *p)
{
	free(*(void **)p);
}

void fr_closep(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = saved;
}

void fr_fclosep(void *f)
{
	FILE *file = *(FILE **)f;

	if (file)
		fclose(file);
}

/*
 * Asks for huge pages for blocks of 8 MiB and more: fewer page faults, fewer TLB misses. Failure
 * does not matter. The range covers the whole block with the allocator's header before it, because
 * mremap, which realloc uses, can move only one kind of mapping at a time.
 */
static void *want_huge_pages(void *p, size_t n)
{
	const uintptr_t page = 4096;
	uintptr_t from = (uintptr_t)p & -page, to = ((uintptr_t)p + n + page - 1) & -page;

	if (n >= (size_t)8 << 20) {
		int saved = errno;

		madvise((void *)from, to - from, MADV_HUGEPAGE);
		errno = saved;
	}
	return p;
}

void *fr_xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p)
		fr_mem_exhausted();
	return want_huge_pages(p, n);
}

void *fr_xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		fr_mem_exhausted();
	return want_huge_pages(p, n * size);
}

void *fr_xrealloc(void *p, size_t n, size_t size)
{
	void *q = reallocarray(p, n ? n : 1, size);

	if (!q)
		fr_mem_exhausted();
	return want_huge_pages(q, n * size);
}

char *fr_xstrndup(const char *s, size_t n)
{
	char *p = fr_xmalloc(n + 1);

	memcpy(p, s, n);
	p[n] = 0;
	return p;
}

char *fr_xstrdup(const char *s)
{
	return fr_xstrndup(s, strlen(s));
}

char *fr_xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		fr_mem_exhausted();
	return s;
}

char *fr_xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = fr_xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

void *fr_vec_grow_(void *v, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap ? *cap : 8;

	fr_assert(need > *cap);
	while (want < need)
		want += want / 2 + 8;
	v = fr_xrealloc(v, want, size);
	*cap = want;
	return v;
}

void fr_buf_add(struct fr_buf *b, const void *p, size_t n)
{
	if (b->n + n + 1 > b->cap)
		b->s = fr_vec_grow_(b->s, &b->cap, b->n + n + 1, 1);
	if (n)
		memcpy(b->s + b->n, p, n);
	b->n += n;
	fr_assert_slow(b->n < b->cap);
	b->s[b->n] = 0;
}

void fr_buf_puts(struct fr_buf *b, const char *s)
{
	fr_buf_add(b, s, strlen(s));
}

void fr_buf_printf(struct fr_buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	for (;;) {
		va_start(ap, fmt);
		n = vsnprintf(b->s ? b->s + b->n : NULL, b->cap - b->n, fmt, ap);
		va_end(ap);
		fr_assert(n >= 0);
		if ((size_t)n < b->cap - b->n)
			break;
		b->s = fr_vec_grow_(b->s, &b->cap, b->n + (size_t)n + 1, 1);
	}
	b->n += (size_t)n;
}

void fr_buf_free(struct fr_buf *b)
{
	free(b->s);
	*b = (struct fr_buf){0};
}

#define EMPTY UINT64_MAX

static size_t home(const struct fr_map *m, uint64_t key)
{
	return (size_t)(fr_hash_spread(key ^ key >> 29) >> 20) & (m->cap - 1);
}

uint64_t *fr_map_get(const struct fr_map *m, uint64_t key)
{
	fr_assert(key != EMPTY);
	if (!m->cap)
		return NULL;
	for (size_t i = home(m, key);; i = (i + 1) & (m->cap - 1)) {
		if (m->slot[i].key == key)
			return &m->slot[i].value;
		if (m->slot[i].key == EMPTY)
			return NULL;
	}
}

static void map_grow(struct fr_map *m)
{
	struct fr_map old = *m;

	fr_assert(!(old.cap & (old.cap - 1)) && old.n <= old.cap); /* home needs a power of two */
	m->cap = old.cap ? old.cap * 2 : 16;
	m->slot = fr_xrealloc(NULL, m->cap, sizeof(*m->slot));
	memset(m->slot, 0xff, m->cap * sizeof(*m->slot));
	m->n = 0;
	for (size_t i = 0; i < old.cap; i++)
		if (old.slot[i].key != EMPTY)
			*fr_map_put(m, old.slot[i].key) = old.slot[i].value;
	fr_assert(m->n == old.n);
	free(old.slot);
}

uint64_t *fr_map_put(struct fr_map *m, uint64_t key)
{
	size_t i;

	fr_assert(key != EMPTY);
	if (m->n * 2 >= m->cap)
		map_grow(m);
	for (i = home(m, key); m->slot[i].key != EMPTY; i = (i + 1) & (m->cap - 1))
		if (m->slot[i].key == key)
			return &m->slot[i].value;
	m->slot[i].key = key;
	m->slot[i].value = 0;
	m->n++;
	fr_assert_slow(m->n < m->cap); /* else a search for an absent key would not end */
	return &m->slot[i].value;
}

void fr_map_free(struct fr_map *m)
{
	free(m->slot);
	*m = (struct fr_map){0};
}
