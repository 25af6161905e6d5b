/*
 * Implements shared_mapping.h with a table that readers use without a lock.
 *
 * Invariant: an entry is written while its end is 0: no address is below 0, so no reader uses it.
 * Not handled: more shared mappings than the table has room for (counted as not modelled); a first
 * mapping that ends before the others: its address still names the bytes.
 */
#include "shared_mapping.h"
#include "rt_assert.h"
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAPPINGS 256

static struct mapping {
	uintptr_t from, to; /* to = 0: not in use */
	uintptr_t first;    /* where the byte at `from` was mapped first */
	uint64_t object, offset;
} mappings[MAPPINGS];

uint32_t frt_aliases;
static uint32_t used;
static uint32_t locked;

static uintptr_t get(const uintptr_t *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

const void *frt_alias_find(const void *p)
{
	uintptr_t at = (uintptr_t)p;

	for (uint32_t i = 0, n = __atomic_load_n(&used, __ATOMIC_ACQUIRE); i < n; i++)
		if (at < get(&mappings[i].to) && at >= mappings[i].from)
			return (const void *)(mappings[i].first + (at - mappings[i].from));
	return p;
}

/* Held for no longer than one walk through the table. A signal handler does not map memory. */
static bool lock(void)
{
	for (unsigned i = 0; i < 1u << 20; i++)
		if (!__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

static void unlock(void)
{
	frt_assert(__atomic_load_n(&locked, __ATOMIC_RELAXED));
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}

/* The address at which the bytes from `offset` on were mapped first. Shortens *n to
   the length of that mapping. */
static uintptr_t first_of(uint64_t object, uint64_t offset, uintptr_t p, size_t *n)
{
	for (uint32_t i = 0; i < used; i++) {
		const struct mapping *m = &mappings[i];
		uint64_t end = m->offset + (m->to - m->from);

		if (!m->to || m->object != object || offset < m->offset || offset >= end)
			continue;
		if (*n > end - offset)
			*n = end - offset;
		return m->first + (uintptr_t)(offset - m->offset);
	}
	return p;
}

void frt_alias_map(const void *p, size_t n, uint64_t object, uint64_t offset)
{
	uintptr_t from = (uintptr_t)p, first;
	uint32_t i;

	if (!n || !lock())
		return;
	first = first_of(object, offset, from, &n);
	frt_assert(n && used <= MAPPINGS);
	for (i = 0; i < MAPPINGS && mappings[i].to; i++)
		;
	if (i < MAPPINGS) {
		mappings[i] = (struct mapping){
		    .from = from, .first = first, .object = object, .offset = offset};
		__atomic_store_n(&mappings[i].to, from + n, __ATOMIC_RELEASE);
		if (i >= used)
			__atomic_store_n(&used, i + 1, __ATOMIC_RELEASE);
		if (first != from)
			__atomic_fetch_add(&frt_aliases, 1, __ATOMIC_RELEASE);
	}
	unlock();
	if (i == MAPPINGS)
		frt_unmodelled("mmap of hundreds of shared files");
}

/* Pages of which frt_is_shared knows that they are private. */
#define PAGES 64
static uintptr_t private_page[PAGES];

static uintptr_t *page_at(const void *p)
{
	return &private_page[((uintptr_t)p >> 12) % PAGES];
}

static void forget_pages(void)
{
	for (uint32_t i = 0; i < PAGES; i++)
		__atomic_store_n(&private_page[i], 0, __ATOMIC_RELAXED);
}

void frt_alias_unmap(const void *p, size_t n)
{
	uintptr_t from = (uintptr_t)p;

	forget_pages();
	if (!__atomic_load_n(&used, __ATOMIC_RELAXED) || !lock())
		return;
	for (uint32_t i = 0; i < used; i++) {
		struct mapping *m = &mappings[i];

		if (!m->to || m->from < from || m->from >= from + n)
			continue;
		__atomic_store_n(&m->to, 0, __ATOMIC_RELEASE);
		if (m->first != m->from)
			__atomic_fetch_sub(&frt_aliases, 1, __ATOMIC_RELEASE);
	}
	unlock();
}

/* Reads one line of /proc/self/maps after the other: "from-to rwxs ...". */
struct maps {
	uintptr_t number[2];
	unsigned field; /* 0, 1: the numbers; 2: the permissions; 3: the rest of the line */
	bool shared;
};

/* Takes the next character. True: the line describes the mapping of this address. */
static bool next(struct maps *m, char c, uintptr_t at)
{
	unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a') + 10;

	if (c == '\n') {
		bool here = m->number[0] <= at && at < m->number[1];
		bool shared = m->shared;

		*m = (struct maps){.shared = here && shared};
		return here;
	}
	if (m->field < 2 && digit < 16)
		m->number[m->field] = m->number[m->field] << 4 | digit;
	else if (m->field == 2 && c == 's')
		m->shared = true;
	if (c == '-' && m->field == 0)
		m->field = 1;
	else if (c == ' ' && m->field < 3)
		m->field++;
	return false;
}

static bool ask_kernel(const void *p)
{
	long fd =
	    syscall(SYS_openat, (long)AT_FDCWD, "/proc/self/maps", (long)(O_RDONLY | O_CLOEXEC));
	struct maps m = {0};
	bool found = false;
	char text[1024];
	long n;

	if (fd < 0)
		return true;
	while (!found && (n = syscall(SYS_read, fd, text, sizeof(text))) > 0)
		for (long i = 0; i < n && !found; i++)
			found = next(&m, text[i], (uintptr_t)p);
	syscall(SYS_close, fd);
	return !found || m.shared;
}

bool frt_is_shared(const void *p)
{
	uintptr_t *page = page_at(p), number = (uintptr_t)p >> 12;

	if (__atomic_load_n(page, __ATOMIC_RELAXED) == number)
		return false;
	if (ask_kernel(p))
		return true;
	__atomic_store_n(page, number, __ATOMIC_RELAXED);
	return false;
}
