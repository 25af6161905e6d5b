/* Writes the trace file. Only one thread may use a writer. */
#include "trace/writer.h"
#include "base/assert.h"
#include "base/crc32c.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/mem.h"
#include "trace/codec.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Static_assert(FR_BLOCK_SLOTS <= FR_CODEC_MAX_SLOTS, "a block of the pool is a block of the trace");

struct per_thread {
	uint32_t blocks;
	uint64_t slots;
};

struct fr_writer {
	int fd;
	uint64_t size; /* of the file; always the end of a block */
	struct fr_codec *codec;
	struct fr_buf buf;				   /* blocks to be written */
	struct per_thread thread[FR_POOL_MAX_THREADS + 1]; /* by id; includes blocks in buf */
	struct fr_writer_stats done, added;
	struct fr_units units;
};

static uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int fr_writer_create(const char *path, const uint8_t run_id[16], struct fr_writer **ret,
		     struct fr_err *reterr)
{
	struct fr_trace_header h = {.magic = FR_TRACE_MAGIC,
				    .version = FR_TRACE_VERSION,
				    .event_size = sizeof(struct fr_event),
				    .created_ns = wall_ns()};
	FR_CLEANUP(fr_closep) int fd = fr_dir_create(path, O_WRONLY, reterr);
	struct fr_writer *w;
	int r;

	if (fd < 0)
		return fd;
	memcpy(h.run_id, run_id, sizeof(h.run_id));
	h.check = fr_crc32c(0, &h, offsetof(struct fr_trace_header, check));
	r = fr_io_write_all(fd, &h, sizeof(h), NULL);
	if (r < 0)
		return fr_err_set(reterr, r, "cannot write '%s'", path);
	w = fr_xcalloc(1, sizeof(*w));
	w->codec = fr_codec_new();
	w->size = sizeof(h);
	w->fd = fd;
	fd = -1;
	*ret = w;
	return 0;
}

void fr_writer_free(struct fr_writer *w)
{
	if (!w)
		return;
	fr_closep(&w->fd);
	fr_codec_free(w->codec);
	fr_units_clear(&w->units);
	fr_buf_free(&w->buf);
	free(w);
}

static void add_block(struct fr_writer *w, struct fr_trace_block *b, const void *payload)
{
	b->magic = FR_TRACE_BLOCK_MAGIC;
	b->payload_check = fr_crc32c(0, payload, b->length);
	b->check = fr_crc32c(0, b, offsetof(struct fr_trace_block, check));
	fr_buf_add(&w->buf, b, sizeof(*b));
	fr_buf_add(&w->buf, payload, b->length);
}

uint32_t fr_writer_next(const struct fr_writer *w, uint32_t thread)
{
	return thread <= FR_POOL_MAX_THREADS ? w->thread[thread].blocks : 0;
}

int fr_writer_add(struct fr_writer *w, uint32_t thread, uint32_t seq, uint64_t first_hook,
		  const struct fr_event *e, uint32_t n)
{
	struct fr_trace_block b = {.type = FR_TRACE_BLOCK_EVENTS,
				   .thread = thread,
				   .seq = seq,
				   .slots = n,
				   .first_hook = first_hook};
	struct fr_encoded enc;

	if (!thread || thread > FR_POOL_MAX_THREADS || n > FR_CODEC_MAX_SLOTS)
		return -EINVAL;
	if (seq < w->thread[thread].blocks)
		return 0;
	if (seq > w->thread[thread].blocks)
		return -EINVAL;
	enc = fr_codec_encode(w->codec, e, n);
	b.codec = enc.codec;
	b.plain = enc.plain;
	b.length = (uint32_t)enc.length;
	add_block(w, &b, enc.payload);
	if (enc.names)
		fr_units_scan(&w->units, e, n);
	w->thread[thread].blocks++;
	fr_assert(w->thread[thread].blocks == seq + 1);
	w->thread[thread].slots += n;
	w->added.slots += n;
	w->added.events += enc.events;
	w->added.blocks++;
	w->added.threads += w->thread[thread].blocks == 1;
	return 0;
}

int fr_writer_flush(struct fr_writer *w)
{
	size_t written;
	int r;

	fr_assert(w->done.blocks <= w->added.blocks && w->done.slots <= w->added.slots);
	if (!w->buf.n)
		return 0;
	r = fr_io_write_all(w->fd, w->buf.s, w->buf.n, &written);
	if (r < 0) {
		/* Remove a torn block: it would make the whole file unreadable. */
		if (written && (ftruncate(w->fd, (off_t)w->size) < 0 ||
				lseek(w->fd, (off_t)w->size, SEEK_SET) < 0))
			return -errno;
		return r;
	}
	w->size += w->buf.n;
	w->buf.n = 0;
	w->done = w->added;
	return 0;
}

void fr_writer_discard(struct fr_writer *w)
{
	struct fr_trace_block b;

	for (size_t at = 0; at < w->buf.n; at += sizeof(b) + b.length) {
		memcpy(&b, w->buf.s + at, sizeof(b));
		if (b.type != FR_TRACE_BLOCK_EVENTS)
			continue;
		fr_assert(b.thread && b.thread <= FR_POOL_MAX_THREADS);
		fr_assert(w->thread[b.thread].blocks && w->thread[b.thread].slots >= b.slots);
		w->thread[b.thread].blocks--;
		w->thread[b.thread].slots -= b.slots;
	}
	w->buf.n = 0;
	w->added = w->done;
}

int fr_writer_end(struct fr_writer *w, const struct fr_pool_thread *threads, uint32_t n,
		  int stop_errno)
{
	struct fr_trace_end end = {.threads = n,
				   .stop_errno = (uint32_t)stop_errno,
				   .slots = w->added.slots,
				   .blocks = w->added.blocks};
	struct fr_trace_block b = {.type = FR_TRACE_BLOCK_END};
	struct fr_buf payload = {0};

	fr_assert(n <= FR_POOL_MAX_THREADS);
	fr_buf_add(&payload, &end, sizeof(end));
	for (uint32_t i = 0; i < n; i++) {
		struct fr_trace_end_thread t = {.id = threads[i].id,
						.parent = threads[i].parent,
						.nth = threads[i].nth,
						.hooks = threads[i].hook};

		if (t.id && t.id <= FR_POOL_MAX_THREADS) {
			t.blocks = w->thread[t.id].blocks;
			t.slots = w->thread[t.id].slots;
		}
		fr_buf_add(&payload, &t, sizeof(t));
	}
	b.length = b.plain = (uint32_t)payload.n;
	add_block(w, &b, payload.s);
	fr_buf_free(&payload);
	return fr_writer_flush(w);
}

struct fr_writer_stats fr_writer_stats(const struct fr_writer *w)
{
	struct fr_writer_stats s = w->done;

	s.bytes = w->size;
	return s;
}

const struct fr_units *fr_writer_units(const struct fr_writer *w)
{
	return &w->units;
}
