/*
 * The table of names: see outside_name.h. An entry's state is one word that threads change by
 * compare-and-swap, so that a signal handler may use it at any time.
 *
 * Two calls on one name may add their results in another order than they happened. The precondition
 * of a change that succeeded is certain: a file that was created exclusively did not exist. Such a
 * call therefore corrects the entry of a call that failed because of the change (FIXED).
 */
#include "outside_name.h"
#include "runtime/control/ctl_input.h"
#include "rt_assert.h"
#include "rt_input.h"
#include "real.h"
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#define NAMES 32768 /* a power of two */
#define PROBES 64
#define CONTENT_MOST (64 << 10)

#define HERE (FR_NAME_THERE | FR_NAME_ABSENT)

/* state: flags in the low byte, then the hashes of size and content, 28 bits each. */
static struct {
	_Atomic uint64_t hash, state;
} names[NAMES];

_Static_assert(!(NAMES & (NAMES - 1)) && PROBES <= NAMES, "entry() wraps around");
_Static_assert(8 + 2 * FR_NAME_HASH_BITS == 64, "flags and two hashes fill a word");

static uint32_t size_of(uint64_t state)
{
	return (uint32_t)(state >> 8) & FR_NAME_HASH_MASK;
}

static uint32_t content_of(uint64_t state)
{
	return (uint32_t)(state >> 36);
}

/* NULL: the table is full. */
static _Atomic uint64_t *entry(uint64_t hash)
{
	frt_assert(hash); /* 0: the entry is free */
	for (uint64_t i = 0; i < PROBES; i++) {
		uint64_t at = (hash + i) % NAMES, was = 0;

		if (atomic_compare_exchange_strong(&names[at].hash, &was, hash) || was == hash)
			return &names[at].state;
	}
	return NULL;
}

/* ---- making names ---- */

/* Hashes a path without "." and repeated slashes. */
static uint64_t add_path(uint64_t h, const char *p, size_t n)
{
	for (size_t i = 0, k; i < n; i += k) {
		for (k = 0; i + k < n && p[i + k] != '/'; k++)
			;
		if (k && !(k == 1 && p[i] == '.'))
			h = fr_hash_mix(fr_hash(h, p + i, k), '/');
		k++;
	}
	return h;
}

static bool starts_with(const char *s, const char *with)
{
	while (*with && *s == *with)
		s++, with++;
	return !*with;
}

/* Writes "/proc/self/fd/" and the number of the descriptor. */
static void link_of(int fd, char *to)
{
	const char *prefix = "/proc/self/fd/";
	char digits[12];
	unsigned n = 0, v = (unsigned)fd;

	while (*prefix)
		*to++ = *prefix++;
	do
		digits[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*to++ = digits[--n];
	*to = 0;
}

/* The folder at which relative paths start; 0: not known. */
static size_t folder(int dir, char to[PATH_MAX])
{
	char link[32];
	long n;

	if (dir == AT_FDCWD) {
		n = syscall(SYS_getcwd, to, (long)PATH_MAX);
		return n > 0 ? (size_t)n - 1 : 0;
	}
	link_of(dir, link);
	n = syscall(SYS_readlink, link, to, (long)PATH_MAX);
	return n > 0 ? (size_t)n : 0;
}

struct frt_name frt_name_file(int dir, const char *path)
{
	struct frt_name r = {.kind = FR_NAME_FILE, .text = path};
	uint64_t h = FR_NAME_FILE + 1;
	char from[PATH_MAX];
	int saved = errno;

	while (r.length < PATH_MAX && path[r.length])
		r.length++;
	if (!r.length || starts_with(path, "/proc/"))
		return r;
	if (*path != '/')
		h = add_path(h, from, folder(dir, from));
	r.hash = add_path(h, path, r.length) | 1;
	errno = saved;
	return r;
}

struct frt_name frt_name_bytes(unsigned kind, const void *bytes, size_t n)
{
	return (struct frt_name){.hash = fr_hash(kind + 1, bytes, n) | 1, .kind = kind};
}

struct frt_name frt_name_text(unsigned kind, const char *name)
{
	size_t n = 0;
	struct frt_name r;

	while (*name == '/')
		name++;
	while (n < PATH_MAX && name[n])
		n++;
	r = frt_name_bytes(kind, name, n);
	r.text = name;
	r.length = n;
	return r;
}

/* ---- state of a name ---- */

static uint64_t add(uint64_t old, const struct frt_shown *s)
{
	uint64_t now = old;

	if (!(old & FR_NAME_CHANGED)) {
		if (!(old & HERE))
			now |= s->flags & HERE;
		else if (s->sure && !(old & s->flags & HERE))
			now = (now & ~(uint64_t)HERE) | (s->flags & HERE) | FR_NAME_FIXED;
		if (s->flags & FR_NAME_SIZE & ~old)
			now |= FR_NAME_SIZE | (uint64_t)(s->size & FR_NAME_HASH_MASK) << 8;
		if (s->flags & FR_NAME_CONTENT & ~old)
			now |= FR_NAME_CONTENT | (uint64_t)(s->content & FR_NAME_HASH_MASK) << 36;
	}
	return now | (s->flags & FR_NAME_CHANGED);
}

static void record_new(struct frt_thread *t, const struct frt_name *n, uint64_t old, uint64_t now)
{
	unsigned fresh = (unsigned)(now & ~old) & 0xff;

	frt_assert(now != old && n->hash);
	if (fresh & FR_NAME_FIXED)
		fresh |= now & HERE;
	if (fresh & ~(unsigned)FR_NAME_CONTENT)
		frt_input_name(t,
			       fr_name_addr(fresh & ~(unsigned)FR_NAME_CONTENT, n->kind,
					    fresh & FR_NAME_SIZE ? size_of(now) : 0),
			       n->hash);
	if (fresh & FR_NAME_CONTENT)
		frt_input_name(t, fr_name_addr(FR_NAME_CONTENT, n->kind, content_of(now)), n->hash);
}

void frt_name_used(struct frt_thread *t, const struct frt_name *n, const struct frt_shown *s)
{
	_Atomic uint64_t *state;
	uint64_t old, now;
	int saved = errno;

	if (!t || !n->hash)
		return;
	state = entry(n->hash);
	if (!state) {
		frt_count(FR_RTC_lost_names, 1);
		if (frt_controlled())
			frt_ctl_name_lost(t, n);
		errno = saved;
		return;
	}
	old = atomic_load(state);
	do
		now = add(old, s);
	while (now != old && !atomic_compare_exchange_weak(state, &old, now));
	if (now != old)
		record_new(t, n, old, now);
	if (frt_controlled())
		frt_ctl_name(t, n, (unsigned)(now & ~old) & 0xff, size_of(now), content_of(now),
			     s->error);
	errno = saved;
}

bool frt_name_open_question(const struct frt_name *n)
{
	_Atomic uint64_t *state = n->hash ? entry(n->hash) : NULL;

	return state && !(atomic_load(state) & (FR_NAME_CONTENT | FR_NAME_CHANGED));
}

/* Uses pread, so that the file's position does not move. */
static uint32_t read_some(const struct stat *st, int fd)
{
	char piece[4096];
	uint64_t h = 0;
	long n;

	for (long at = 0; at < st->st_size && at < CONTENT_MOST; at += n) {
		n = syscall(SYS_pread64, (long)fd, piece, (long)sizeof(piece), at);
		if (n <= 0)
			break;
		h = fr_hash(h, piece, (uint64_t)n);
	}
	return (uint32_t)(h >> 32);
}

void frt_name_examine(const struct frt_name *n, const struct stat *st, int fd, struct frt_shown *s)
{
	uint64_t x[2] = {st->st_mode & S_IFMT, S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0};
	int saved = errno;

	s->flags |= FR_NAME_SIZE;
	s->size = (uint32_t)(fr_hash(0, x, sizeof(x)) >> 32);
	if (fd >= 0 && S_ISREG(st->st_mode) && st->st_size && frt_name_open_question(n) &&
	    !starts_with(n->text, "/sys/") && !starts_with(n->text, "/dev/")) {
		s->flags |= FR_NAME_CONTENT;
		s->content = read_some(st, fd);
	}
	errno = saved;
}
