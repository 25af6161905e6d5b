/* The order and choice of findings in reports: see ranking.h. */
#include "findings/ranking.h"
#include "base/assert.h"
#include "findings/renumber.h"
#include <stdlib.h>

static bool is(const struct fr_finding *x, enum fr_verdict verdict)
{
	fr_assert(x->interleaving.n);
	return x->interleaving.v[0].verdict == verdict;
}

bool fr_finding_lacks_harm(const struct fr_finding *x)
{
	return (x->needs && !is(x, FR_VERDICT_CONFIRMED)) || fr_finding_left_out(x);
}

/* Puts the failure of the recorded run first. Sorts by verdict, then harm, then number: see
   fr_findings_sort. */
static int worst_first(const void *pa, const void *pb)
{
	const struct fr_finding *a = ((const struct fr_ranked *)pa)->x;
	const struct fr_finding *b = ((const struct fr_ranked *)pb)->x;
	bool fa = fr_finding_recorded_failure(a), fb = fr_finding_recorded_failure(b);
	enum fr_verdict ra = a->interleaving.v->verdict, rb = b->interleaving.v->verdict;
	enum fr_harm ha = a->interleaving.v->harm, hb = b->interleaving.v->harm;

	if (fa != fb)
		return fa ? -1 : 1;
	if (ra != rb)
		return ra > rb ? -1 : 1;
	if (ha != hb)
		return ha > hb ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Is there harm that no earlier item shows? It happened, whatever the verdict. */
static bool came_to_harm(const struct fr_ranked *v, size_t i)
{
	if (!fr_finding_harmed(v[i].x))
		return false;
	for (size_t k = 0; k < i; k++)
		if (fr_finding_harm_same(v[k].x, v[i].x))
			return false;
	return true;
}

/* Is it listed under another item? */
static bool is_listed(const struct fr_ranked *v, size_t n, size_t i)
{
	for (size_t k = 0; k < n; k++)
		if (fr_finding_under(v[i].x, v[k].x))
			return true;
	return false;
}

/* Decides why a report without --all hides an item. The items are sorted. */
static enum fr_hides hides(const struct fr_ranked *v, size_t n, size_t i)
{
	if (fr_finding_lacks_harm(v[i].x))
		return FR_HIDES_HARMLESS;
	if (!is(v[i].x, FR_VERDICT_CONFIRMED) && !came_to_harm(v, i))
		return FR_HIDES_UNPROVED;
	if (fr_finding_folded(v[i].x))
		return FR_HIDES_FOLDED;
	return is_listed(v, n, i) ? FR_HIDES_LISTED : FR_HIDES_NOT;
}

static int shown_first(const void *pa, const void *pb)
{
	const struct fr_ranked *a = pa, *b = pb;
	bool ha = a->hides != FR_HIDES_NOT, hb = b->hides != FR_HIDES_NOT;

	return ha != hb ? ha - hb : worst_first(pa, pb);
}

void fr_ranked_sort(struct fr_ranked *v, size_t n)
{
	if (!n)
		return;
	qsort(v, n, sizeof(*v), worst_first);
	for (size_t i = 0; i < n; i++)
		v[i].hides = hides(v, n, i);
	qsort(v, n, sizeof(*v), shown_first);
}

int fr_ranked_number(const char *dir, struct fr_findings *f, struct fr_err *reterr)
{
	size_t n = f->finding.n;
	FR_CLEANUP(fr_freep) struct fr_ranked *v = fr_xcalloc(n + 1, sizeof(*v));
	FR_CLEANUP(fr_freep) uint32_t *number = fr_xcalloc(n + 1, sizeof(*number));

	for (size_t i = 0; i < n; i++)
		v[i].x = &f->finding.v[i];
	fr_ranked_sort(v, n);
	for (size_t i = 0; i < n; i++)
		number[v[i].x - f->finding.v] = (uint32_t)i + 1;
	return fr_findings_renumber(dir, f, number, reterr);
}
