/*
 * Site tables of older versions, which runs recorded earlier have. Version 3 has a shorter header
 * and no graph of influence. Versions 1 and 2 have a still shorter header, no marks, and narrower
 * access bits. This file turns them into the current version.
 */
#include "base/assert.h"
#include "symbols/sites.h"
#include <errno.h>
#include <string.h>

struct old_tu {
	uint32_t magic, version, size, nsites, nframes, strings, dir, hash;
};

struct tu_3 {
	struct old_tu old;
	uint32_t nmarks, pad;
};
_Static_assert(sizeof(struct tu_3) == 40, "layout of version 3");

struct old_site {
	uint32_t file, line;
	uint16_t column;
	uint8_t kind, access;
	uint32_t function, name, type, frame, nframes, physical;
};
_Static_assert(sizeof(struct old_tu) == 32 && sizeof(struct old_site) == 36, "layout of version 2");

static struct fr_site site(const void *p)
{
	struct old_site s;

	memcpy(&s, p, sizeof(s));
	return (struct fr_site){.file = s.file,
				.line = s.line,
				.column = s.column,
				.access = s.access,
				.function = s.function,
				.name = s.name,
				.type = s.type,
				.frame = s.frame,
				.nframes = (uint16_t)fr_min(s.nframes, (uint32_t)UINT16_MAX),
				.kind = s.kind,
				.physical = s.physical};
}

/* Returns the table in the current version, not yet checked; NULL with a reason. */
static struct fr_site_tu *convert(const uint8_t *p, size_t n, size_t *ret_n, const char **ret_why)
{
	struct tu_3 old = {0};
	size_t header;
	struct fr_site_tu *tu;
	struct fr_site *to;
	uint64_t sites;

	memcpy(&old.old, p, sizeof(old.old));
	header = old.old.version == 3 ? sizeof(old) : sizeof(old.old);
	sites = (uint64_t)old.old.nsites * sizeof(struct old_site);
	if (old.old.size != n || n < header || sites > n - header) {
		*ret_why = "its size is wrong";
		return NULL;
	}
	if (old.old.hash != fr_site_hash(p, header, n)) {
		*ret_why = "its checksum is wrong";
		return NULL;
	}
	memcpy(&old, p, header);
	*ret_n = n - header + sizeof(*tu);
	tu = fr_xcalloc(1, *ret_n);
	*tu = (struct fr_site_tu){.magic = FR_SITE_MAGIC,
				  .version = FR_SITE_VERSION,
				  .size = (uint32_t)*ret_n,
				  .nsites = old.old.nsites,
				  .nframes = old.old.nframes,
				  .nmarks = old.nmarks,
				  .pad = old.pad,
				  .strings = old.old.strings,
				  .dir = old.old.dir};
	to = (struct fr_site *)(tu + 1);
	memcpy(to, p + header, n - header);
	for (uint32_t i = 0; i < old.old.nsites && old.old.version < 3; i++)
		to[i] = site(p + header + i * sizeof(struct old_site));
	tu->hash = fr_site_blob_hash(tu, *ret_n);
	return tu;
}

void *fr_site_blob_read(const void *p, size_t n, size_t *ret_n, const char **ret_why)
{
	struct fr_site_tu *tu;
	struct old_tu head;

	if (n < sizeof(head)) {
		*ret_why = "it is not a site table";
		return NULL;
	}
	memcpy(&head, p, sizeof(head));
	if (head.magic == FR_SITE_MAGIC && head.version >= 1 && head.version <= 3) {
		tu = convert(p, n, &n, ret_why);
		if (!tu)
			return NULL;
	} else {
		tu = fr_xmalloc(n);
		memcpy(tu, p, n);
	}
	if (fr_site_blob_check(tu, n, ret_why) < 0) {
		free(tu);
		return NULL;
	}
	fr_assert(tu->version == FR_SITE_VERSION);
	*ret_n = n;
	return tu;
}
