/* Findings in memory: strings, comparison, order. */
#include "findings/finding.h"
#include "base/assert.h"
#include "model/region_kind.h"
#include "format/site_table.h"
#include "findings/verdict.h"
#include "base/hash.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *fr_findings_str(struct fr_findings *f, const char *s)
{
	uint64_t *at;

	if (!s)
		return NULL;
	if (!*s)
		return "";
	at = fr_map_put(&f->strings, fr_hash_text(FR_HASH_START, s) >> 1);
	fr_assert(*at <= f->string.n);
	if (*at && !strcmp(f->string.v[*at - 1], s))
		return f->string.v[*at - 1];
	fr_vec_push(&f->string, fr_xstrdup(s));
	*at = f->string.n;
	return f->string.v[f->string.n - 1];
}

const char *fr_findings_printf(struct fr_findings *f, const char *fmt, ...)
{
	FR_CLEANUP(fr_freep) char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	s = fr_xvasprintf(fmt, ap);
	va_end(ap);
	return fr_findings_str(f, s);
}

bool fr_position_of_system(const struct fr_position *p)
{
	return fr_site_of_system(p->file);
}

void fr_finding_event_free(struct fr_finding_event *e)
{
	fr_vec_free(&e->stack);
	fr_vec_free(&e->lock);
}

static void reverse(struct fr_finding_event *e, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct fr_finding_event t = e[i];

		e[i] = e[n - 1 - i];
		e[n - 1 - i] = t;
	}
}

void fr_interleaving_swap(struct fr_interleaving *w)
{
	size_t n = w->event.n;

	reverse(w->event.v, n);
	if (w->witness.n >= n)
		reverse(w->witness.v + w->witness.n - n, n);
	w->swapped = !w->swapped;
}

bool fr_interleaving_same(const struct fr_interleaving *a, const struct fr_interleaving *b)
{
	bool same = a->event.n == b->event.n;

	for (size_t i = 0; same && i < a->event.n; i++) {
		const struct fr_finding_event *x = &a->event.v[i], *y = &b->event.v[i];

		same = x->at.line == y->at.line && x->at.column == y->at.column &&
		       !strcmp(x->at.file, y->at.file) && x->access == y->access &&
		       !strcmp(x->at.function, y->at.function);
	}
	return same;
}

size_t fr_interleaving_events(const struct fr_interleaving *w)
{
	size_t n = w->event.n;

	while (n && fr_role_too_late(w->event.v[n - 1].role))
		n--;
	return n;
}

char *fr_schedule_name(uint32_t id, uint32_t nth)
{
	fr_assert(id && nth);
	return nth > 1 ? fr_xasprintf("%" PRIu32 "/schedule.%" PRIu32, id, nth)
		       : fr_xasprintf("%" PRIu32 "/schedule", id);
}

void fr_interleaving_name(struct fr_findings *f, struct fr_interleaving *w, uint32_t id,
			  uint32_t nth)
{
	FR_CLEANUP(fr_freep) char *name = fr_schedule_name(id, nth);

	w->schedule = fr_findings_str(f, name);
	w->nth = nth;
}

void fr_interleaving_free(struct fr_interleaving *w)
{
	FR_VEC_FOREACH (e, &w->event)
		fr_finding_event_free(e);
	FR_VEC_FOREACH (e, &w->witness)
		fr_finding_event_free(e);
	fr_vec_free(&w->event);
	fr_vec_free(&w->witness);
}

void fr_findings_free(struct fr_findings *f)
{
	FR_VEC_FOREACH (x, &f->finding) {
		FR_VEC_FOREACH (w, &x->interleaving)
			fr_interleaving_free(w);
		fr_vec_free(&x->interleaving);
		FR_VEC_FOREACH (e, &x->relaxed)
			fr_finding_event_free(e);
		fr_vec_free(&x->relaxed);
		fr_vec_free(&x->reads);
	}
	FR_VEC_FOREACH (o, &f->summary.obstacle)
		fr_vec_free(&o->reads);
	fr_vec_free(&f->summary.obstacle);
	FR_VEC_FOREACH (s, &f->string)
		free(*s);
	fr_vec_free(&f->finding);
	fr_vec_free(&f->string);
	fr_map_free(&f->strings);
	fr_vec_free(&f->summary.stats.tier);
	fr_vec_free(&f->args);
	fr_vec_free(&f->named);
	fr_vec_free(&f->summary.why);
	fr_vec_free(&f->summary.missing);
	*f = (struct fr_findings){0};
}

/* Does the end of the program decide about the kind of findings with this need? */
static bool is_named_by_end(enum fr_needs needs)
{
	fr_assert(needs < FR_NEEDS_COUNT);
	return fr_needs_kind[needs][0] != NULL;
}

void fr_finding_name(struct fr_finding *f)
{
	const struct fr_interleaving *w = &f->interleaving.v[0];
	bool woken = w->verdict != FR_VERDICT_CONFIRMED || !w->never_woken;

	if (is_named_by_end(f->needs))
		f->kind = fr_needs_kind[f->needs][!woken];
}

bool fr_finding_same_kind(const struct fr_finding *a, const struct fr_finding *b)
{
	return !strcmp(a->kind, b->kind) ||
	       (is_named_by_end(a->needs) && is_named_by_end(b->needs));
}

bool fr_finding_is_guess(const struct fr_finding *f)
{
	if (!f->region)
		return false;
	return fr_region_is_near(f->region) || f->region == FR_REGION_SPLIT ||
	       f->region == FR_REGION_OUTER || f->shape == FR_SHAPE_WWW;
}

bool fr_finding_folded(const struct fr_finding *f)
{
	const struct fr_interleaving *w = &f->interleaving.v[0];
	bool confirmed = w->verdict == FR_VERDICT_CONFIRMED;

	fr_assert(f->interleaving.n);
	if (f->explained_by && !fr_finding_recorded_failure(f))
		return true;
	if (is_named_by_end(f->needs))
		return !confirmed || !fr_harm_seen(w->harm);
	return (f->needs || fr_finding_is_guess(f)) && confirmed && !fr_harm_seen(w->harm);
}

bool fr_finding_left_out(const struct fr_finding *f)
{
	return (f->needs || f->explained_by) && fr_finding_folded(f);
}

bool fr_finding_recorded_failure(const struct fr_finding *f)
{
	return f->recorded && f->failure;
}

bool fr_finding_later_failure(const struct fr_finding *f)
{
	return !f->recorded && f->failure;
}

bool fr_finding_harmed(const struct fr_finding *f)
{
	fr_assert(f->interleaving.n);
	return f->interleaving.v[0].verdict == FR_VERDICT_REFUTED &&
	       fr_harm_seen(f->interleaving.v[0].harm);
}

bool fr_finding_harm_same(const struct fr_finding *a, const struct fr_finding *b)
{
	const struct fr_interleaving *x = &a->interleaving.v[0], *y = &b->interleaving.v[0];

	return x->harm == y->harm && x->where && x->where == y->where;
}

/* Is the access an event of the finding, and has each of its events one of the two roles of a
   race? */
static bool is_race_of(const struct fr_finding *x, const struct fr_finding_event *access)
{
	bool found = false;

	FR_VEC_FOREACH (e, &x->interleaving.v[0].event) {
		if (e->role != FR_ROLE_FIRST && e->role != FR_ROLE_SECOND)
			return false;
		found |= e->at.line == access->at.line && e->at.column == access->at.column &&
			 e->access == access->access && !strcmp(e->at.file, access->at.file);
	}
	return found && !x->needs && !x->region;
}

bool fr_finding_under(const struct fr_finding *x, const struct fr_finding *of)
{
	if (of->needs != FR_NEEDS_NULL || fr_finding_folded(of) || fr_finding_folded(x) ||
	    of->interleaving.v[0].verdict != FR_VERDICT_CONFIRMED ||
	    x->interleaving.v[0].verdict != FR_VERDICT_CONFIRMED || !fr_finding_harm_same(x, of))
		return false;
	FR_VEC_FOREACH (e, &of->interleaving.v[0].event)
		if (e->role == FR_ROLE_READER && is_race_of(x, e))
			return true;
	return false;
}

static int by_rank(const struct fr_finding *a, const struct fr_finding *b)
{
	bool near_a = fr_region_is_near(a->region), near_b = fr_region_is_near(b->region);

	return near_a || near_b ? near_a - near_b : (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_position(const struct fr_finding_event *a, const struct fr_finding_event *b)
{
	int r = strcmp(a->at.file, b->at.file);

	if (r)
		return r;
	if (a->at.line != b->at.line)
		return a->at.line < b->at.line ? -1 : 1;
	return (a->at.column > b->at.column) - (a->at.column < b->at.column);
}

/* Findings of a lower level come first: they are more certain to happen, or to do harm. */
static int level(const struct fr_finding *f)
{
	return (f->tier >= FR_TIER_RELAXED) + 2 * (f->needs && f->doubt >= FR_DOUBT_UNLIKELY);
}

static int compare(const void *pa, const void *pb)
{
	const struct fr_finding *a = pa, *b = pb;
	int r = level(a) != level(b) ? level(a) - level(b) : by_rank(a, b);

	if (!r)
		r = (a->doubt > b->doubt) - (a->doubt < b->doubt);
	for (size_t i = 0; !r && i < a->interleaving.v->event.n && i < b->interleaving.v->event.n;
	     i++)
		r = by_position(&a->interleaving.v->event.v[i], &b->interleaving.v->event.v[i]);
	if (!r)
		r = strcmp(a->subject, b->subject);
	return r ? r : (a->id > b->id) - (a->id < b->id);
}

void fr_findings_sort(struct fr_findings *f)
{
	uint32_t id = 0;

	if (f->finding.n)
		qsort(f->finding.v, f->finding.n, sizeof(*f->finding.v), compare);
	FR_VEC_FOREACH (x, &f->finding)
		x->id = fr_finding_folded(x) ? 0 : ++id;
	FR_VEC_FOREACH (x, &f->finding)
		if (!x->id)
			x->id = ++id;
}
