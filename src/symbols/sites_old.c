/*
 * Site tables of older versions, which runs recorded earlier have. Versions 1 and 2 have a shorter
 * header, no marks, and narrower access bits. This file turns them into the current version.
 */
#include "base/assert.h"
#include "symbols/sites.h"
#include <errno.h>
#include <string.h>

struct old_tu {
	uint32_t magic, version, size, nsites, nframes, strings, dir, hash;
};

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
	struct fr_site_tu *tu;
	struct fr_site *to;
	struct old_tu old;
	uint64_t sites;

	memcpy(&old, p, sizeof(old));
	sites = (uint64_t)old.nsites * sizeof(struct old_site);
	if (old.size != n || sites > n - sizeof(old)) {
		*ret_why = "its size is wrong";
		return NULL;
	}
	if (old.hash != fr_site_hash(p, sizeof(old), n)) {
		*ret_why = "its checksum is wrong";
		return NULL;
	}
	*ret_n = n - sizeof(old) + sizeof(*tu);
	tu = fr_xcalloc(1, *ret_n);
	*tu = (struct fr_site_tu){.magic = old.magic,
				  .version = FR_SITE_VERSION,
				  .size = (uint32_t)*ret_n,
				  .nsites = old.nsites,
				  .nframes = old.nframes,
				  .strings = old.strings,
				  .dir = old.dir};
	to = (struct fr_site *)(tu + 1);
	for (uint32_t i = 0; i < old.nsites; i++)
		to[i] = site(p + sizeof(old) + i * sizeof(struct old_site));
	memcpy(to + old.nsites, p + sizeof(old) + sites, n - sizeof(old) - sites);
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
	if (head.magic == FR_SITE_MAGIC && (head.version == 1 || head.version == 2)) {
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
