/* Tiny programs, executed under one or under all schedules: see model_program.h. */
#include "model_program.h"
#include "fixture.h"
#include <stdio.h>
#include <string.h>

struct state {
	uint8_t pc[MP_THREADS], reg[MP_THREADS][MP_REGS];
	uint8_t value[MP_LOCS], writer[MP_LOCS]; /* writer: instance; 0: none */
	uint8_t owner[MP_LOCKS];		 /* thread + 1 */
};

static uint32_t instance_of(unsigned t, unsigned pc)
{
	return 1 + t * MP_CODE + pc;
}

static const struct mp_op *op_of(const struct mp_program *p, unsigned t, unsigned pc)
{
	return &p->code[p->same >> t & 1 ? 0 : t][pc];
}

uint32_t mp_instance(const struct fr_mev *e)
{
	return instance_of(e->thread, (e->site - 1) % MP_CODE);
}

/* ---- execution ---- */

static uint8_t sum(const struct state *s, unsigned t, const struct mp_op *o, unsigned reg)
{
	return (uint8_t)(((reg < MP_REGS ? s->reg[t][reg] : 0) + o->value) % MP_VALUES);
}

/* Executes the steps that no other thread can see. */
static void run_silent(const struct mp_program *p, struct state *s, unsigned t)
{
	for (;;) {
		const struct mp_op *o = op_of(p, t, s->pc[t]);

		if (o->kind == MP_ASSIGN)
			s->reg[t][o->reg] = sum(s, t, o, o->other);
		else if (o->kind == MP_IF || o->kind == MP_IFX)
			s->pc[t] += s->reg[t][o->reg] == o->value ? 0 : o->skip;
		else if (o->kind != MP_USE)
			return;
		s->pc[t]++;
	}
}

static bool can_step(const struct mp_program *p, const struct state *s, unsigned t)
{
	const struct mp_op *o = op_of(p, t, s->pc[t]);

	return o->kind != MP_END && (o->kind != MP_LOCK || !s->owner[o->obj]);
}

/* Executes the next visible instruction. */
static void step(const struct mp_program *p, struct state *s, unsigned t)
{
	const struct mp_op *o = op_of(p, t, s->pc[t]);
	uint8_t old = o->kind <= MP_RMW ? s->value[o->obj] : 0;

	if (o->kind == MP_LOCK || o->kind == MP_UNLOCK) {
		s->owner[o->obj] = o->kind == MP_LOCK ? (uint8_t)(t + 1) : 0;
	} else {
		if (o->kind == MP_WRITE)
			s->value[o->obj] = sum(s, t, o, o->reg);
		else
			s->reg[t][o->reg] = old;
		if (o->kind == MP_RMW)
			s->value[o->obj] = (uint8_t)((old + o->value) % MP_VALUES);
		if (o->kind != MP_READ)
			s->writer[o->obj] = (uint8_t)instance_of(t, s->pc[t]);
	}
	s->pc[t]++;
	run_silent(p, s, t);
}

static void start(const struct mp_program *p, struct state *s)
{
	memset(s, 0, sizeof(*s));
	for (unsigned t = 0; t < p->threads; t++)
		run_silent(p, s, t);
}

/* ---- recording ---- */

struct record {
	const struct mp_program *p;
	struct state s;
	struct {
		uint8_t thread, pc;
		uint8_t read, wrote;
	} step[MP_THREADS * MP_CODE];
	unsigned n;
};

static void record_step(struct record *r, unsigned t)
{
	const struct mp_op *o = op_of(r->p, t, r->s.pc[t]);
	uint8_t pc = r->s.pc[t], old = o->kind <= MP_RMW ? r->s.value[o->obj] : 0;

	step(r->p, &r->s, t);
	r->step[r->n].thread = (uint8_t)t;
	r->step[r->n].pc = pc;
	r->step[r->n].read = old;
	r->step[r->n++].wrote = o->kind <= MP_RMW ? r->s.value[o->obj] : 0;
}

/* Is the location in the model? */
static bool is_shared(const struct record *r, unsigned loc)
{
	unsigned threads = 0;
	bool written = false;

	for (unsigned i = 0; i < r->n; i++) {
		const struct mp_op *o = op_of(r->p, r->step[i].thread, r->step[i].pc);

		if (o->kind > MP_RMW || o->obj != loc)
			continue;
		threads |= 1u << r->step[i].thread;
		written |= o->kind != MP_READ;
	}
	return written && threads & (threads - 1);
}

static struct fr_model *build(const struct record *r)
{
	static const uint8_t sync[] = {[MP_LOCK] = FR_OP_ACQUIRE, [MP_UNLOCK] = FR_OP_RELEASE};
	struct fr_builder *b = fr_builder_new();
	uint32_t loc[MP_LOCS], hook[MP_THREADS] = {0};

	for (unsigned t = 0; t < r->p->threads; t++)
		fr_builder_thread(b, (const char *[]){"0", "0.1", "0.2"}[t], t + 1);
	for (unsigned i = 0; i < MP_LOCKS; i++)
		fr_builder_obj(b, FR_C_LOCK, (struct fr_mobj){.addr = 64 + i * 8});
	for (unsigned i = 0; i < MP_LOCS; i++)
		loc[i] = is_shared(r, i)
			     ? fr_builder_obj(b, FR_C_LOC,
					      (struct fr_mobj){.addr = 8 + i * 8, .count = 0xff})
			     : UINT32_MAX;
	for (unsigned i = 0; i < r->n; i++) {
		unsigned t = r->step[i].thread;
		const struct mp_op *o = op_of(r->p, t, r->step[i].pc);
		struct fr_mev e = {.thread = (uint16_t)t,
				   .site = instance_of(r->p->same >> t & 1 ? 0 : t, r->step[i].pc),
				   .op = FR_OP_READ,
				   .mask = 1,
				   .obj = o->obj,
				   .value = r->step[i].read};

		hook[t]++;
		if (o->kind > MP_RMW) {
			e.op = sync[o->kind];
			e.mask = 0;
			fr_builder_add(b, &e, hook[t]);
			continue;
		}
		if (loc[o->obj] == UINT32_MAX)
			continue;
		e.obj = loc[o->obj];
		if (o->kind == MP_RMW)
			e.flags = FR_F_ATOMIC;
		if (o->kind != MP_WRITE)
			fr_builder_add(b, &e, hook[t]);
		if (o->kind == MP_READ)
			continue;
		e.op = FR_OP_WRITE;
		e.value = r->step[i].wrote;
		if (o->kind == MP_RMW)
			e.flags = FR_F_ATOMIC | FR_F_PART;
		fr_builder_add(b, &e, hook[t]);
	}
	return fr_builder_finish(b);
}

static bool finished(const struct record *r)
{
	for (unsigned t = 0; t < r->p->threads; t++)
		if (op_of(r->p, t, r->s.pc[t])->kind != MP_END)
			return false;
	return true;
}

struct fr_model *mp_record(const struct mp_program *p, uint64_t *random)
{
	struct record r = {.p = p};

	start(p, &r.s);
	for (unsigned vain = 0; !finished(&r) && vain < 100; vain++) {
		unsigned t = (unsigned)(fx_random(random) % p->threads);

		for (unsigned k = 1 + (unsigned)(fx_random(random) % 4); k && can_step(p, &r.s, t);
		     k--, vain = 0)
			record_step(&r, t);
	}
	return finished(&r) ? build(&r) : NULL;
}

struct fr_model *mp_record_order(const struct mp_program *p, const uint8_t *order, unsigned n)
{
	struct record r = {.p = p};

	start(p, &r.s);
	for (unsigned i = 0; i < n; i++) {
		assert_true(can_step(p, &r.s, order[i]));
		record_step(&r, order[i]);
	}
	for (unsigned t = 0; t < p->threads; t++)
		while (can_step(p, &r.s, t))
			record_step(&r, t);
	assert_true(finished(&r));
	return build(&r);
}

/* ---- the graph ---- */

struct grow {
	struct fr_slice_graph *g;
	uint32_t reg[MP_THREADS][MP_REGS]; /* JOIN of each register */
};

static uint32_t value_node(struct grow *x, uint32_t site, bool writes)
{
	uint32_t n = fr_slice_graph_node(x->g, FR_SLICE_VALUE, site, 0);

	if (writes)
		x->g->node.v[n].flags = FR_SLICE_WRITES | FR_SLICE_FIXED;
	return n;
}

static void from_register(struct grow *x, unsigned t, unsigned reg, uint32_t to)
{
	if (reg < MP_REGS)
		fr_slice_graph_edge(x->g, x->reg[t][reg], to, 0);
}

/* One instruction; `cond`: the JOIN of the harmless branch around it, UINT32_MAX: none. */
static void grow(struct grow *x, unsigned t, unsigned pc, const struct mp_op *o, uint32_t cond)
{
	uint32_t site = instance_of(t, pc), n;

	switch (o->kind) {
	case MP_READ:
	case MP_WRITE:
	case MP_RMW:
		n = value_node(x, site, o->kind != MP_READ);
		if (o->kind == MP_WRITE)
			from_register(x, t, o->reg, n);
		else
			fr_slice_graph_edge(x->g, n, x->reg[t][o->reg], 0);
		if (cond == UINT32_MAX)
			return;
		if (o->kind != MP_READ)
			fr_slice_graph_edge(x->g, cond, n, 0);
		if (o->kind != MP_WRITE)
			fr_slice_graph_edge(x->g, cond, x->reg[t][o->reg], 0);
		n = fr_slice_graph_node(x->g, FR_SLICE_EXECUTE, site, 0);
		if (o->kind != MP_READ)
			x->g->node.v[n].flags = FR_SLICE_WRITES | FR_SLICE_FIXED;
		fr_slice_graph_edge(x->g, cond, n, 0);
		return;
	case MP_ASSIGN:
		from_register(x, t, o->other, x->reg[t][o->reg]);
		if (cond != UINT32_MAX)
			fr_slice_graph_edge(x->g, cond, x->reg[t][o->reg], 0);
		return;
	case MP_IFX:
		from_register(x, t, o->reg, fr_slice_graph_node(x->g, FR_SLICE_BRANCH, site, 0));
		return;
	case MP_USE:
		from_register(x, t, o->reg, fr_slice_graph_node(x->g, FR_SLICE_USED, site, 0));
		return;
	default:
		return;
	}
}

struct fr_slice_graph *mp_graph(const struct mp_program *p)
{
	struct grow x = {.g = fr_slice_graph_new()};

	for (unsigned t = 0; t < p->threads; t++) {
		uint32_t cond = UINT32_MAX;
		unsigned left = 0;

		for (unsigned i = 0; i < MP_REGS; i++)
			x.reg[t][i] = fr_slice_graph_node(x.g, FR_SLICE_JOIN, 0, 0);
		for (unsigned pc = 0; pc < MP_CODE; pc++) {
			const struct mp_op *o = &p->code[t][pc];

			if (o->kind == MP_IF) {
				cond = x.reg[t][o->reg];
				left = o->skip;
				continue;
			}
			grow(&x, t, pc, o, left ? cond : UINT32_MAX);
			left -= left > 0;
		}
	}
	fr_slice_graph_close(x.g, NULL);
	return x.g;
}

/* ---- random programs ---- */

static uint8_t below(uint64_t *random, unsigned n)
{
	return (uint8_t)(fx_random(random) % n);
}

static struct mp_op access_op(uint64_t *random)
{
	static const uint8_t kind[] = {MP_READ, MP_READ, MP_READ, MP_WRITE, MP_WRITE, MP_RMW};
	struct mp_op o = {.kind = kind[below(random, sizeof(kind))],
			  .obj = below(random, MP_LOCS),
			  .reg = below(random, MP_REGS),
			  .value = below(random, MP_VALUES)};

	if (o.kind == MP_WRITE && below(random, 2))
		o.reg = MP_REGS;
	return o;
}

static unsigned random_thread(struct mp_op *code, unsigned max, uint64_t *random)
{
	unsigned n = 0, held = MP_LOCKS, inside = 0;

	while (n + 4 < max) {
		struct mp_op o = access_op(random);
		unsigned what = below(random, 12);

		if (what >= 2 && what <= 5)
			o.reg = below(random, MP_REGS);
		if (what == 0 && held == MP_LOCKS && !inside) {
			held = below(random, MP_LOCKS);
			o = (struct mp_op){.kind = MP_LOCK, .obj = (uint8_t)held};
		} else if (what <= 1 && held < MP_LOCKS && !inside) {
			o = (struct mp_op){.kind = MP_UNLOCK, .obj = (uint8_t)held};
			held = MP_LOCKS;
		} else if (what == 2) {
			o.kind = MP_ASSIGN;
			o.other = below(random, MP_REGS + 1);
		} else if ((what == 3 || what == 4) && !inside) {
			o.kind = what == 3 ? MP_IF : MP_IFX;
			o.skip = (uint8_t)(1 + below(random, 2));
			inside = o.skip + 1;
		} else if (what == 5) {
			o.kind = inside ? MP_ASSIGN : MP_USE;
			o.other = MP_REGS;
		}
		inside -= inside > 0;
		code[n++] = o;
	}
	while (inside--)
		code[n++] = access_op(random);
	if (held < MP_LOCKS)
		code[n++] = (struct mp_op){.kind = MP_UNLOCK, .obj = (uint8_t)held};
	code[n] = (struct mp_op){.kind = MP_END};
	return n;
}

void mp_random(struct mp_program *p, uint64_t *random)
{
	memset(p, 0, sizeof(*p));
	p->threads = 2 + below(random, MP_THREADS - 1);
	for (unsigned t = 0; t < p->threads; t++)
		random_thread(p->code[t], p->threads == 2 ? 12 : 9, random);
	if (below(random, 2))
		p->same = (uint8_t)(below(random, 1u << p->threads) & ~1u);
}

void mp_print(const struct mp_program *p)
{
	static const char *const name[] = {"end",  "read",   "write", "rmw", "assign",
					   "lock", "unlock", "if",    "ifx", "use"};

	fprintf(stderr, "the code of thread 0: %x\n", p->same);
	for (unsigned t = 0; t < p->threads; t++)
		for (unsigned i = 0; i < MP_CODE && p->code[t][i].kind; i++) {
			const struct mp_op *o = &p->code[t][i];

			fprintf(stderr, "%u: %2u %-6s obj %u reg %u other %u value %u skip %u\n", t,
				instance_of(t, i), name[o->kind], o->obj, o->reg, o->other,
				o->value, o->skip);
		}
}

/* ---- all schedules ---- */

#define MP_SITES (1 + MP_THREADS * MP_CODE)
struct mp_all {
	const struct mp_program *p;
	struct fr_map seen;
	bool pair[MP_SITES][MP_SITES];
	uint8_t sees[MP_SITES][MP_SITES]; /* bit v: with value v */
	FR_VEC(struct state) todo;
};

static uint64_t key_of(const struct state *s)
{
	uint64_t k = 1;

	for (unsigned t = 0; t < MP_THREADS; t++) {
		k = k * MP_CODE + s->pc[t];
		for (unsigned i = 0; i < MP_REGS; i++)
			k = k * MP_VALUES + s->reg[t][i];
	}
	for (unsigned i = 0; i < MP_LOCS; i++)
		k = (k * MP_VALUES + s->value[i]) * MP_SITES + s->writer[i];
	for (unsigned i = 0; i < MP_LOCKS; i++)
		k = k * (MP_THREADS + 1) + s->owner[i];
	return k;
}

static void visit(struct mp_all *a, const struct state *s)
{
	uint64_t *at = fr_map_put(&a->seen, key_of(s));

	if (*at)
		return;
	*at = 1;
	fr_vec_push(&a->todo, *s);
	for (unsigned t = 0; t < a->p->threads; t++) {
		const struct mp_op *o = op_of(a->p, t, s->pc[t]);

		for (unsigned u = 0; u < a->p->threads; u++)
			if (u != t)
				a->pair[instance_of(t, s->pc[t])][instance_of(u, s->pc[u])] = true;
		if (o->kind == MP_READ || o->kind == MP_RMW)
			a->sees[instance_of(t, s->pc[t])][s->writer[o->obj]] |=
			    (uint8_t)(1u << s->value[o->obj]);
	}
}

struct mp_all *mp_explore(const struct mp_program *p)
{
	struct mp_all *a = fr_xcalloc(1, sizeof(*a));
	struct state s;

	_Static_assert(MP_SITES <= UINT8_MAX, "state.writer");
	a->p = p;
	start(p, &s);
	visit(a, &s);
	while (a->todo.n) {
		struct state at = a->todo.v[--a->todo.n];

		for (unsigned t = 0; t < p->threads; t++) {
			struct state next = at;

			if (!can_step(p, &at, t))
				continue;
			step(p, &next, t);
			visit(a, &next);
		}
	}
	return a;
}

void mp_all_free(struct mp_all *a)
{
	fr_map_free(&a->seen);
	fr_vec_free(&a->todo);
	free(a);
}

bool mp_pair(const struct mp_all *a, uint32_t instance, uint32_t other)
{
	return a->pair[instance][other];
}

bool mp_sees(const struct mp_all *a, uint32_t read, uint32_t write, uint64_t value)
{
	return a->sees[read][write] >> value & 1;
}
