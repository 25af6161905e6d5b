/*
 * Reads and writes the file `sites` of a run folder: a header, then records. A record is the table
 * of a unit as it is in the ELF file, the reason why a table is missing, or the name of a
 * FORERUN_EVENT. Checksums cover every byte. doc/trace-format.md describes the layout.
 */
#include "base/crc32c.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "symbols/sites_internal.h"
#include <errno.h>
#include <string.h>

#define MAGIC "forerun sites\n\x1a"
#define VERSION 1

struct sites_header {
	char magic[16];
	uint32_t version;
	uint32_t records;
	uint64_t size; /* of the file */
	uint32_t pad;
	uint32_t check; /* CRC-32C of the bytes before */
};
_Static_assert(sizeof(struct sites_header) == 40, "on-disk layout: bump VERSION");

/* The contents of the `size` bytes that follow a record, padded with zeros to a multiple of 8. */
enum sites_part { TABLE, MISSING /* reason without a table */, NAME /* the string at `address` */ };

struct sites_record {
	uint32_t first, count;
	uint64_t address;
	uint32_t size;
	uint32_t what;
	uint32_t data_check; /* CRC-32C of the data, padding included */
	uint32_t check;	     /* CRC-32C of the bytes before */
};
_Static_assert(sizeof(struct sites_record) == 32, "on-disk layout: bump VERSION");

static size_t padded(size_t n)
{
	return (n + 7) & ~(size_t)7;
}

static void add_record(struct fr_buf *b, struct sites_record r, const void *data, size_t n)
{
	size_t at = b->n;

	fr_assert(!(at % 8) && n <= UINT32_MAX);
	r.size = (uint32_t)n;
	fr_buf_add(b, &r, sizeof(r));
	fr_buf_add(b, data, n);
	fr_buf_add(b, "\0\0\0\0\0\0\0", padded(n) - n);
	r.data_check = fr_crc32c(0, b->s + at + sizeof(r), padded(n));
	r.check = fr_crc32c(0, &r, offsetof(struct sites_record, check));
	memcpy(b->s + at, &r, sizeof(r));
}

static void add_unit(struct fr_buf *b, const struct fr_sites_unit *u)
{
	struct sites_record r = {.first = u->first, .count = u->count, .address = u->address};

	if (u->blob) {
		add_record(b, r, u->blob, u->size);
	} else {
		r.what = MISSING;
		add_record(b, r, u->missing, strlen(u->missing));
	}
}

int fr_sites_write(const char *path, const struct fr_sites *s, struct fr_err *reterr)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct sites_header h = {
	    .magic = MAGIC, .version = VERSION, .records = (uint32_t)(s->unit.n + s->name.n)};

	fr_buf_add(&b, &h, sizeof(h));
	FR_VEC_FOREACH (u, &s->unit)
		add_unit(&b, u);
	FR_VEC_FOREACH (n, &s->name)
		add_record(&b, (struct sites_record){.address = n->address, .what = NAME}, n->text,
			   strlen(n->text));
	h.size = b.n;
	h.check = fr_crc32c(0, &h, offsetof(struct sites_header, check));
	memcpy(b.s, &h, sizeof(h));
	return fr_dir_replace(path, b.s, b.n, reterr);
}

static int bad(const char *path, size_t at, const char *what, struct fr_err *reterr)
{
	return fr_err_say(reterr, -EBADMSG, "'%s' is damaged at offset %zu: %s", path, at, what);
}

static int read_record(const char *path, const struct fr_mapped *m, size_t *at, struct fr_sites *s,
		       struct fr_err *reterr)
{
	const uint8_t *data = m->p + *at + sizeof(struct sites_record);
	const char *why = NULL;
	struct fr_site_tu *blob;
	struct sites_record r;
	char *text;
	size_t n;

	if (m->n - *at < sizeof(r))
		return bad(path, *at, "it ends within a record", reterr);
	memcpy(&r, m->p + *at, sizeof(r));
	if (r.check != fr_crc32c(0, &r, offsetof(struct sites_record, check)))
		return bad(path, *at, "the checksum of a record does not match", reterr);
	if (padded(r.size) > m->n - *at - sizeof(r))
		return bad(path, *at, "it ends within a record", reterr);
	if (r.data_check != fr_crc32c(0, data, padded(r.size)))
		return bad(path, *at, "the checksum of a site table does not match", reterr);
	text = fr_xstrndup((const char *)data, strnlen((const char *)data, r.size));
	if (r.what == NAME) {
		fr_vec_push(&s->name, (struct fr_sites_name){r.address, text});
	} else if (r.what == MISSING) {
		fr_sites_add(s, r.first, r.count, r.address, NULL, 0, text);
	} else {
		free(text);
		if (r.what != TABLE)
			return bad(path, *at, "a record of an unknown kind", reterr);
		/* A copy: a table must be aligned and outlive the mapping. */
		blob = fr_site_blob_read(data, r.size, &n, &why);
		if (!blob)
			return bad(path, *at, why, reterr);
		fr_sites_add(s, r.first, r.count, r.address, blob, n, NULL);
		if (blob->nsites < r.count)
			return bad(path, *at, "a site table is too short", reterr);
	}
	*at += sizeof(r) + padded(r.size);
	return 0;
}

static int read_all(const char *path, const struct fr_mapped *m, struct fr_sites *s,
		    struct fr_err *reterr)
{
	size_t at = sizeof(struct sites_header);
	struct sites_header h;
	int r;

	if (m->n < sizeof(h))
		return bad(path, m->n, "it is too short", reterr);
	memcpy(&h, m->p, sizeof(h));
	if (memcmp(h.magic, MAGIC, sizeof(h.magic)) != 0)
		return bad(path, 0, "it is not a site file", reterr);
	if (h.check != fr_crc32c(0, &h, offsetof(struct sites_header, check)))
		return bad(path, 0, "the checksum of the header does not match", reterr);
	if (h.version != VERSION)
		return fr_err_say(reterr, -EPROTO, "'%s' has version %u; this forerun reads %u",
				  path, h.version, VERSION);
	if (h.size != m->n)
		return bad(path, fr_min((uint64_t)m->n, h.size), "its size is wrong", reterr);
	for (uint32_t i = 0; i < h.records; i++) {
		r = read_record(path, m, &at, s, reterr);
		if (r < 0)
			return r;
	}
	if (at != m->n)
		return bad(path, at, "unexpected data after the last record", reterr);
	return 0;
}

int fr_sites_read(const char *path, struct fr_sites **ret, struct fr_err *reterr)
{
	struct fr_sites *s;
	struct fr_mapped m;
	int r = fr_dir_map(path, &m, reterr);

	if (r < 0)
		return r;
	s = fr_xcalloc(1, sizeof(*s));
	r = read_all(path, &m, s, reterr);
	fr_io_unmap(&m);
	if (r < 0) {
		fr_sites_free(s);
		return r;
	}
	fr_sites_sort(s);
	*ret = s;
	return 0;
}
