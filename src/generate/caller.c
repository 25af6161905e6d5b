/*
 * Lock regions of one function: see caller.h. The path of an event says how the thread got there:
 * for each call, outermost first, its number and the source positions in it, one for each inlined
 * function, and then the site, since all of a macro has one position. Two events have the functions
 * in common up to the first difference of their paths.
 *
 * Invariant: no two calls share a number, and a call has a higher number than its caller.
 *
 * Not handled: iterations of a loop, since only source positions and sites tell what is below;
 * imported traces, which have no call stacks.
 */
#include "generate/caller.h"
#include "trace/stack.h"
#include <string.h>

#define DEEP_MAX 512 /* limit for a path; deeper paths have nothing in common */

/* ---- reading ---- */

struct caller_reader {
	struct fr_callers *c;
	struct fr_stack stack;
	FR_VEC(uint32_t) call; /* call number of each frame; 0 = none yet */
};

static void see_frames(struct caller_reader *r, const struct fr_rec *rec)
{
	size_t kept = fr_min(fr_event_addr(rec->e), (uint64_t)r->call.n);

	fr_stack_feed(&r->stack, rec);
	r->call.n = fr_min(kept, r->stack.frame.n);
	while (r->call.n < r->stack.frame.n)
		fr_vec_push(&r->call, 0);
	fr_assert(r->call.n == r->stack.frame.n);
}

/* Returns the number of the innermost call, and numbers its callers if needed. */
static uint32_t innermost(struct caller_reader *r)
{
	uint32_t from = 0;

	for (size_t i = 0; i < r->call.n; i++) {
		if (!r->call.v[i]) {
			fr_vec_push(&r->c->call,
				    (struct fr_call){from, i ? r->stack.frame.v[i - 1].call : 0});
			r->call.v[i] = (uint32_t)r->c->call.n;
		}
		fr_assert(r->call.v[i] > from && r->call.v[i] <= r->c->call.n);
		from = r->call.v[i];
	}
	return from;
}

/* May the event take or give a lock? The locks of the program's own are made of atomic accesses. */
static bool may_be_lock(unsigned kind)
{
	return fr_event_is(kind) & (FR_IS_ACQUIRE | FR_IS_RELEASE | FR_IS_ATOMIC) ||
	       kind == FR_EV_SEM_WAIT || kind == FR_EV_SEM_POST;
}

static void read_thread(struct caller_reader *r, const struct fr_model *m,
			const struct fr_trace_thread *th, uint32_t thread)
{
	const struct fr_mthread *t = &m->thread[thread];
	uint32_t last = 0, position = 0;
	struct fr_iter it;
	struct fr_rec rec;
	struct fr_err err;

	r->stack.frame.n = r->call.n = 0;
	fr_iter_open(&it, m->trace, th);
	while (position < t->n && fr_iter_next(&it, &rec, &err) > 0) {
		unsigned kind = fr_event_kind(rec.e);
		uint32_t call;

		if (kind == FR_EV_FRAMES)
			see_frames(r, &rec);
		if (!may_be_lock(kind))
			continue;
		call = innermost(r);
		position = fr_hooks_find(&t->hooks, position, t->n, rec.hook);
		fr_assert(call <= r->c->call.n);
		if (call != last && position < t->n)
			fr_vec_push(&r->c->thread[thread],
				    (struct fr_call_change){t->ev[position], call});
		last = call;
	}
	fr_iter_close(&it);
}

static void read_all(struct fr_callers *c, const struct fr_model *m)
{
	struct caller_reader r = {.c = c};

	c->nthreads = m->nthreads;
	c->thread = fr_xcalloc((size_t)m->nthreads + 1, sizeof(*c->thread));
	for (uint32_t t = 0; m->trace && t < m->nthreads; t++) {
		const struct fr_trace_thread *th = fr_trace_thread(m->trace, m->thread[t].id);

		if (th)
			read_thread(&r, m, th, t);
	}
	fr_stack_free(&r.stack);
	fr_vec_free(&r.call);
}

void fr_callers_free(struct fr_callers *c)
{
	for (uint32_t t = 0; c->thread && t < c->nthreads; t++)
		fr_vec_free(&c->thread[t]);
	free(c->thread);
	fr_vec_free(&c->call);
	*c = (struct fr_callers){0};
}

/* ---- paths ---- */

/* A path, innermost first. */
struct caller_path {
	struct caller_part {
		uint64_t v;
		const char
		    *function; /* that contains the position; NULL: v is the number of a call */
		uint32_t site; /* whose position it is */
		bool enters;   /* what is further inside belongs to another function */
	} part[DEEP_MAX];
	uint32_t n;
	bool deep;
};

static void put(struct caller_path *p, struct caller_part x)
{
	if (p->n == DEEP_MAX)
		p->deep = true;
	else
		p->part[p->n++] = x;
}

static uint64_t position(uint32_t line, uint32_t column)
{
	return (uint64_t)line << 24 | (column & 0xffffff);
}

/* Adds a site, and its positions: in the function itself, then in the functions it was inlined
   into. */
static void put_site(struct caller_path *p, const struct fr_model *m, uint32_t site)
{
	struct fr_site_info s = fr_sites_get(m->trace->sites, site);
	const char *function = s.known ? s.function : "";

	put(p, (struct caller_part){site, function, site, true});
	put(p, (struct caller_part){position(s.line, s.column), function, site, false});
	for (uint32_t i = 0; s.known && i < s.nframes; i++)
		put(p, (struct caller_part){position(s.frames[i].line, s.frames[i].column),
					    s.strings + s.frames[i].function, site, true});
}

static uint32_t call_at(const struct fr_callers *c, const struct fr_model *m, fr_ev e)
{
	uint32_t thread = m->ev[e].thread;
	size_t n = fr_bisect(c->thread[thread].n, i, c->thread[thread].v[i].at <= e);

	fr_assert(!n || c->thread[thread].v[n - 1].call <= c->call.n);
	return n ? c->thread[thread].v[n - 1].call : 0;
}

static void path_of(const struct fr_callers *c, const struct fr_model *m, fr_ev e,
		    struct caller_path *p)
{
	uint32_t call = call_at(c, m, e);

	p->n = 0;
	p->deep = !call;
	put_site(p, m, m->ev[e].site);
	for (; call; call = c->call.v[call - 1].from) {
		fr_assert(c->call.v[call - 1].from < call); /* so the loop ends */
		put(p, (struct caller_part){.v = call});
		if (c->call.v[call - 1].from)
			put_site(p, m, c->call.v[call - 1].site);
	}
}

/* The innermost function that contains two events. */
struct common {
	uint32_t depth; /* from 1; 0 = none */
	const char *function;
	bool below; /* the second event is below the first in it */
};

/* Are x and y two functions, inlined at one position: in one macro? */
static bool are_siblings(const struct caller_part *x, const struct caller_part *y)
{
	return x->function && y->function && strcmp(x->function, y->function) != 0;
}

static struct common in_common(const struct caller_path *x, const struct caller_path *y)
{
	struct common c = {.depth = 1, .function = ""};
	uint32_t i = x->n, k = y->n;

	fr_assert(i && k); /* the site of the event at least */
	if (x->deep || y->deep || x->part[i - 1].v != y->part[k - 1].v)
		return (struct common){.function = ""};
	for (; i && k && x->part[i - 1].v == y->part[k - 1].v; i--, k--) {
		if (are_siblings(&x->part[i - 1], &y->part[k - 1]))
			break;
		c.depth += x->part[i - 1].enters;
	}
	if (!i || !k || !x->part[i - 1].function || !y->part[k - 1].function)
		return c;
	if (are_siblings(&x->part[i - 1], &y->part[k - 1])) {
		c.depth--;
		c.function = x->part[i].function;
		c.below = y->part[k - 1].site > x->part[i - 1].site;
		return c;
	}
	c.function = x->part[i - 1].function;
	c.below = y->part[k - 1].v > x->part[i - 1].v;
	return c;
}

/* The innermost function that contains both the acquire and the release; none if never released. */
static struct common region_of(const struct fr_callers *c, const struct fr_model *m, fr_ev give,
			       const struct caller_path *take)
{
	struct caller_path p;

	if (give == FR_NO_EV)
		return (struct common){.function = ""};
	fr_assert(fr_op_class[m->ev[give].op] == FR_C_LOCK ||
		  fr_op_class[m->ev[give].op] == FR_C_SEM);
	path_of(c, m, give, &p);
	return in_common(take, &p);
}

/* Does one call contain both regions? *ret_once: y is below x, and they are not both in calls of
   one function. */
static bool contains(struct fr_callers *c, const struct fr_model *m, const struct fr_lock_region *x,
		     const struct fr_lock_region *y, bool *ret_once)
{
	struct caller_path px, py;
	struct common both, rx, ry;

	if (!m->trace)
		return false;
	if (!c->thread)
		read_all(c, m);
	fr_assert(m->ev[x->take].thread == m->ev[y->take].thread && c->nthreads == m->nthreads);
	fr_assert(x->take < y->take && x->take < x->give && y->take < y->give);
	path_of(c, m, x->take, &px);
	path_of(c, m, y->take, &py);
	both = in_common(&px, &py);
	if (!both.depth)
		return false;
	rx = region_of(c, m, x->give, &px);
	ry = region_of(c, m, y->give, &py);
	*ret_once = both.below && !(rx.depth > both.depth && ry.depth > both.depth &&
				    !strcmp(rx.function, ry.function));
	return rx.depth <= both.depth + 1 && ry.depth <= both.depth + 1;
}

bool fr_callers_same(struct fr_callers *c, const struct fr_model *m, const struct fr_lock_region *x,
		     const struct fr_lock_region *y)
{
	bool once;

	return contains(c, m, x, y, &once) && once;
}

bool fr_callers_one(struct fr_callers *c, const struct fr_model *m, const struct fr_lock_region *x,
		    const struct fr_lock_region *y)
{
	bool once;

	return contains(c, m, x, y, &once);
}
