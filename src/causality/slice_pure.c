/* Reads purity tables: see slice_pure.h. */
#include "causality/slice_pure.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>

#define NAME_MAX_BYTES 4096

struct pure_function {
	char *name;
	char *uses; /* a letter for each parameter */
};

struct fr_pure {
	FR_VEC(struct pure_function) entry;
	struct fr_map by_name; /* hash -> entry + 1; names with the same hash take the next keys */
};

struct fr_pure *fr_pure_new(void)
{
	return fr_xcalloc(1, sizeof(struct fr_pure));
}

void fr_pure_free(struct fr_pure *p)
{
	if (!p)
		return;
	FR_VEC_FOREACH (e, &p->entry) {
		free(e->name);
		free(e->uses);
	}
	fr_vec_free(&p->entry);
	fr_map_free(&p->by_name);
	free(p);
}

static const struct pure_function *find(const struct fr_pure *p, const char *name)
{
	for (uint64_t key = fr_hash_text(FR_HASH_START, name) >> 1;; key++) {
		const uint64_t *at = fr_map_get(&p->by_name, key);

		if (!at)
			return NULL;
		fr_assert(*at && *at <= p->entry.n);
		if (!strcmp(p->entry.v[*at - 1].name, name))
			return &p->entry.v[*at - 1];
	}
}

static void add(struct fr_pure *p, char *name, char *uses)
{
	struct pure_function *old = (struct pure_function *)find(p, name);
	uint64_t key = fr_hash_text(FR_HASH_START, name) >> 1;

	if (old) {
		free(old->uses);
		old->uses = uses;
		free(name);
		return;
	}
	while (fr_map_get(&p->by_name, key))
		key++;
	fr_vec_push(&p->entry, ((struct pure_function){name, uses}));
	*fr_map_put(&p->by_name, key) = p->entry.n;
}

/* One line without its end: a name and, perhaps, letters. */
static bool parse_line(struct fr_pure *p, const char *line, size_t n)
{
	size_t name, gap, uses;

	while (n && isspace((unsigned char)line[n - 1]))
		n--;
	while (n && isspace((unsigned char)*line))
		line++, n--;
	if (!n)
		return true;
	for (name = 0; name < n && !isspace((unsigned char)line[name]); name++)
		if (!isgraph((unsigned char)line[name]))
			return false;
	for (gap = name; gap < n && isspace((unsigned char)line[gap]); gap++)
		;
	uses = n - gap;
	for (size_t i = 0; i < uses; i++)
		if (!strchr("nipv", line[gap + i]) || (line[gap + i] == 'v' && i + 1 < uses))
			return false;
	if (name > NAME_MAX_BYTES || memchr(line, 0, n))
		return false;
	add(p, fr_xstrndup(line, name), fr_xstrndup(line + gap, uses));
	return true;
}

int fr_pure_parse(struct fr_pure *p, const char *path, const char *text, size_t n,
		  struct fr_err *reterr)
{
	for (unsigned line = 1; n; line++) {
		const char *end = memchr(text, '\n', n);
		size_t len = end ? (size_t)(end - text) : n;
		const char *comment = memchr(text, '#', len);

		if (!parse_line(p, text, comment ? (size_t)(comment - text) : len))
			return fr_err_say(reterr, -EINVAL,
					  "%s:%u: expected the name of a function and letters 'n' "
					  "(number), 'i' (ignored number), 'p' (pointer) or a last "
					  "'v' (variable arguments)",
					  path, line);
		len += end != NULL;
		text += len;
		n -= len;
	}
	return 0;
}

bool fr_pure_has(const struct fr_pure *p, const char *function)
{
	return find(p, function);
}

enum fr_pure_use fr_pure_param(const struct fr_pure *p, const char *function, uint32_t i)
{
	const struct pure_function *e = find(p, function);
	size_t n;

	fr_assert(e);
	n = strlen(e->uses);
	/* The pass calls pointers among variable arguments used. */
	if (n && i + 1 >= n && e->uses[n - 1] == 'v')
		return FR_PURE_NUMBER;
	if (i >= n)
		return FR_PURE_USED;
	return e->uses[i] == 'n'   ? FR_PURE_NUMBER
	       : e->uses[i] == 'i' ? FR_PURE_IGNORED
				   : FR_PURE_USED;
}

size_t fr_pure_count(const struct fr_pure *p)
{
	return p->entry.n;
}

int fr_pure_read(struct fr_pure *p, const char *path, struct fr_err *reterr)
{
	struct fr_mapped file = {0};
	int r = fr_io_map(path, &file, reterr);

	if (r < 0)
		return r;
	r = fr_pure_parse(p, path, (const char *)file.p, file.n, reterr);
	fr_io_unmap(&file);
	return r;
}
