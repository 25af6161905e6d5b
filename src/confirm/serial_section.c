/* Sections of two threads: see serial_section.h. */
#include "confirm/serial_section.h"
#include "base/assert.h"
#include "symbols/sites.h"
#include "trace/stack.h"
#include <string.h>

#define SECTION_MAX 20000 /* events */
#define LOOK_MAX 20000	  /* events examined on each side of a cut */
#define SITES_MAX 256	  /* different sites of accesses on each side of a cut */
#define ROUNDS_MAX 64
#define DEEP_MAX 512

/* ---- contexts ---- */

void fr_contexts_init(struct fr_contexts *x, const struct fr_model *m)
{
	*x = (struct fr_contexts){.m = m, .thread = fr_xcalloc(m->nthreads + 1, sizeof(void *))};
	fr_lock_roles_init(&x->locks, m);
}

void fr_contexts_free(struct fr_contexts *x)
{
	for (uint32_t t = 0; x->thread && t < x->m->nthreads; t++)
		free(x->thread[t]);
	free(x->thread);
	fr_vec_free(&x->call);
	fr_map_free(&x->index);
	fr_lock_roles_free(&x->locks);
	*x = (struct fr_contexts){0};
}

/* Returns an identifier of the call path above the innermost frame. */
static uint32_t callers(struct fr_contexts *x, const struct fr_stack *s)
{
	uint32_t from = 0;

	for (size_t i = 0; i + 1 < s->frame.n; i++) {
		uint32_t site = s->frame.v[i].call;
		uint64_t *at = fr_map_put(&x->index, (uint64_t)from << 32 | site);

		if (!*at) {
			fr_vec_push(&x->call, ((struct fr_context_call){from, site}));
			*at = x->call.n;
		}
		from = (uint32_t)*at;
		fr_assert(from && from <= x->call.n);
	}
	return from;
}

/* Reads the call stacks of a thread's events. */
static void read_stacks(struct fr_contexts *x, uint32_t thread, struct fr_context *c)
{
	const struct fr_mthread *t = &x->m->thread[thread];
	const struct fr_trace_thread *th = x->m->trace ? fr_trace_thread(x->m->trace, t->id) : NULL;
	struct fr_stack stack = {0};
	uint32_t position = 0, call = 0;
	struct fr_iter it;
	struct fr_rec rec;
	bool fresh = false;

	if (!th)
		return;
	fr_iter_open(&it, x->m->trace, th);
	while (position < t->n && fr_iter_next(&it, &rec, NULL) > 0) {
		unsigned kind = fr_event_kind(rec.e);

		fr_stack_feed(&stack, &rec);
		fresh |= kind == FR_EV_FRAMES;
		if (fr_event_class(kind) == 'x')
			continue;
		position = fr_hooks_find(&t->hooks, position, t->n, rec.hook);
		for (; position < t->n && fr_hooks_get(&t->hooks, position) == rec.hook;
		     position++) {
			call = fresh ? callers(x, &stack) : call;
			fresh = false;
			c[position].call = call;
		}
	}
	fr_iter_close(&it);
	fr_stack_free(&stack);
}

/* Finds the beginning of the outermost lock region around each event. */
static void find_locks(const struct fr_contexts *x, uint32_t thread, struct fr_context *c)
{
	const struct fr_mthread *t = &x->m->thread[thread];
	uint32_t open = 0, depth = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		unsigned op = fr_lock_roles_op(&x->locks, &x->m->ev[t->ev[i]]);

		c[i].open = open;
		if (op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED)
			open = depth++ ? open : i + 1;
		else if ((op == FR_OP_RELEASE || op == FR_OP_RELEASE_SHARED) && depth)
			open = --depth ? open : 0;
		fr_assert_slow(!open == !depth);
	}
	c[t->n].open = open;
}

const struct fr_context *fr_contexts_of(struct fr_contexts *x, uint32_t thread)
{
	const struct fr_mthread *t = &x->m->thread[thread];
	struct fr_context *c;

	fr_assert(thread < x->m->nthreads);
	c = x->thread[thread];
	if (c)
		return c;
	c = x->thread[thread] = fr_xcalloc((size_t)t->n + 1, sizeof(*c));
	for (uint32_t i = 0; i < t->n; i++)
		c[i].site = x->m->ev[t->ev[i]].site;
	read_stacks(x, thread, c);
	find_locks(x, thread, c);
	return c;
}

/* ---- the order in the text ---- */

/* The present line of each function that leads to an event, innermost first. */
struct section_path {
	struct {
		const char *function;
		uint32_t line, column;
	} v[DEEP_MAX];
	uint32_t n;
};

static void put(struct section_path *p, const char *function, uint32_t line, uint32_t column)
{
	if (p->n == DEEP_MAX)
		return;
	p->v[p->n].function = function;
	p->v[p->n].line = line;
	p->v[p->n++].column = column;
}

static void put_site(struct section_path *p, const struct fr_model *m, uint32_t site)
{
	struct fr_site_info s = {.function = ""};

	if (m->trace)
		s = fr_sites_get(m->trace->sites, site);
	put(p, s.function, s.known ? s.line : 0, s.column);
	for (uint32_t i = 0; s.known && i < s.nframes; i++)
		put(p, s.strings + s.frames[i].function, s.frames[i].line, s.frames[i].column);
}

static void path_of(const struct fr_contexts *x, const struct fr_context *c, struct section_path *p)
{
	p->n = 0;
	put_site(p, x->m, c->site);
	for (uint32_t call = c->call; call; call = x->call.v[call - 1].from) {
		fr_assert_slow(call <= x->call.n && x->call.v[call - 1].from < call);
		put_site(p, x->m, x->call.v[call - 1].site);
	}
	fr_assert(p->n);
}

/* Is q below p in the text? Within one line, reads come before writes: `n = n + 1` has its columns
   in the other order. True if unknown. */
static bool is_below(const struct fr_contexts *x, const struct fr_context *p, bool p_writes,
		     const struct fr_context *q, bool q_writes)
{
	struct section_path a, b;
	uint32_t i, k;

	path_of(x, p, &a);
	path_of(x, q, &b);
	if (a.n == DEEP_MAX || b.n == DEEP_MAX)
		return true;
	for (i = a.n - 1, k = b.n - 1; i && k; i--, k--)
		if (a.v[i].line != b.v[k].line || a.v[i].column != b.v[k].column ||
		    strcmp(a.v[i].function, b.v[k].function) != 0)
			break;
	if (strcmp(a.v[i].function, b.v[k].function) != 0 || !a.v[i].line || !b.v[k].line)
		return true;
	if (a.v[i].line != b.v[k].line)
		return b.v[k].line > a.v[i].line;
	if (p_writes != q_writes)
		return q_writes;
	return b.v[k].column > a.v[i].column;
}

/* ---- regions ---- */

static const struct fr_context *context_at(struct fr_contexts *x, uint32_t thread, uint64_t hook)
{
	const struct fr_mthread *t = thread < x->m->nthreads ? &x->m->thread[thread] : NULL;
	uint32_t position = t ? fr_hooks_find(&t->hooks, 0, t->n, hook) : 0;

	if (!t || position == t->n || fr_hooks_get(&t->hooks, position) != hook)
		return NULL;
	return &fr_contexts_of(x, thread)[position];
}

bool fr_region_lines_add(struct fr_contexts *x, uint32_t thread, uint64_t first, uint64_t last,
			 fr_region_lines_vec *ret)
{
	const struct fr_context *p = context_at(x, thread, first), *q = context_at(x, thread, last);
	struct fr_region_lines r;
	struct section_path a, b;
	uint32_t i, k;

	if (!p || !q)
		return false;
	path_of(x, p, &a);
	path_of(x, q, &b);
	if (a.n == DEEP_MAX || b.n == DEEP_MAX ||
	    strcmp(a.v[a.n - 1].function, b.v[b.n - 1].function) != 0)
		return false;
	/* Find the innermost function that contains both. */
	for (i = a.n - 1, k = b.n - 1;
	     i && k && a.v[i].line == b.v[k].line && a.v[i].column == b.v[k].column &&
	     !strcmp(a.v[i - 1].function, b.v[k - 1].function);
	     i--, k--)
		;
	r = (struct fr_region_lines){a.v[i].function, fr_min(a.v[i].line, b.v[k].line),
				     a.v[i].line > b.v[k].line ? a.v[i].line : b.v[k].line};
	if (!r.from)
		return false;
	fr_assert(r.from <= r.to);
	FR_VEC_FOREACH (y, ret)
		if (y->from == r.from && y->to == r.to && !strcmp(y->function, r.function))
			return true;
	fr_vec_push(ret, r);
	return true;
}

bool fr_region_lines_have(const struct fr_contexts *x, const fr_region_lines_vec *v,
			  const uint32_t *call, uint32_t n)
{
	struct section_path p = {.n = 0};

	for (uint32_t i = n; i--;)
		put_site(&p, x->m, call[i]);
	for (uint32_t i = 0; i < p.n; i++) {
		if (!p.v[i].line)
			return true;
		FR_VEC_FOREACH (r, v)
			if (p.v[i].line >= r->from && p.v[i].line <= r->to &&
			    !strcmp(p.v[i].function, r->function))
				return true;
	}
	return !p.n || p.n == DEEP_MAX;
}

/* ---- units of work ---- */

/* Adds the accesses of a section. location -> bytes read | bytes written << 8. */
static void add_accesses(const struct fr_model *m, const struct fr_serial_section *s,
			 struct fr_map *ret)
{
	fr_assert(s->first <= s->end && s->end <= m->thread[s->thread].n);
	for (uint32_t i = s->first; i < s->end; i++) {
		const struct fr_mev *e = &m->ev[m->thread[s->thread].ev[i]];

		if (fr_is_access(e))
			*fr_map_put(ret, e->obj) |= (uint64_t)e->mask
						    << (e->op == FR_OP_WRITE ? 8 : 0);
	}
}

static bool conflicts(const struct fr_mev *e, const struct fr_map *other)
{
	const uint64_t *what = fr_is_access(e) ? fr_map_get(other, e->obj) : NULL;

	return what && e->mask & (*what >> 8 | (e->op == FR_OP_WRITE ? *what : 0)) & 0xff;
}

/* Conflicting accesses on one side of a cut: of each context, the one nearest to the cut. */
struct section_side {
	uint32_t position[SITES_MAX];
	uint32_t n;
};

/* Finds them. False: there are too many. */
static bool look(struct fr_contexts *x, uint32_t thread, uint32_t cut, bool back,
		 const struct fr_map *other, struct section_side *ret)
{
	const struct fr_mthread *t = &x->m->thread[thread];
	const struct fr_context *c = fr_contexts_of(x, thread);
	uint32_t left = back ? cut : t->n - cut;

	fr_assert(cut <= t->n);
	ret->n = 0;
	for (uint32_t k = 0; k < left && k < LOOK_MAX; k++) {
		uint32_t position = back ? cut - 1 - k : cut + k, i = 0;
		const struct fr_mev *e = &x->m->ev[t->ev[position]];

		if (fr_lock_roles_separates(&x->locks, e))
			break;
		if (!conflicts(e, other))
			continue;
		while (i < ret->n && (c[ret->position[i]].call != c[position].call ||
				      c[ret->position[i]].site != c[position].site))
			i++;
		if (i < ret->n)
			continue;
		if (ret->n == SITES_MAX)
			return false;
		ret->position[ret->n++] = position;
	}
	return true;
}

/* Returns the position of the same context on a side, or `none`. */
static uint32_t again(const struct fr_context *c, const struct section_side *s, uint32_t position,
		      uint32_t none)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (c[s->position[i]].call == c[position].call &&
		    c[s->position[i]].site == c[position].site)
			return s->position[i];
	return none;
}

static bool writes(const struct fr_contexts *x, uint32_t thread, uint32_t position)
{
	return x->m->ev[x->m->thread[thread].ev[position]].op == FR_OP_WRITE;
}

enum straddle { CLEAN, STRADDLED, TOO_MANY };

/* Finds the units of work that a cut divides, and widens [*first, *end) by them. */
static enum straddle straddles(struct fr_contexts *x, uint32_t thread, uint32_t cut,
			       const struct fr_map *other, uint32_t *first, uint32_t *end)
{
	const struct fr_context *c = fr_contexts_of(x, thread);
	enum straddle r = CLEAN;
	struct section_side a, b;

	if (!look(x, thread, cut, true, other, &a) || !look(x, thread, cut, false, other, &b))
		return TOO_MANY;
	for (uint32_t i = 0; i < a.n; i++)
		for (uint32_t k = 0; k < b.n; k++) {
			uint32_t p = a.position[i], q = b.position[k];

			/* Skip pairs if a loop has come back to one of them in between. */
			if ((c[p].call == c[q].call && c[p].site == c[q].site) ||
			    again(c, &b, p, UINT32_MAX) < q || again(c, &a, q, 0) > p)
				continue;
			if (!is_below(x, &c[p], writes(x, thread, p), &c[q], writes(x, thread, q)))
				continue;
			*first = fr_min(*first, p);
			*end = *end > q + 1 ? *end : q + 1;
			r = STRADDLED;
		}
	return r;
}

/* Widens the section to whole steps and to where no lock is held. True: it has changed. */
static bool close_locks(struct fr_contexts *x, struct fr_serial_section *s)
{
	const struct fr_mthread *t = &x->m->thread[s->thread];
	const struct fr_context *c = fr_contexts_of(x, s->thread);
	struct fr_serial_section was = *s;

	fr_assert(s->first < s->end);
	while (s->first && x->m->ev[t->ev[s->first]].flags & FR_F_PART)
		s->first--;
	if (c[s->first].open)
		s->first = c[s->first].open - 1;
	while (s->end < t->n && (c[s->end].open || x->m->ev[t->ev[s->end]].flags & FR_F_PART))
		s->end++;
	fr_assert(!c[s->first].open && s->first <= was.first && s->end >= was.end);
	return s->first != was.first || s->end != was.end;
}

/* Widens one section for one round. False: it gets too long. */
static bool widen(struct fr_contexts *x, struct fr_serial_section *s,
		  const struct fr_serial_section *other, bool *changed)
{
	struct fr_map what = {0};
	bool ok = true, more = true;

	add_accesses(x->m, other, &what);
	while (ok && more) {
		struct fr_serial_section was = *s;

		close_locks(x, s);
		ok = straddles(x, s->thread, s->first, &what, &s->first, &s->end) != TOO_MANY &&
		     straddles(x, s->thread, s->end, &what, &s->first, &s->end) != TOO_MANY &&
		     s->end - s->first <= SECTION_MAX;
		more = s->first != was.first || s->end != was.end;
		*changed |= more;
	}
	fr_map_free(&what);
	return ok;
}

bool fr_sections_close(struct fr_contexts *x, struct fr_serial_section s[2])
{
	bool changed = true;

	fr_assert(s[0].thread != s[1].thread);
	for (unsigned i = 0; changed; i++) {
		changed = false;
		if (i == ROUNDS_MAX || !widen(x, &s[0], &s[1], &changed) ||
		    !widen(x, &s[1], &s[0], &changed))
			return false;
	}
	return true;
}

bool fr_sections_disturb(struct fr_contexts *x, const struct fr_serial_section s[2],
			 uint32_t thread, uint32_t position)
{
	uint32_t first = position, end = position;
	struct fr_map what = {0};
	enum straddle r;

	add_accesses(x->m, &s[0], &what);
	add_accesses(x->m, &s[1], &what);
	r = straddles(x, thread, position, &what, &first, &end);
	fr_map_free(&what);
	return r != CLEAN;
}
