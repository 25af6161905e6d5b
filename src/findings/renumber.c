/* New numbers for findings: see renumber.h. */
#include "findings/renumber.h"
#include "base/assert.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int by_number(const void *pa, const void *pb)
{
	const struct fr_finding *a = pa, *b = pb;

	return (a->id > b->id) - (a->id < b->id);
}

/* Returns an array from old to new numbers. */
static uint32_t *numbers(const struct fr_findings *f, const uint32_t *number, bool *ret_change)
{
	size_t n = f->finding.n;
	uint32_t *to = fr_xcalloc(n + 1, sizeof(*to));

	*ret_change = false;
	for (size_t i = 0; i < n; i++) {
		uint32_t id = f->finding.v[i].id;

		fr_assert(id && id <= n && !to[id] && number[i] && number[i] <= n);
		to[id] = number[i];
		*ret_change |= id != number[i];
	}
	return to;
}

static uint32_t *inverse(const uint32_t *to, size_t n)
{
	uint32_t *from = fr_xcalloc(n + 1, sizeof(*from));

	for (uint32_t i = 1; i <= n; i++) {
		fr_assert(!from[to[i]]); /* no number twice */
		from[to[i]] = i;
	}
	return from;
}

static void apply(struct fr_findings *f, const uint32_t *to)
{
	FR_VEC_FOREACH (x, &f->finding) {
		x->id = to[x->id];
		fr_assert(x->explained_by <= f->finding.n);
		x->explained_by = to[x->explained_by];
		FR_VEC_FOREACH (w, &x->interleaving)
			if (w->schedule)
				fr_interleaving_name(f, w, x->id, w->nth);
	}
	qsort(f->finding.v, f->finding.n, sizeof(*f->finding.v), by_number);
}

/* Renames DIR/A to DIR/B, each with a suffix. A finding of the recorded run may have no folder. */
static int move(const char *dir, uint32_t a, const char *end_a, uint32_t b, const char *end_b,
		struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *from = fr_xasprintf("%s/%" PRIu32 "%s", dir, a, end_a);
	FR_CLEANUP(fr_freep) char *to = fr_xasprintf("%s/%" PRIu32 "%s", dir, b, end_b);

	return fr_dir_stat(from, NULL) == -ENOENT ? 0 : fr_dir_move(from, to, reterr);
}

int fr_findings_move(const char *dir, const uint32_t *to, uint32_t n, struct fr_err *reterr)
{
	int r = 0;

	for (uint32_t i = 1; i <= n && !r; i++)
		if (to[i] != i)
			r = move(dir, i, "", i, FR_RENUMBER_SUFFIX, reterr);
	for (uint32_t i = 1; i <= n && !r; i++)
		if (to[i] != i)
			r = move(dir, i, FR_RENUMBER_SUFFIX, to[i], "", reterr);
	return r;
}

int fr_findings_renumber(const char *dir, struct fr_findings *f, const uint32_t *number,
			 struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json", dir);
	FR_CLEANUP(fr_dir_drop) struct fr_dir_new new = {.fd = -1, .from = -1};
	FR_CLEANUP(fr_freep) uint32_t *to = NULL, *from = NULL;
	bool change;
	int r;

	to = numbers(f, number, &change);
	if (!change)
		return 0;
	from = inverse(to, f->finding.n);
	apply(f, to);
	r = fr_findings_write(dir, f, &new, reterr);
	if (r < 0) {
		apply(f, from);
		return r;
	}
	r = fr_dir_unlink(path);
	if (r < 0)
		return fr_err_set(reterr, r, "cannot replace '%s'", path);
	r = fr_findings_move(dir, to, (uint32_t)f->finding.n, reterr);
	return r < 0 ? r : fr_findings_publish(dir, &new, reterr);
}
