/*
 * Reads and writes the file `memory` of a run folder (initial.h): a header, then a payload, which
 * is compressed if that makes it smaller. The payload is a record for each range, then the bytes of
 * the ranges that are not all zero. The reader verifies checksums and bounds before it uses data.
 */
#include "trace/initial.h"
#include "base/assert.h"
#include "base/crc32c.h"
#include "base/dir.h"
#include "base/io.h"
#include "format/event.h"
#include <errno.h>
#include <string.h>
#include <zstd.h>

#define MAGIC "forerun memory\n"
#define VERSION 1
#define MAX_PLAIN (UINT64_C(1) << 28)

struct initial_header {
	char magic[16];
	uint32_t version;
	uint32_t ranges;
	uint64_t plain;	 /* bytes of the payload */
	uint64_t stored; /* bytes in the file; unless equal to `plain`, one frame of zstd */
	uint32_t payload_check;
	uint32_t check; /* CRC-32C of the bytes before */
};
_Static_assert(sizeof(struct initial_header) == 48, "on-disk layout: bump VERSION");

struct initial_record {
	uint64_t address;
	uint64_t size; /* top bit: all zero */
};
_Static_assert(sizeof(struct initial_record) == 16, "on-disk layout: bump VERSION");
#define ZEROED (UINT64_C(1) << 63)

void fr_initial_free(struct fr_initial *x)
{
	if (!x)
		return;
	fr_vec_free(&x->range);
	fr_buf_free(&x->bytes);
	free(x);
}

void fr_initial_freep(struct fr_initial **x)
{
	fr_initial_free(*x);
}

int64_t fr_initial_write(const char *path, const struct fr_initial *x, struct fr_err *reterr)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf plain = {0}, file = {0};
	FR_CLEANUP(fr_freep) void *small = NULL;
	struct initial_header h = {
	    .magic = MAGIC, .version = VERSION, .ranges = (uint32_t)x->range.n};
	const void *payload;
	size_t n;
	int r;

	fr_buf_puts(&plain, "");
	FR_VEC_FOREACH (g, &x->range) {
		struct initial_record rec = {g->lo, (g->hi - g->lo) | (g->zeroed ? ZEROED : 0)};

		fr_buf_add(&plain, &rec, sizeof(rec));
	}
	FR_VEC_FOREACH (g, &x->range)
		if (!g->zeroed) {
			fr_assert(g->hi - g->lo <= x->bytes.n &&
				  g->at <= x->bytes.n - (g->hi - g->lo));
			fr_buf_add(&plain, x->bytes.s + g->at, g->hi - g->lo);
		}
	small = fr_xmalloc(plain.n + 1);
	n = ZSTD_compress(small, plain.n, plain.s, plain.n, 1);
	h.plain = plain.n;
	h.stored = ZSTD_isError(n) || n >= plain.n ? plain.n : n; /* error: not smaller */
	payload = h.stored == plain.n ? plain.s : small;
	h.payload_check = fr_crc32c(0, payload, h.stored);
	h.check = fr_crc32c(0, &h, offsetof(struct initial_header, check));
	fr_buf_add(&file, &h, sizeof(h));
	fr_buf_add(&file, payload, h.stored);
	r = fr_dir_replace(path, file.s, file.n, reterr);
	return r < 0 ? r : (int64_t)file.n;
}

static int damaged(const char *path, size_t at, const char *what, struct fr_err *reterr)
{
	return fr_err_say(reterr, -EBADMSG, "'%s' is damaged at offset %zu: %s", path, at, what);
}

static int read_header(const char *path, const struct fr_mapped *m, struct initial_header *ret,
		       struct fr_err *reterr)
{
	if (m->n < sizeof(*ret))
		return damaged(path, m->n, "the file ends within its header", reterr);
	memcpy(ret, m->p, sizeof(*ret));
	if (memcmp(ret->magic, MAGIC, sizeof(ret->magic)) != 0)
		return damaged(path, 0, "not a file of initial memory", reterr);
	if (ret->check != fr_crc32c(0, ret, offsetof(struct initial_header, check)))
		return damaged(path, 0, "the checksum of the header does not match", reterr);
	if (ret->version != VERSION)
		return fr_err_say(reterr, -EPROTO, "'%s' has version %u; this forerun reads %u",
				  path, ret->version, VERSION);
	if (ret->stored != m->n - sizeof(*ret) || ret->plain > MAX_PLAIN ||
	    ret->plain < ret->ranges * sizeof(struct initial_record))
		return damaged(path, 0, "the sizes in the header do not match", reterr);
	if (ret->payload_check != fr_crc32c(0, m->p + sizeof(*ret), ret->stored))
		return damaged(path, sizeof(*ret), "the checksum does not match", reterr);
	return 0;
}

static bool take_ranges(struct fr_initial *x, const struct initial_header *h, const char *plain)
{
	size_t left = h->plain - h->ranges * sizeof(struct initial_record);
	uint64_t end = 0;

	fr_assert(h->plain >=
		  h->ranges * sizeof(struct initial_record)); /* read_header has checked it */
	for (uint32_t i = 0; i < h->ranges; i++) {
		struct fr_initial_range g = {.at = x->bytes.n};
		struct initial_record rec;
		uint64_t size;

		memcpy(&rec, plain + i * sizeof(rec), sizeof(rec));
		size = rec.size & ~ZEROED;
		g.zeroed = rec.size & ZEROED;
		g.lo = rec.address;
		g.hi = g.lo + size;
		if (!size || g.lo < end || g.hi < g.lo || g.hi > FR_ADDR_MASK ||
		    (!g.zeroed && size > left))
			return false;
		if (!g.zeroed) {
			fr_buf_add(&x->bytes, plain + h->plain - left, size);
			left -= size;
		}
		end = g.hi;
		fr_vec_push(&x->range, g);
	}
	return !left;
}

static int read_payload(const char *path, const struct fr_mapped *m, const struct initial_header *h,
			struct fr_initial **ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_initial_freep) struct fr_initial *x = fr_xcalloc(1, sizeof(*x));
	FR_CLEANUP(fr_freep) char *plain = NULL;
	const char *p = (const char *)m->p + sizeof(*h);

	if (h->stored != h->plain) {
		plain = fr_xmalloc(h->plain + 1);
		if (ZSTD_decompress(plain, h->plain, p, h->stored) != h->plain)
			return damaged(path, sizeof(*h), "cannot decompress it", reterr);
		p = plain;
	}
	if (!take_ranges(x, h, p))
		return damaged(path, sizeof(*h), "invalid ranges", reterr);
	*ret = fr_steal(x);
	return 0;
}

int fr_initial_read(const char *path, struct fr_initial **ret, struct fr_err *reterr)
{
	struct fr_mapped m;
	struct initial_header h;
	int r = fr_dir_map(path, &m, reterr);

	if (r < 0)
		return r;
	r = read_header(path, &m, &h, reterr);
	if (r == 0)
		r = read_payload(path, &m, &h, ret, reterr);
	fr_io_unmap(&m);
	return r;
}
