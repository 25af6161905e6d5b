/*
 * Mappings that the program itself makes; libc's own do not come here. Sizes are whole pages. A
 * fixed mapping over others ends the life of the memory there.
 * Not handled: protection (mprotect), brk and sbrk.
 */
#include "runtime/core/shared_mapping.h"
#include "runtime/control/ctl.h"
#include "runtime/control/ctl_freed.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <stdarg.h>
#include <sys/syscall.h>

/* The runtime's own calls have `busy` or `in_wrapper` set. */
static struct frt_thread *recorded(void)
{
	struct frt_thread *t = frt_self;

	return t && !t->in_wrapper && !t->busy ? t : NULL;
}

static size_t pages(size_t n)
{
	return (n + 4095) & ~(size_t)4095;
}

static void mapped(void *p, size_t n, enum fr_mem how)
{
	struct frt_thread *t = recorded();

	if (t && p != MAP_FAILED)
		frt_sync_ext(t, FR_EV_ALLOC, how, p, pages(n), 0);
}

/* Other mappings of the same bytes may exist, now or later. */
static void shares(const void *p, size_t n, int fd, off_t offset)
{
	int saved = errno;
	struct stat st;

	if (recorded() && p != MAP_FAILED && REAL(fstat)(fd, &st) == 0)
		frt_alias_map(p, pages(n), fr_hash_mix(fr_hash_mix(0, st.st_dev), st.st_ino),
			      (uint64_t)offset);
	errno = saved;
}

static void unmapping(struct frt_thread *t, void *p, size_t n)
{
	frt_alias_unmap(p, pages(n));
	frt_shadow_forget(t, p, pages(n));
	frt_ctl_frees(t, pages(n));
	frt_sync_ext(t, FR_EV_FREE, FR_MEM_MMAP, p, pages(n), 0);
}

void *frt_wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	struct frt_thread *t = recorded();
	void *p;

	if (t && (flags & MAP_FIXED) && (flags & MAP_FIXED_NOREPLACE) != MAP_FIXED_NOREPLACE && n)
		unmapping(t, at, n);
	p = REAL(mmap)(at, n, prot, flags, fd, offset);
	mapped(p, n, flags & MAP_ANONYMOUS ? FR_MEM_ANON : FR_MEM_MMAP);
	if (!(flags & MAP_ANONYMOUS) && flags & MAP_SHARED)
		shares(p, n, fd, offset);
	/* The mapping shows what other threads wrote into the file. */
	if (recorded() && p != MAP_FAILED && !(flags & MAP_ANONYMOUS))
		frt_stream_got(frt_self, fd);
	return p;
}

void *frt_wrap_mmap64(void *at, size_t n, int prot, int flags, int fd, off64_t offset)
{
	return frt_wrap_mmap(at, n, prot, flags, fd, (off_t)offset);
}

int frt_wrap_munmap(void *p, size_t n)
{
	struct frt_thread *t = recorded();
	int r = 0;

	if (!t || !n || ((uintptr_t)p & 4095))
		return REAL(munmap)(p, n);
	frt_ctl_hold(t);
	unmapping(t, p, n);
	if (frt_ctl_keeps(t))
		frt_ctl_keep_pages(p, pages(n));
	else
		r = REAL(munmap)(p, n);
	frt_ctl_settle(NULL);
	return r;
}

void *frt_wrap_mremap(void *old, size_t had, size_t n, int flags, ...)
{
	struct frt_thread *t = recorded();
	bool moves = flags & MREMAP_MAYMOVE;
	void *to = NULL, *p;
	va_list args;

	if (flags & MREMAP_FIXED) {
		va_start(args, flags);
		to = va_arg(args, void *);
		va_end(args);
	}
	if (!t)
		return REAL(mremap)(old, had, n, flags, to);
	/* A mapping that cannot move may fail to grow, and meanwhile no
	   other can take its place. */
	if (moves || n < had)
		unmapping(t, old, had);
	if (flags & MREMAP_FIXED)
		unmapping(t, to, n);
	p = REAL(mremap)(old, had, n, flags, to);
	if (p == MAP_FAILED) {
		if (moves || n < had)
			mapped(old, had, FR_MEM_MMAP);
		return p;
	}
	if (!moves && n >= had && (t = recorded()))
		unmapping(t, old, had);
	mapped(p, n, FR_MEM_MMAP);
	return p;
}
