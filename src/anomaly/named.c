/*
 * Calls of named functions: named.h. The trace is read again for the call stacks that the model
 * does not have, thread by thread; the outermost frame whose function fits makes the region, as
 * long as it stays where it is.
 *
 * A function that was inlined, or that has no frame of its own because it calls nothing, is known
 * by the places of its events alone: then the region ends with the first event of another function,
 * or that is above the last one, which may be another call.
 *
 * Not here:  imported traces, which have no call stacks.
 */
#include "anomaly/named.h"
#include "trace/stack.h"
#include <fnmatch.h>
#include <string.h>

#define NOWHERE UINT32_MAX

struct reader {
	const struct fr_model *m;
	const struct fr_anomaly_opt *opt;
	struct fr_map fits; /* site: 1 no, 2 yes */
	struct fr_stack stack;
	uint32_t depth; /* of the outermost frame that fits */
	bool alone;	/* an event's place fits, no frame does */
	uint32_t line, column;
	uint32_t call; /* a number for each call; 0: in none */
	uint32_t calls;
};

static bool fits_glob(const char *glob, const char *s)
{
	const char *base = strrchr(s, '/');

	return *s && (!fnmatch(glob, s, 0) || (base && !fnmatch(glob, base + 1, 0)));
}

static bool fits_site(const struct fr_site_info *s, const char *glob)
{
	bool yes = s->known && (fits_glob(glob, s->function) || fits_glob(glob, s->physical) ||
				fits_glob(glob, s->file) ||
				(s->kind == FR_SITE_FUNCTION && fits_glob(glob, s->name)));

	for (uint32_t i = 0; s->known && i < s->nframes && !yes; i++)
		yes = fits_glob(glob, s->strings + s->frames[i].function);
	return yes;
}

static bool fits(struct reader *r, uint32_t site)
{
	uint64_t *at = fr_map_put(&r->fits, site);
	struct fr_site_info s;
	bool yes = false;

	if (*at)
		return *at == 2;
	s = fr_sites_get(r->m->trace->sites, site);
	FR_VEC_FOREACH (glob, &r->opt->atomic)
		yes |= fits_site(&s, *glob);
	*at = 1 + yes;
	return yes;
}

/* The stack has changed: `kept` frames are as before. */
static void see_frames(struct reader *r, uint32_t kept)
{
	if (r->depth < kept)
		return;
	r->depth = NOWHERE;
	r->alone = false;
	r->call = 0;
	for (uint32_t i = kept; i < r->stack.frame.n; i++) {
		if (!fits(r, r->stack.frame.v[i].func))
			continue;
		r->depth = i;
		r->call = ++r->calls;
		return;
	}
}

/* An event: if no frame fits, its place may. */
static void see_event(struct reader *r, uint32_t site)
{
	struct fr_site_info s;
	bool below;

	if (r->depth != NOWHERE)
		return;
	if (!site || !fits(r, site)) {
		r->alone = false;
		r->call = 0;
		return;
	}
	s = fr_sites_get(r->m->trace->sites, site);
	below = s.line != r->line ? s.line > r->line : s.column >= r->column;
	if (!r->alone || !below)
		r->call = ++r->calls;
	r->alone = true;
	r->line = s.line;
	r->column = s.column;
}

/* The thread's first event of the model, from place i on, at this hook or after. */
static uint32_t place_of(const struct fr_mthread *t, uint32_t i, uint64_t idx)
{
	uint32_t n = t->n - i;

	while (n) {
		uint32_t half = n / 2;

		if (fr_hooks_get(&t->hooks, i + half) < idx) {
			i += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return i;
}

static void read_thread(struct reader *r, const struct fr_trace_thread *th, uint32_t thread,
			struct fr_named *ret)
{
	const struct fr_mthread *t = &r->m->thread[thread];
	uint32_t last = 0, place = 0;
	struct fr_iter it;
	struct fr_rec rec;
	struct fr_err err;

	r->stack.frame.n = 0;
	r->depth = NOWHERE;
	r->alone = false;
	r->call = 0;
	fr_iter_open(&it, r->m->trace, th);
	while (fr_iter_next(&it, &rec, &err) > 0) {
		unsigned kind = fr_event_kind(rec.e);

		if (kind == FR_EV_FRAMES) {
			fr_stack_feed(&r->stack, &rec);
			see_frames(
			    r, (uint32_t)fr_min(fr_event_addr(rec.e), (uint64_t)r->stack.frame.n));
			continue;
		}
		if (fr_event_class(kind) == 'x')
			continue;
		see_event(r, rec.e->site);
		if (r->call == last)
			continue;
		last = r->call;
		place = place_of(t, place, rec.idx);
		if (place == t->n)
			break;
		fr_vec_push(&ret->thread[thread],
			    (struct fr_named_change){t->ev[place], last != 0});
	}
	fr_iter_close(&it);
}

void fr_named_find(struct fr_named *n, const struct fr_model *m, const struct fr_anomaly_opt *opt)
{
	struct reader r = {.m = m, .opt = opt};

	*n = (struct fr_named){.nthreads = m->nthreads};
	n->thread = fr_xcalloc((size_t)m->nthreads + 1, sizeof(*n->thread));
	for (uint32_t t = 0; m->trace && t < m->nthreads; t++) {
		const struct fr_trace_thread *th = fr_trace_thread(m->trace, m->thread[t].id);

		if (th)
			read_thread(&r, th, t, n);
	}
	fr_stack_free(&r.stack);
	fr_map_free(&r.fits);
}

void fr_named_free(struct fr_named *n)
{
	for (uint32_t t = 0; t < n->nthreads; t++)
		fr_vec_free(&n->thread[t]);
	free(n->thread);
}

bool fr_named_fits_any(const struct fr_model *m, const char *glob)
{
	uint32_t n = m->trace ? fr_sites_count(m->trace->sites) : 0;

	for (uint32_t i = 0; i <= n; i++) {
		struct fr_site_info s = {0};

		if (m->trace)
			s = fr_sites_get(m->trace->sites, i);
		if (fits_site(&s, glob))
			return true;
	}
	return !n;
}
