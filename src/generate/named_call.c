/*
 * Calls of named functions: see named_call.h. The model has no call stacks, so this reads the trace
 * again, thread by thread. The outermost frame with a matching function makes the region, as long
 * as that frame stays on the stack.
 *
 * A function that was inlined, or that has no frame because it calls nothing, is known only by the
 * source positions of its events and of its calls. Its region ends with the first event of another
 * function, or with a possible new call: a position above the last one, the first position again,
 * or a copy that is inlined elsewhere.
 *
 * Not handled: imported traces, which have no call stacks.
 */
#include "generate/named_call.h"
#include "trace/stack.h"
#include <fnmatch.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* The position of a site in the outermost matching function. */
struct fit {
	bool fits;
	uint32_t line;
	uint32_t copy; /* hash of the positions at which that function is inlined */
};

struct named_reader {
	const struct fr_model *m;
	const struct fr_generate_opt *opt;
	struct fr_map sites; /* site -> index into `position` + 1 */
	FR_VEC(struct fit) position;
	struct fr_stack stack;
	uint32_t depth; /* index of the outermost matching frame */
	/* State if no frame matches but positions do. */
	bool alone;
	uint32_t in; /* frame that contains the positions */
	uint32_t first, last;
	uint32_t call; /* number of the current call; 0 = none */
	uint32_t calls;
};

static bool fits_glob(const char *glob, const char *s)
{
	const char *base = strrchr(s, '/');

	return *s && (!fnmatch(glob, s, 0) || (base && !fnmatch(glob, base + 1, 0)));
}

/* Functions are counted from the innermost one through those it is inlined into: 0 ... nframes. */
static bool fits_level(const struct fr_site_info *s, const char *glob, uint32_t level)
{
	fr_assert(level <= s->nframes);
	if (level == s->nframes && fits_glob(glob, s->physical))
		return true;
	if (level)
		return fits_glob(glob, s->strings + s->frames[level - 1].function) ||
		       fits_glob(glob, s->strings + s->frames[level - 1].file);
	return fits_glob(glob, s->function) || fits_glob(glob, s->file) ||
	       (s->kind == FR_SITE_FUNCTION && fits_glob(glob, s->name));
}

/* The outermost matching level, or NOWHERE. */
static uint32_t level_of(const struct fr_site_info *s, const char *glob)
{
	for (uint32_t i = s->known ? s->nframes + 1 : 0; i--;)
		if (fits_level(s, glob, i))
			return i;
	return NOWHERE;
}

static struct fit position_in(struct named_reader *r, uint32_t site)
{
	uint64_t *at = fr_map_put(&r->sites, site);
	uint32_t level = 0;
	struct fit p = {0};
	struct fr_site_info s;

	fr_assert(*at <= r->position.n);
	if (*at)
		return r->position.v[*at - 1];
	s = fr_sites_get(r->m->trace->sites, site);
	FR_VEC_FOREACH (glob, &r->opt->atomic) {
		uint32_t x = level_of(&s, *glob);

		if (x != NOWHERE && (!p.fits || x > level))
			level = x;
		p.fits |= x != NOWHERE;
	}
	fr_assert(p.fits ? level <= s.nframes : !level);
	p.line = level ? s.frames[level - 1].line : s.line;
	for (uint32_t i = level; p.fits && i < s.nframes; i++)
		p.copy =
		    (uint32_t)fr_mix(p.copy, (uint64_t)s.frames[i].line << 32 | s.frames[i].column);
	fr_vec_push(&r->position, p);
	*at = r->position.n;
	return p;
}

/* The stack has changed; the lowest `kept` frames are as before. */
static void see_frames(struct named_reader *r, uint32_t kept)
{
	fr_assert(kept <= r->stack.frame.n);
	if (r->depth < kept)
		return;
	if (r->depth != NOWHERE || r->in >= kept) {
		r->alone = false;
		r->call = 0;
	}
	r->depth = NOWHERE;
	for (uint32_t i = kept; i < r->stack.frame.n; i++) {
		if (!position_in(r, r->stack.frame.v[i].func).fits)
			continue;
		if (r->alone)
			return;
		r->depth = i;
		r->call = ++r->calls;
		return;
	}
}

/* An event: if no frame matches, its position may match, or that of a call. */
static void see_event(struct named_reader *r, uint32_t site)
{
	uint32_t in = 0, n = (uint32_t)r->stack.frame.n;
	bool calls, again;
	struct fit p;

	fr_assert(!r->alone || r->call);
	fr_assert(r->depth == NOWHERE || (r->depth < r->stack.frame.n && r->call));
	if (r->depth != NOWHERE)
		return;
	while (in + 1 < n && !position_in(r, r->stack.frame.v[in].call).fits)
		in++;
	calls = in + 1 < n;
	if (calls)
		site = r->stack.frame.v[in].call;
	p = position_in(r, site);
	if (!site || !p.fits) {
		r->alone = false;
		r->call = 0;
		return;
	}
	again = site == r->first && !(calls && site == r->last);
	if (!r->alone || again || p.line < position_in(r, r->last).line ||
	    p.copy != position_in(r, r->last).copy) {
		r->call = ++r->calls;
		r->first = site;
	}
	r->alone = true;
	r->in = in;
	r->last = site;
}

static void read_thread(struct named_reader *r, const struct fr_trace_thread *th, uint32_t thread,
			struct fr_named *ret)
{
	const struct fr_mthread *t = &r->m->thread[thread];
	uint32_t last = 0, position = 0;
	struct fr_iter it;
	struct fr_rec rec;
	struct fr_err err;

	r->stack.frame.n = 0;
	r->depth = NOWHERE;
	r->alone = false;
	r->in = r->call = 0;
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
		position = fr_hooks_find(&t->hooks, position, t->n, rec.hook);
		if (position == t->n)
			break;
		fr_assert(!ret->thread[thread].n ||
			  ret->thread[thread].v[ret->thread[thread].n - 1].at <= t->ev[position]);
		fr_vec_push(&ret->thread[thread],
			    (struct fr_named_change){t->ev[position], last != 0});
	}
	fr_iter_close(&it);
}

void fr_named_find(struct fr_named *n, const struct fr_model *m, const struct fr_generate_opt *opt)
{
	struct named_reader r = {.m = m, .opt = opt};

	*n = (struct fr_named){.nthreads = m->nthreads};
	n->thread = fr_xcalloc((size_t)m->nthreads + 1, sizeof(*n->thread));
	for (uint32_t t = 0; m->trace && t < m->nthreads; t++) {
		const struct fr_trace_thread *th = fr_trace_thread(m->trace, m->thread[t].id);

		if (th)
			read_thread(&r, th, t, n);
	}
	fr_stack_free(&r.stack);
	fr_map_free(&r.sites);
	fr_vec_free(&r.position);
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
		if (level_of(&s, glob) != NOWHERE)
			return true;
	}
	return !n;
}
