/* Which events of a run a property is about: see occurrence.h. */
#include "spec/occurrence.h"
#include "base/assert.h"
#include "model/model_heap.h"
#include "symbols/symbol.h"
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS (FR_CALL_ARGS + 1)
#define FIELD_MAX 256 /* bytes of RECORD.FIELD */

/* The known facts about one event of the run. */
struct fact {
	fr_ev ev;
	enum fr_cut_kind kind;
	enum fr_spec_when when; /* of calls and executions */
	const char *name, *type;
	const char *variable; /* of a lock: the global variable that contains it, or NULL */
	const char *fields;   /* lines "RECORD.FIELD OFFSET" (format/site_table.h) */
	uint32_t site;
	uint32_t nargs;
	bool has_result, has_target;
	bool is_shared; /* the lock is taken or released by a reader */
	uint64_t arg[ARGS], result, target;
	uint32_t known; /* set of arguments that were recorded */
	uint64_t stamp; /* 0: not known */
};

struct open_call {
	uint64_t depth;
	uint32_t site, nargs, known;
	uint64_t arg[ARGS];
};

struct occurrence_finder {
	const struct fr_model *m;
	const struct fr_property *p;
	struct fr_occurrences *ret;
	FR_VEC(struct open_call) call, execution; /* of the present thread */
	/* The pointcut that is being tested. */
	const struct fact *fact;
	uint64_t raw[FR_SPEC_PARAMS];
	uint32_t bound;
	struct fr_map
	    may; /* site and event kind -> set of events that may match there, + 1 << 32 */
	uint64_t
	    offset; /* of the target in the record whose field the pointcut names; or NOWHERE */
};
#define NOWHERE UINT64_MAX

/* ---- pointcuts ---- */

static bool glob_fits(const char *glob, const char *s)
{
	return !glob || !fnmatch(glob, s ? s : "", 0);
}

/* The next field of a list: its name and offset. Returns false at the end. */
static bool next_field(const char **fields, char ret_name[FIELD_MAX], uint64_t *ret_offset)
{
	const char *p = *fields;
	size_t n = p ? strcspn(p, "\n") : 0, name = n;

	if (!n)
		return false;
	p += *p == '@';
	n -= p - *fields;
	while (name && p[name - 1] != ' ')
		name--;
	*fields = p[n] ? p + n + 1 : NULL;
	snprintf(ret_name, FIELD_MAX, "%.*s", name ? (int)name - 1 : 0, p);
	*ret_offset = strtoull(p + name, NULL, 10);
	return true;
}

/* Does a field match? Notes its offset. */
static bool field_fits(struct occurrence_finder *x, const char *glob)
{
	const char *at = x->fact->fields;
	char name[FIELD_MAX];
	uint64_t offset;

	while (next_field(&at, name, &offset))
		if (!fnmatch(glob, name, 0)) {
			x->offset = offset;
			return true;
		}
	return false;
}

/* The start of the record that the target is a field of: see doc/properties.md, object. */
static bool record_of(const struct occurrence_finder *x, uint64_t *ret)
{
	const char *at = x->fact->fields;
	uint64_t offset =
	    x->fact->kind == FR_POINT_ALLOC || x->fact->kind == FR_POINT_FREE ? 0 : NOWHERE;
	char name[FIELD_MAX];

	if (x->offset != NOWHERE)
		offset = x->offset;
	else
		while (next_field(&at, name, &offset))
			;
	if (!x->fact->has_target || offset == NOWHERE)
		return false;
	*ret = x->fact->target - offset;
	return true;
}

/* A file matches with or without its folders. */
static bool is_within(const struct occurrence_finder *x, const char *glob)
{
	struct fr_site_info s = fr_sites_get(x->m->trace->sites, x->fact->site);
	const char *base = strrchr(s.file, '/');

	if (!fnmatch(glob, s.function, 0) || !fnmatch(glob, s.physical, 0) ||
	    !fnmatch(glob, s.file, 0) || (base && !fnmatch(glob, base + 1, 0)))
		return true;
	for (uint32_t i = 0; i < s.nframes; i++)
		if (!fnmatch(glob, s.strings + s.frames[i].function, 0) ||
		    !fnmatch(glob, s.strings + s.frames[i].file, 0))
			return true;
	return false;
}

/* Binds a parameter. False: it has another value already. */
static bool bind(struct occurrence_finder *x, const struct fr_spec_bind *b, uint64_t value)
{
	if (b->kind != FR_BIND_PARAM)
		return true;
	if (x->bound >> b->param & 1)
		return x->raw[b->param] == value;
	x->raw[b->param] = value;
	x->bound |= 1u << b->param;
	return true;
}

static bool bind_args(struct occurrence_finder *x, const struct fr_pointcut *c)
{
	const struct fact *f = x->fact;
	uint32_t n = 0;

	FR_VEC_FOREACH (b, &c->bind) {
		if (b->kind == FR_BIND_REST)
			return true;
		if (n >= f->nargs || (b->kind == FR_BIND_PARAM && !(f->known >> n & 1)) ||
		    !bind(x, b, f->arg[n]))
			return false;
		n++;
	}
	return n == f->nargs;
}

static uint64_t identity(const struct occurrence_finder *x, uint64_t value);

/* The start of the block of memory that contains the target. */
static bool block_of(const struct occurrence_finder *x, uint64_t *ret)
{
	uint64_t v = x->fact->has_target ? identity(x, x->fact->target) : 0;
	const struct fr_spec_block *b = fr_identity_block(x->ret, v);

	if (b)
		*ret = b->addr;
	return b;
}

static bool fits(struct occurrence_finder *x, const struct fr_pointcut *c)
{
	const struct fact *f = x->fact;
	uint32_t before = x->bound;
	uint64_t value;

	switch (c->kind) {
	case FR_POINT_AND:
		return fits(x, c->a) && fits(x, c->b);
	case FR_POINT_OR:
		if (fits(x, c->a))
			return true;
		x->bound = before;
		return fits(x, c->b);
	case FR_POINT_NOT:
		return !fits(x, c->a);
	case FR_POINT_ARGS:
		return bind_args(x, c);
	case FR_POINT_RETURNS:
		return f->has_result && bind(x, &c->bind.v[0], f->result);
	case FR_POINT_TARGET:
		return f->has_target && bind(x, &c->bind.v[0], f->target);
	case FR_POINT_BLOCK:
		return block_of(x, &value) && bind(x, &c->bind.v[0], value);
	case FR_POINT_SHARED:
		return f->is_shared;
	case FR_POINT_ATOMIC:
		return x->m->ev[f->ev].flags & FR_F_ATOMIC;
	case FR_POINT_OBJECT:
		if (c->has_distance)
			return f->has_target && bind(x, &c->bind.v[0], f->target - c->distance);
		return record_of(x, &value) && bind(x, &c->bind.v[0], value);
	case FR_POINT_IF:
		return fr_value_of(c->value, x->raw, x->bound, &value) && value;
	case FR_POINT_WITHIN:
		return is_within(x, c->glob);
	case FR_POINT_GET:
	case FR_POINT_SET:
	case FR_POINT_LOCK:
	case FR_POINT_UNLOCK:
		return f->kind == c->kind &&
		       (!c->glob || field_fits(x, c->glob) || glob_fits(c->glob, f->name) ||
			(f->variable && glob_fits(c->glob, f->variable)) ||
			(f->type && glob_fits(c->glob, f->type)));
	default:
		return f->kind == c->kind && glob_fits(c->glob, f->name);
	}
}

/* ---- sites ---- */

enum answer { NO, MAYBE, YES };

static enum answer opposite(enum answer a)
{
	return (enum answer)(YES - a);
}

/* Does an event with the name, type and source position of x->fact match, as far as these tell? */
static enum answer may_fit(struct occurrence_finder *x, const struct fr_pointcut *c)
{
	enum answer a, b;

	switch (c->kind) {
	case FR_POINT_AND:
	case FR_POINT_OR:
		a = may_fit(x, c->a);
		b = may_fit(x, c->b);
		return c->kind == FR_POINT_AND ? fr_min(a, b) : fr_max(a, b);
	case FR_POINT_NOT:
		return opposite(may_fit(x, c->a));
	case FR_POINT_ARGS:
	case FR_POINT_RETURNS:
	case FR_POINT_TARGET:
	case FR_POINT_OBJECT:
	case FR_POINT_BLOCK:
	case FR_POINT_SHARED:
	case FR_POINT_ATOMIC:
	case FR_POINT_IF:
		return MAYBE;
	default:
		return fits(x, c) ? YES : NO;
	}
}

/* The events of the property that an access may match. Depends on its site alone, and there are far
   fewer sites than accesses. */
static uint32_t may_match(struct occurrence_finder *x, const struct fact *f)
{
	uint64_t *known = fr_map_put(&x->may, (uint64_t)f->site * FR_POINT_KIND_COUNT + f->kind);

	if (!*known) {
		*known = UINT64_C(1) << 32;
		x->fact = f;
		for (size_t i = 0; i < x->p->event.n; i++)
			if (fr_spec_event_can(x->p->event.v[i], f->kind) &&
			    may_fit(x, x->p->event.v[i]->cut) != NO)
				*known |= UINT64_C(1) << i;
	}
	return (uint32_t)*known;
}

/* ---- blocks of memory ---- */

static int by_address(const void *a, const void *b)
{
	const struct fr_spec_block *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->stamp > y->stamp) - (x->stamp < y->stamp);
}

static uint64_t hook_key(uint32_t thread, uint64_t hook)
{
	return ((uint64_t)thread << 48 ^ hook) & INT64_MAX;
}

static void read_blocks(struct occurrence_finder *x, uint32_t thread)
{
	const struct fr_trace_thread *th = fr_trace_thread(x->m->trace, x->m->thread[thread].id);
	struct fr_iter it;
	struct fr_rec r;
	struct fr_err err;

	if (!th)
		return;
	fr_iter_open(&it, x->m->trace, th);
	while (fr_iter_next(&it, &r, &err) > 0)
		if (fr_event_kind(r.e) == FR_EV_ALLOC && r.n > 1)
			fr_vec_push(&x->ret->block,
				    ((struct fr_spec_block){.addr = fr_event_addr(r.e),
							    .size = fr_event_addr(&r.e[1]),
							    .stamp = r.e->value,
							    .hook = r.hook,
							    .thread = thread,
							    .site = r.e->site}));
	fr_iter_close(&it);
}

static void find_blocks(struct occurrence_finder *x)
{
	struct fr_occurrences *o = x->ret;
	uint64_t reach = 0;

	for (uint32_t t = 0; t < x->m->nthreads; t++)
		read_blocks(x, t);
	if (o->block.n)
		qsort(o->block.v, o->block.n, sizeof(*o->block.v), by_address);
	for (size_t i = 0; i < o->block.n; i++) {
		struct fr_spec_block *b = &o->block.v[i];

		reach = fr_max(reach, b->addr + b->size);
		b->reach = reach;
		*fr_map_put(&o->by_hook, hook_key(b->thread, b->hook)) = i + 1;
	}
}

/* Number of blocks that start below addr, or at addr and were allocated before the stamp. */
static size_t count_to(const struct fr_occurrences *o, uint64_t addr, uint64_t stamp)
{
	const struct fr_spec_block *v = o->block.v;

	return fr_bisect(o->block.n, i,
			 v[i].addr < addr || (v[i].addr == addr && v[i].stamp < stamp));
}

/* The last block with this address that was allocated before the stamp, + 1; 0: none. All blocks
   with one start address are one step, because there may be very many. */
static size_t block_at(const struct fr_occurrences *o, uint64_t addr, uint64_t stamp)
{
	const struct fr_spec_block *v = o->block.v;
	size_t n = count_to(o, addr, stamp), best = 0;

	while (n && v[n - 1].reach > addr) {
		const struct fr_spec_block *b = &v[n - 1];
		size_t in_time = count_to(o, b->addr, stamp);

		if (in_time < n) { /* the last ones at this start are too late */
			n = in_time;
			continue;
		}
		if (addr - b->addr < b->size) {
			if (!best || b->stamp > v[best - 1].stamp)
				best = n;
		} else if (!best && n > 1 && v[n - 2].addr == b->addr) {
			n--; /* an earlier block here may have been longer */
			continue;
		}
		n = count_to(o, b->addr, 0); /* continue below */
	}
	return best;
}

/* The value as an identity: see occurrence.h. */
static uint64_t identity(const struct occurrence_finder *x, uint64_t value)
{
	const struct fr_occurrences *o = x->ret;
	size_t n = 0;

	if (x->fact->stamp) {
		n = block_at(o, value, x->fact->stamp);
	} else {
		uint32_t obj = fr_heap_find(x->m, value, x->fact->ev + 1);
		fr_ev e = obj == UINT32_MAX ? FR_NO_EV : x->m->cls[FR_C_HEAP].obj[obj].count - 1;
		const uint64_t *at =
		    e == FR_NO_EV ? NULL
				  : fr_map_get(&o->by_hook, hook_key(x->m->ev[e].thread,
								     fr_model_hook(x->m, e)));

		n = at ? *at : block_at(o, value, UINT64_MAX);
	}
	fr_assert(n <= o->block.n);
	if (!n)
		return value;
	return FR_IDENTITY_OBJECT | (uint64_t)(n - 1) << 24 |
	       ((value - o->block.v[n - 1].addr) & 0xffffff);
}

/* Notes an event of the run, with every event of the property that it matches. */
static void see(struct occurrence_finder *x, const struct fact *f)
{
	x->fact = f;
	for (size_t i = 0; i < x->p->event.n; i++) {
		const struct fr_spec_event *e = x->p->event.v[i];
		struct fr_occurrence o = {
		    .ev = f->ev, .event = (uint16_t)i, .value = (uint32_t)x->ret->value.n};

		x->bound = 0;
		x->offset = NOWHERE;
		if (!fr_spec_event_can(e, f->kind) ||
		    (f->when != FR_WHEN_NONE && f->when != e->when) || !fits(x, e->cut))
			continue;
		for (uint32_t k = 0; k < x->p->param.n; k++)
			if (x->bound >> k & 1) {
				o.bound |= (uint16_t)(1u << k);
				fr_vec_push(&x->ret->value, x->p->param.v[k].pointer
								? identity(x, x->raw[k])
								: x->raw[k]);
			}
		fr_vec_push(&x->ret->v, o);
	}
}

/* ---- the trace: calls, executions and marks ---- */

static void take_args(struct open_call *c, const struct fr_rec *r)
{
	for (uint32_t i = 1; i < r->n && c->nargs < FR_CALL_ARGS; i++, c->nargs++) {
		c->arg[c->nargs] = r->e[i].value;
		if (fr_event_addr(&r->e[i]))
			c->known |= 1u << c->nargs;
	}
}

static void set_args(struct fact *f, const struct open_call *c)
{
	f->nargs = c->nargs;
	f->known = c->known;
	memcpy(f->arg, c->arg, sizeof(f->arg));
}

typedef FR_VEC(struct open_call) calls;

static void begin(struct occurrence_finder *x, calls *open, struct fact *f, const struct fr_rec *r)
{
	struct open_call c = {.depth = fr_event_addr(r->e), .site = r->e->site};

	take_args(&c, r);
	/* calls that did not come back */
	while (open->n && open->v[open->n - 1].depth > c.depth)
		open->n--;
	fr_vec_push(open, c);
	set_args(f, &c);
	f->when = FR_WHEN_BEFORE;
	see(x, f);
}

static void end(struct occurrence_finder *x, calls *open, struct fact *f, const struct fr_rec *r)
{
	uint64_t depth = fr_event_addr(r->e);

	while (open->n && open->v[open->n - 1].depth > depth)
		open->n--;
	if (open->n && open->v[open->n - 1].depth == depth)
		set_args(f, &open->v[--open->n]);
	if (r->n > 1 && fr_event_addr(&r->e[1])) {
		f->has_result = true;
		f->result = r->e[1].value;
	}
	f->when = FR_WHEN_AFTER;
	see(x, f);
}

static void mark(struct occurrence_finder *x, struct fact *f, const struct fr_rec *r)
{
	fr_assert(fr_event_kind(r->e) == FR_EV_USER_EVENT);
	f->kind = FR_POINT_MARK;
	f->name = fr_sites_name(x->m->trace->sites, fr_event_addr(r->e));
	if (r->n > 1) {
		f->nargs = fr_min(r->e[1].site, (uint32_t)FR_CALL_ARGS);
		f->arg[0] = r->e[1].value;
		for (uint32_t i = 2; i < r->n && i - 1 < ARGS; i++)
			f->arg[i - 1] = r->e[i].value;
		f->known = UINT32_MAX;
	}
	see(x, f);
}

static void see_record(struct occurrence_finder *x, fr_ev ev, const struct fr_rec *r)
{
	struct fr_site_info s = fr_sites_get(x->m->trace->sites, r->e->site);
	struct fact f = {.ev = ev,
			 .site = r->e->site,
			 .name = s.name,
			 .kind = FR_POINT_CALL,
			 .stamp = r->e->value};

	switch (fr_event_kind(r->e)) {
	case FR_EV_CALL:
		begin(x, (calls *)&x->call, &f, r);
		break;
	case FR_EV_RETURN:
		end(x, (calls *)&x->call, &f, r);
		break;
	case FR_EV_EXEC_BEGIN:
		f.kind = FR_POINT_EXECUTION;
		begin(x, (calls *)&x->execution, &f, r);
		break;
	case FR_EV_EXEC_END:
		f.kind = FR_POINT_EXECUTION;
		end(x, (calls *)&x->execution, &f, r);
		break;
	default:
		mark(x, &f, r);
		break;
	}
}

static bool is_point(unsigned kind)
{
	return kind == FR_EV_USER_EVENT || (kind >= FR_EV_CALL && kind <= FR_EV_EXEC_END);
}

static void read_thread(struct occurrence_finder *x, uint32_t thread)
{
	const struct fr_mthread *t = &x->m->thread[thread];
	const struct fr_trace_thread *th = fr_trace_thread(x->m->trace, t->id);
	struct fr_iter it;
	struct fr_rec r;
	struct fr_err err;
	struct fr_hooks_cursor c = {.h = &t->hooks};
	uint32_t position = 0;
	uint64_t hook; /* at the position */

	if (!th || !t->n)
		return;
	fr_assert(t->n <= x->m->n);
	hook = fr_hooks_next(&c);
	x->call.n = x->execution.n = 0;
	fr_iter_open(&it, x->m->trace, th);
	while (fr_iter_next(&it, &r, &err) > 0) {
		if (!is_point(fr_event_kind(r.e)))
			continue;
		while (position < t->n &&
		       (hook < r.hook ||
			(hook == r.hook && x->m->ev[t->ev[position]].op != FR_OP_MARK)))
			if (++position < t->n)
				hook = fr_hooks_next(&c);
		if (position == t->n)
			break;
		if (hook == r.hook)
			see_record(x, t->ev[position], &r);
	}
	fr_iter_close(&it);
}

/* ---- the model: accesses, locks, memory ---- */

static bool model_fact(const struct occurrence_finder *x, fr_ev ev, struct fact *f)
{
	const struct fr_mev *v = &x->m->ev[ev];
	const struct fr_mobj *obj = x->m->cls[fr_op_class[v->op]].obj;

	if (v->flags & FR_F_SYNTH)
		return false;
	*f = (struct fact){.ev = ev, .site = v->site, .has_target = true};
	switch (v->op) {
	case FR_OP_READ:
	case FR_OP_WRITE:
		f->kind = v->op == FR_OP_READ ? FR_POINT_GET : FR_POINT_SET;
		f->target = obj[v->obj].addr + (uint64_t)__builtin_ctz(v->mask | 0x100u);
		f->nargs = 1;
		f->known = !(v->flags & FR_F_NOVALUE);
		f->arg[0] =
		    (v->value & fr_mask_bytes(v->mask)) >> 8 * __builtin_ctz(v->mask | 0x100u);
		return true;
	case FR_OP_ACQUIRE:
	case FR_OP_ACQUIRE_SHARED:
		f->kind = FR_POINT_LOCK;
		f->is_shared = v->op == FR_OP_ACQUIRE_SHARED;
		break;
	case FR_OP_RELEASE:
	case FR_OP_RELEASE_SHARED:
		f->kind = FR_POINT_UNLOCK;
		f->is_shared = v->op == FR_OP_RELEASE_SHARED;
		break;
	case FR_OP_ALLOC:
		f->kind = FR_POINT_ALLOC;
		f->nargs = f->known = 1;
		f->arg[0] = v->value;
		break;
	case FR_OP_FREE:
		f->kind = FR_POINT_FREE;
		break;
	default:
		return false;
	}
	f->target = obj[v->obj].addr;
	return true;
}

/* The global variable that contains the address, without the part of it, as a new string; or
   NULL. */
static char *variable_of(const struct occurrence_finder *x, uint64_t address)
{
	char *name = x->m->trace ? fr_symbol_data(x->m->trace->run.modules.v,
						  x->m->trace->run.modules.n, address)
				 : NULL;

	if (name)
		name[strcspn(name, "+.[")] = 0;
	return name;
}

static void read_model(struct occurrence_finder *x, unsigned kinds)
{
	struct fr_map index = {0}; /* lock -> index of its two names + 2 */
	FR_VEC(char *) names = {0};
	char type[FIELD_MAX];

	for (fr_ev e = 0; e < x->m->n; e++) {
		struct fr_site_info s;
		struct fact f;

		if (!model_fact(x, e, &f) || !(kinds >> f.kind & 1))
			continue;
		if (f.kind == FR_POINT_LOCK || f.kind == FR_POINT_UNLOCK) {
			uint64_t *name = fr_map_put(&index, x->m->ev[e].obj);

			if (!*name) {
				fr_vec_push(&names,
					    fr_model_obj_name(x->m, FR_C_LOCK, x->m->ev[e].obj));
				fr_vec_push(&names, variable_of(x, f.target));
				*name = names.n;
			}
			f.name = names.v[*name - 2];
			f.variable = names.v[*name - 1];
			s = fr_sites_get(x->m->trace ? x->m->trace->sites : NULL, f.site);
			f.fields = strchr(s.type, '@');
		} else if (x->m->trace) {
			s = fr_sites_get(x->m->trace->sites, f.site);
			fr_assert(s.name && s.type);
			f.name = s.name;
			snprintf(type, sizeof(type), "%.*s", (int)strcspn(s.type, "\n"), s.type);
			f.type = type;
			f.fields = strchr(s.type, '\n') ? strchr(s.type, '\n') + 1 : NULL;
			if (!may_match(x, &f))
				continue;
		}
		see(x, &f);
	}
	FR_VEC_FOREACH (name, &names)
		free(*name);
	fr_vec_free(&names);
	fr_map_free(&index);
}

static int by_event(const void *a, const void *b)
{
	const struct fr_occurrence *x = a, *y = b;

	if (x->ev != y->ev)
		return x->ev < y->ev ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

void fr_occurrences_find(const struct fr_model *m, const struct fr_property *p,
			 struct fr_occurrences *ret)
{
	struct occurrence_finder x = {.m = m, .p = p, .ret = ret};
	const unsigned points =
	    1u << FR_POINT_CALL | 1u << FR_POINT_EXECUTION | 1u << FR_POINT_MARK;
	unsigned kinds = 0;
	bool pointers = false;

	fr_assert(p->event.n <= FR_SPEC_EVENTS && p->param.n <= FR_SPEC_PARAMS);
	*ret = (struct fr_occurrences){0};
	FR_VEC_FOREACH (e, &p->event)
		kinds |= (*e)->kinds;
	FR_VEC_FOREACH (q, &p->param)
		pointers |= q->pointer;
	if (pointers && m->trace)
		find_blocks(&x);
	if (kinds & points)
		for (uint32_t t = 0; m->trace && t < m->nthreads; t++)
			read_thread(&x, t);
	if (kinds & ~points)
		read_model(&x, kinds);
	fr_assert(!ret->value.n || ret->v.n);
	if (ret->v.n)
		qsort(ret->v.v, ret->v.n, sizeof(*ret->v.v), by_event);
	fr_vec_free(&x.call);
	fr_vec_free(&x.execution);
	fr_map_free(&x.may);
}

void fr_occurrences_free(struct fr_occurrences *o)
{
	fr_vec_free(&o->v);
	fr_vec_free(&o->value);
	fr_vec_free(&o->block);
	fr_map_free(&o->by_hook);
}

/* ---- functions that were not instrumented ---- */

/* The names of the functions that were instrumented: those with a body in the program have a site;
   others are known by their recorded calls. */
typedef FR_VEC(const char *) words;

static void recorded_calls(const struct fr_model *m, words *ret)
{
	struct fr_map seen = {0};

	FR_VEC_FOREACH (th, &m->trace->thread) {
		struct fr_iter it;
		struct fr_rec r;
		struct fr_err err;

		fr_iter_open(&it, m->trace, th);
		while (fr_iter_next(&it, &r, &err) > 0)
			if (fr_event_kind(r.e) == FR_EV_CALL) {
				uint64_t *at = fr_map_put(&seen, r.e->site);

				if (!*at)
					fr_vec_push(ret,
						    fr_sites_get(m->trace->sites, r.e->site).name);
				*at = 1;
			}
		fr_iter_close(&it);
	}
	fr_map_free(&seen);
}

/* With `asked`: also the globs that the compiler was given. */
static void instrumented_bodies(const struct fr_model *m, bool asked, words *ret)
{
	uint32_t n = fr_sites_count(m->trace->sites);

	for (uint32_t i = 1; i <= n; i++) {
		struct fr_site_info s = fr_sites_get(m->trace->sites, i);

		if (s.kind == FR_SITE_EXEC && *s.name && (asked || *s.physical))
			fr_vec_push(ret, s.name);
	}
}

/* Sets *ret_missing to a glob that nothing matches. Returns true if another glob has a match. */
static bool any_instrumented(const words *known, const struct fr_pointcut *c,
			     const char **ret_missing)
{
	bool any = false;

	if (c->kind == FR_POINT_NOT)
		return false;
	if (c->kind == FR_POINT_CALL || c->kind == FR_POINT_EXECUTION) {
		FR_VEC_FOREACH (name, known)
			any |= !strcmp(c->glob, *name) || !fnmatch(c->glob, *name, 0);
		if (!any)
			*ret_missing = c->glob;
	}
	if (c->a)
		any |= any_instrumented(known, c->a, ret_missing);
	if (c->b)
		any |= any_instrumented(known, c->b, ret_missing);
	return any;
}

const char *fr_occurrences_missing(const struct fr_model *m, const struct fr_property *p,
				   bool asked)
{
	const unsigned calls = 1u << FR_POINT_CALL | 1u << FR_POINT_EXECUTION;
	const char *ret = NULL;
	words known = {0};
	unsigned kinds = 0;

	FR_VEC_FOREACH (e, &p->event)
		kinds |= (*e)->kinds;
	if (!m->trace || !(kinds & calls))
		return NULL;
	instrumented_bodies(m, asked, &known);
	recorded_calls(m, &known);
	FR_VEC_FOREACH (e, &p->event) {
		const char *glob = NULL;

		if (!ret && !any_instrumented(&known, (*e)->cut, &glob))
			ret = glob;
	}
	fr_vec_free(&known);
	return ret;
}
