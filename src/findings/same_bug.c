/* Comparison of the findings of different runs: see same_bug.h. */
#include "findings/same_bug.h"
#include "base/assert.h"
#include "base/hash.h"
#include <string.h>

/* ---- of another build ---- */

static bool same_event(const struct fr_finding_event *a, const struct fr_finding_event *b)
{
	return a->access == b->access && !strcmp(a->at.function, b->at.function);
}

/* Does each event of one occur in the other, in any order? Findings have few events. Events that
   vary (fr_role_varies) do not count. */
static bool same_events(const struct fr_interleaving *a, const struct fr_interleaving *b)
{
	uint64_t used = 0;

	if (a->event.n != b->event.n || a->event.n > 64)
		return false;
	FR_VEC_FOREACH (x, &a->event) {
		size_t k = 0;

		if (fr_role_varies(x->role))
			continue;
		while (k < b->event.n && (used >> k & 1 || !same_event(x, &b->event.v[k])))
			k++;
		if (k == b->event.n)
			return false;
		fr_assert(k < 64);
		used |= UINT64_C(1) << k;
	}
	return true;
}

/* A failure has no events of its own. In the new run, a finding may lead to it. */
static bool same_failure(const struct fr_finding *x, const struct fr_finding *y)
{
	const struct fr_interleaving *a = &x->interleaving.v[0], *b = &y->interleaving.v[0];

	return x->failure && b->verdict == FR_VERDICT_CONFIRMED && a->harm == b->harm &&
	       a->where_named && a->where_named == b->where_named;
}

const struct fr_finding *fr_findings_same_bug(const struct fr_findings *f,
					      const struct fr_finding *x)
{
	FR_VEC_FOREACH (y, &f->finding)
		if (fr_finding_same_kind(x, y) && !strcmp(x->subject, y->subject) &&
		    same_events(&x->interleaving.v[0], &y->interleaving.v[0]))
			return y;
	FR_VEC_FOREACH (y, &f->finding)
		if (same_failure(x, y))
			return y;
	return NULL;
}

/* ---- of the same program ---- */

/* Is it where the run failed? In a hang, that is where threads wait. */
static bool is_cause(const struct fr_finding *x, const struct fr_finding_event *e)
{
	fr_assert(fr_finding_recorded_failure(x));
	return e->role ==
	       (x->interleaving.v[0].harm == FR_HARM_HANG ? FR_ROLE_WAITS : FR_ROLE_FAILS);
}

uint64_t fr_finding_bug(const struct fr_finding *x)
{
	uint64_t sum = 0;

	fr_assert(x->interleaving.n);
	FR_VEC_FOREACH (e, &x->interleaving.v[0].event) {
		uint64_t h = FR_HASH_START ^ fr_hash_spread(e->at.line);

		if (fr_role_varies(e->role) || (fr_finding_recorded_failure(x) && !is_cause(x, e)))
			continue;
		h = fr_hash_text(h, e->at.file);
		h = fr_hash_bytes(h, &(uint8_t){(uint8_t)e->access}, 1);
		sum += h ^ h >> 29;
	}
	return fr_hash_text(sum, x->kind) >> 1;
}
