/* See peer_file.h. The program may write anything into the file, so nothing there is trusted. */
#include "record/peer_file.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STEP (UINT64_C(1) << 20) /* bytes that are reserved at a time */

static int reserve(struct fr_peer_file *f, uint64_t end)
{
	uint64_t from = atomic_load(&f->h->reserved);
	int e;

	end = fr_min(end, FR_PEERS_LIMIT);
	if (from >= end)
		return 0;
	do
		e = posix_fallocate(f->fd, (off_t)from, (off_t)(end - from));
	while (e == EINTR);
	if (!e)
		atomic_store(&f->h->reserved, end);
	return -e;
}

int fr_peer_file_open(struct fr_peer_file *f, const char *dir)
{
	struct fr_peers_header *h;
	int r;

	fr_assert(!f->h);
	*f = (struct fr_peer_file){.path = fr_xasprintf("%s/peers", dir), .fd = -1};
	f->fd = fr_dir_create(f->path, O_RDWR, NULL);
	if (f->fd < 0)
		return f->fd;
	r = -posix_fallocate(f->fd, 0, (off_t)STEP);
	if (r < 0)
		return r;
	h = mmap(NULL, FR_PEERS_LIMIT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, f->fd,
		 0);
	if (h == MAP_FAILED)
		return -errno;
	h->version = FR_PEERS_VERSION;
	h->limit = FR_PEERS_LIMIT;
	atomic_store(&h->used, sizeof(*h));
	atomic_store(&h->reserved, STEP);
	h->magic = FR_PEERS_MAGIC;
	f->h = h;
	return 0;
}

void fr_peer_file_extend(struct fr_peer_file *f)
{
	uint64_t used, reserved;

	if (!f->h || atomic_load(&f->h->full))
		return;
	used = atomic_load(&f->h->used);
	reserved = atomic_load(&f->h->reserved);
	if (used + STEP / 2 <= reserved)
		return;
	if (used >= FR_PEERS_LIMIT || reserved >= FR_PEERS_LIMIT || reserve(f, used + 2 * STEP) < 0)
		atomic_store(&f->h->full, 1);
	atomic_fetch_add(&f->h->grown, 1);
	syscall(SYS_futex, &f->h->grown, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

uint64_t fr_peer_file_finish(struct fr_peer_file *f)
{
	uint64_t used, lost;

	if (!f->h)
		return 0;
	used = fr_min((uint64_t)atomic_load(&f->h->used), FR_PEERS_LIMIT);
	lost = atomic_load(&f->h->lost);
	if (used <= sizeof(*f->h) && !lost)
		fr_dir_unlink(f->path);
	else if (ftruncate(f->fd, (off_t)used) < 0)
		lost += lost == 0; /* the rest is zero, and ends the records */
	return lost;
}

void fr_peer_file_close(struct fr_peer_file *f)
{
	if (!f->path)
		return;
	if (f->h)
		munmap(f->h, FR_PEERS_LIMIT);
	fr_closep(&f->fd);
	free(f->path);
	*f = (struct fr_peer_file){.fd = -1};
}
