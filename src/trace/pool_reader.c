/*
 * The recorder's side of the pool.
 *
 * Invariant: the recorder writes a block to the trace before it clears and frees it. At any moment
 * each event is in the trace file or in the pool file, so that salvage.c can combine the two if the
 * recorder is killed. An event may be in both; block numbers identify duplicates.
 */
#include "trace/pool_reader.h"
#include "base/assert.h"
#include "base/dir.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FIRST_BLOCKS 32u
#define MORE_BLOCKS 16u
/* Blocks that one write appends to the trace. */
#define BATCH 16u

static void futex_wake(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void push_free(struct fr_pool_reader *f, uint32_t block)
{
	struct fr_block *b = fr_pool_block(f->p, block);
	uint64_t head = atomic_load(&f->p->free_list);

	fr_assert_slow(block < FR_POOL_MAX_BLOCKS);
	do
		atomic_store_explicit(&b->next, (uint32_t)head, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&f->p->free_list, &head,
					     ((head >> 32) + 1) << 32 | (block + 1)));
}

static void wake_waiting(struct fr_pool_reader *f)
{
	atomic_fetch_add(&f->p->free_wake, 1);
	if (atomic_load(&f->p->want))
		futex_wake(&f->p->free_wake);
}

static int reserve(struct fr_pool_reader *f, uint32_t n)
{
	uint64_t at = FR_POOL_BLOCKS_OFF + (uint64_t)f->reserved * FR_BLOCK_SIZE;
	int e;

	if (n > FR_POOL_MAX_BLOCKS - f->reserved)
		n = FR_POOL_MAX_BLOCKS - f->reserved;
	if (!n)
		return 0;
	do
		e = posix_fallocate(f->fd, (off_t)at, (off_t)n * FR_BLOCK_SIZE);
	while (e == EINTR);
	if (e)
		return -e;
	for (uint32_t i = 0; i < n; i++)
		push_free(f, f->reserved + n - 1 - i);
	f->reserved += n;
	fr_assert(f->reserved <= FR_POOL_MAX_BLOCKS);
	atomic_store(&f->p->reserved, f->reserved);
	return 0;
}

int fr_pool_reader_create(const char *path, const char *options, uint32_t max_blocks,
			  struct fr_pool_reader **ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_closep) int fd = fr_dir_create(path, O_RDWR, reterr);
	struct fr_pool_reader *f;
	struct fr_pool *p;
	int e;

	if (fd < 0)
		return fd;
	/* salvage.c sees by this lock that the recorder is alive. Some file systems lack locks. */
	flock(fd, LOCK_EX | LOCK_NB);
	e = posix_fallocate(fd, 0, FR_POOL_BLOCKS_OFF);
	if (e)
		return fr_err_set(reterr, -e, "cannot reserve %u bytes for '%s'",
				  (unsigned)FR_POOL_BLOCKS_OFF, path);
	/* The mapping extends beyond the end of the file until blocks are reserved there. */
	p = mmap(NULL, FR_POOL_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return fr_err_set(reterr, -errno, "cannot map '%s'", path);
	/* To link a block touches one of its pages: the kernel need not read the others. */
	madvise(p, FR_POOL_SIZE, MADV_RANDOM);
	fr_assert(strlen(options) < sizeof(p->options));
	strcpy(p->options, options);
	p->version = FR_POOL_VERSION;
	p->max_blocks = max_blocks;
	atomic_store(&p->recorder, getpid());
	f = fr_xcalloc(1, sizeof(*f));
	f->path = fr_xstrdup(path);
	f->fd = fd;
	f->p = p;
	fd = -1;
	e = reserve(f, fr_min(FIRST_BLOCKS, max_blocks));
	if (e < 0) {
		fr_pool_reader_free(f);
		return fr_err_set(reterr, e, "cannot reserve blocks in '%s'", path);
	}
	p->magic = FR_POOL_MAGIC;
	*ret = f;
	return 0;
}

#define PADDED 512

char *fr_pool_padded(const char *path)
{
	size_t n = strlen(path), pad = *path == '/' && n < PADDED ? PADDED - n : 0;
	char *s = fr_xmalloc(pad + n + 1);

	fr_assert(*path != '/' || pad + n >= PADDED);
	memset(s, '/', pad);
	memcpy(s + pad, path, n + 1);
	return s;
}

void fr_pool_reader_free(struct fr_pool_reader *f)
{
	if (!f)
		return;
	munmap(f->p, FR_POOL_SIZE);
	close(f->fd);
	free(f->path);
	free(f);
}

void fr_pool_reader_remove(struct fr_pool_reader *f, bool all)
{
	fr_dir_unlink(f->path);
	/* A child of the program may have inherited the mapping: it then reads zeros. */
	if (all && fallocate(f->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, FR_POOL_BLOCKS_OFF,
			     (off_t)f->reserved * FR_BLOCK_SIZE) < 0)
		return; /* not supported: the last unmapping frees the space */
}

void fr_pool_reader_wait(struct fr_pool_reader *f, unsigned milliseconds)
{
	struct timespec t = {.tv_sec = milliseconds / 1000,
			     .tv_nsec = (long)(milliseconds % 1000) * 1000000};

	syscall(SYS_futex, &f->p->full_wake, FUTEX_WAIT, f->seen, &t, NULL, 0);
}

void fr_pool_reader_wake(struct fr_pool_reader *f)
{
	atomic_fetch_add(&f->p->full_wake, 1);
	futex_wake(&f->p->full_wake);
}

/* Takes the full list, in the order in which blocks were pushed. Returns their number. */
static uint32_t take_full(struct fr_pool_reader *f, uint32_t *blocks, uint32_t max)
{
	uint64_t head = atomic_load(&f->p->full_list);
	uint32_t n = 0, at;

	if (!(uint32_t)head)
		return 0;
	while (!atomic_compare_exchange_weak(&f->p->full_list, &head, ((head >> 32) + 1) << 32))
		;
	for (at = (uint32_t)head; at && n < max; n++) {
		if (at > f->reserved) {
			f->damaged++;
			break;
		}
		blocks[n] = at - 1;
		at = atomic_load_explicit(&fr_pool_block(f->p, at - 1)->next, memory_order_relaxed);
	}
	for (uint32_t i = 0; i < n / 2; i++) {
		uint32_t t = blocks[i];

		blocks[i] = blocks[n - 1 - i];
		blocks[n - 1 - i] = t;
	}
	return n;
}

static void free_blocks(struct fr_pool_reader *f, const uint32_t *blocks, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct fr_block *b = fr_pool_block(f->p, blocks[i]);

		fr_assert(blocks[i] < f->reserved);
		memset(b->slot, 0, fr_min(b->used, FR_BLOCK_SLOTS) * sizeof(b->slot[0]));
		b->used = 0;
		atomic_store(&b->state, FR_BLOCK_FREE);
		push_free(f, blocks[i]);
	}
	wake_waiting(f);
}

/* If threads wait and no block is free, reserves more blocks up to the limit of format/pool.h. */
static int reserve_for_waiting(struct fr_pool_reader *f, bool drained)
{
	uint64_t limit = (uint64_t)f->p->max_blocks + 4ull * atomic_load(&f->p->live);
	int r;

	if (!atomic_load(&f->p->want) || atomic_load(&f->p->free_list) & UINT32_MAX)
		return 0;
	if (f->reserved >= fr_min(limit, (uint64_t)FR_POOL_MAX_BLOCKS) || f->reserve_failed) {
		if (drained || atomic_load(&f->p->full_list) & UINT32_MAX)
			return 0;
		return f->reserve_failed ? -ENOSPC : 0;
	}
	r = reserve(f, MORE_BLOCKS);
	if (r < 0) {
		f->reserve_failed = true;
		return drained ? 0 : r;
	}
	wake_waiting(f);
	return 0;
}

int fr_pool_reader_drain(struct fr_pool_reader *f, struct fr_writer *w)
{
	FR_CLEANUP(fr_freep) uint32_t *blocks = fr_xmalloc(f->reserved * sizeof(*blocks));
	uint32_t n;
	int r;

	f->seen = atomic_load(&f->p->full_wake);
	n = take_full(f, blocks, f->reserved);
	fr_assert(n <= f->reserved);
	for (uint32_t i = 0; i < n; i += BATCH) {
		uint32_t k = fr_min(n - i, BATCH);

		for (uint32_t j = i; j < i + k; j++) {
			const struct fr_block *b = fr_pool_block(f->p, blocks[j]);

			if (fr_writer_add(w, b->thread, b->seq, b->first_hook, b->slot,
					  fr_min(b->used, (uint32_t)FR_BLOCK_SLOTS)) < 0)
				f->damaged++;
		}
		r = fr_writer_flush(w);
		if (r < 0)
			return r;
		free_blocks(f, blocks + i, k);
	}
	r = reserve_for_waiting(f, n > 0);
	return r < 0 ? r : (int)n;
}

void fr_pool_reader_stop(struct fr_pool_reader *f, int stop_errno)
{
	atomic_store(&f->p->stop_errno, stop_errno);
	atomic_store(&f->p->state, FR_POOL_STOPPED);
	atomic_fetch_add(&f->p->free_wake, 1);
	futex_wake(&f->p->free_wake);
}

/* ---- after the end of the program ---- */

uint32_t fr_pool_thread_count(const struct fr_pool *p)
{
	return fr_min(atomic_load(&p->threads), (uint32_t)FR_POOL_MAX_THREADS);
}

static const struct fr_pool_thread *thread_by_id(const struct fr_pool *p, uint32_t id)
{
	const struct fr_pool_thread *t = fr_pool_threads((struct fr_pool *)p);
	uint32_t n = fr_pool_thread_count(p);

	if (id && id <= n && t[id - 1].id == id)
		return &t[id - 1];
	for (uint32_t i = 0; i < n; i++)
		if (t[i].id == id)
			return &t[i];
	return NULL;
}

/* Returns the number of complete slots of an open block, from its thread's `pos`. */
static uint32_t open_used(const struct fr_pool *p, uint32_t block, const struct fr_block *b)
{
	const struct fr_pool_thread *t = thread_by_id(p, b->thread);
	uint64_t pos, end, first;

	if (!t || t->block != block)
		return 0; /* opened, but still empty */
	pos = (uint64_t)(uintptr_t)t->pos;
	end = (uint64_t)(uintptr_t)t->end;
	first = end - FR_BLOCK_SLOTS * sizeof(struct fr_event);
	if (!pos || !end || pos < first || pos > end)
		return 0;
	fr_assert((pos - first) / sizeof(struct fr_event) <= FR_BLOCK_SLOTS);
	return (uint32_t)((pos - first) / sizeof(struct fr_event));
}

static int by_thread_and_seq(const void *a, const void *b)
{
	const struct fr_leftover *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

void fr_pool_leftovers(const struct fr_pool *p, uint64_t size, fr_leftover_vec *ret)
{
	uint64_t n = size > FR_POOL_BLOCKS_OFF ? (size - FR_POOL_BLOCKS_OFF) / FR_BLOCK_SIZE : 0;

	n = fr_min(n, (uint64_t)atomic_load(&p->reserved));
	for (uint32_t i = 0; i < n; i++) {
		const struct fr_block *b = fr_pool_block((struct fr_pool *)p, i);
		uint32_t state = atomic_load(&b->state), used = 0;

		if (state == FR_BLOCK_FULL)
			used = fr_min(b->used, (uint32_t)FR_BLOCK_SLOTS);
		else if (state == FR_BLOCK_OPEN)
			used = open_used(p, i, b);
		if (used)
			fr_vec_push(
			    ret, ((struct fr_leftover){b->thread, b->seq, used, i, b->first_hook}));
	}
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), by_thread_and_seq);
}

bool fr_pool_pending(const struct fr_pool_thread *t, struct fr_event *ret)
{
	uint64_t pending = atomic_load(&t->pending);

	if (!pending)
		return false;
	*ret =
	    (struct fr_event){.w0 = fr_w0(pending, FR_EV_PENDING, (unsigned)(pending >> 48) & 0xff),
			      .site = t->pending_site,
			      .hook = (uint32_t)t->hook};
	return true;
}

void fr_pool_reader_finish(struct fr_pool_reader *f, struct fr_writer *w)
{
	const struct fr_pool_thread *t = fr_pool_threads(f->p);
	fr_leftover_vec left = {0};
	struct fr_event e;

	fr_pool_leftovers(f->p, FR_POOL_BLOCKS_OFF + (uint64_t)f->reserved * FR_BLOCK_SIZE, &left);
	FR_VEC_FOREACH (l, &left) {
		const struct fr_block *b = fr_pool_block(f->p, l->block);

		if (fr_writer_add(w, l->thread, l->seq, l->first_hook, b->slot, l->used) < 0)
			f->damaged++;
	}
	fr_vec_free(&left);
	for (uint32_t i = 0; i < fr_pool_thread_count(f->p); i++)
		if (fr_pool_pending(&t[i], &e))
			fr_writer_add(w, t[i].id, fr_writer_next(w, t[i].id), t[i].hook, &e, 1);
}
