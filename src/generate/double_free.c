/*
 * Double frees: a thread reads something that makes it free a block, such as the pointer itself or
 * a flag. In the recorded run, another thread reads the same at the same position, but finds
 * another value, because the first thread has cleared it or put another block there. If the second
 * thread reads the same value as the first one, it acts in the same way: it frees the same block.
 * There is one group for each source position of such a read and of a free.
 *
 * Candidate:        the read of the first thread, then that of the second thread, which sees the
 *                   same write. The candidate does not contain the frees: they follow. A finding
 *                   counts only if the re-execution shows a block that is freed twice.
 * Cost:             the last LOOK_BACK events before each free, and for each read among them the
 *                   nearest accesses to its location: FAR on each side, or NEAR once the credit
 *                   of these searches, a part of the events, is spent. Of many reads that are
 *                   alike, one is searched only now and then.
 * Not decided here: whether the second thread can read it. The oracle decides that.
 */
#include "generate/generate.h"
#include "generate/unguarded.h"
#include "generate/matches.h"
#include <string.h>

#define GROUPS_MAX 20000
#define MANY 1000 /* above this number of groups, fewer instances of each */
#define LOOK_BACK 48
#define FAR 2048
#define NEAR 16
#define AHEAD 16
#define CREDIT (1u << 17) /* accesses to examine, plus one for every 32 events */

struct double_free_search {
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_matches matches;
	struct fr_map
	    alike; /* number of reads with the same thread and site, and site of the free */
	uint64_t credit;
};

static uint64_t bytes_read(const struct fr_mev *v)
{
	return v->value & fr_mask_bytes(v->mask);
}

/* The write that all bytes of a read saw; FR_NO_EV: the initial value. False: several. */
static bool write_seen(const struct fr_model *m, fr_ev read, fr_ev *ret)
{
	fr_ev by[8];
	bool first = true;

	fr_model_writers(m, read, by);
	for (unsigned i = 0; i < 8; i++) {
		if (!(m->ev[read].mask >> i & 1))
			continue;
		if (!first && by[i] != *ret)
			return false;
		*ret = by[i];
		first = false;
	}
	return !first;
}

static bool is_read(const struct fr_mev *v)
{
	return v->op == FR_OP_READ && !(v->flags & (FR_NO_TARGET | FR_F_NOVALUE | FR_F_RANGE));
}

/* Are the sites one source position? A function that is inlined has several. */
static bool same_code(const struct fr_model *m, uint32_t a, uint32_t b)
{
	struct fr_site_info x, y;

	if (a == b)
		return true;
	if (!m->trace || !m->trace->sites)
		return false;
	x = fr_sites_get(m->trace->sites, a);
	y = fr_sites_get(m->trace->sites, b);
	return x.known && y.known && x.line && x.line == y.line && x.column == y.column &&
	       !strcmp(x.file, y.file);
}

/* Thread A reads, and frees later. Thread B reads the same location. */
static void see_pair(struct double_free_search *s, fr_ev a, fr_ev b, fr_ev free)
{
	const struct fr_model *m = s->m;
	const struct fr_mev *x = &m->ev[a], *y = &m->ev[b];
	fr_ev ev[3] = {a, b, free}, write = FR_NO_EV;
	struct fr_match_group of = {.key = fr_mix(x->site, m->ev[free].site) >> 1, .nev = 3};
	struct fr_match w = {.ev = ev, .apart = fr_apart(a, b), .end = fr_max(free, b)};

	if (y->thread == x->thread || y->mask != x->mask || !is_read(y) ||
	    bytes_read(y) == bytes_read(x) || !same_code(m, x->site, y->site))
		return;
	fr_assert(x->obj == y->obj && a < free && x->thread == m->ev[free].thread);
	w.context = (uint32_t)fr_mix(x->thread, y->thread);
	if (!fr_matches_want(&s->matches, of.key, &w))
		return;
	if (fr_mhb(s->c, b, a) || fr_mhb(s->c, free, b) || !write_seen(m, a, &write)) {
		s->ret->excluded++;
		return;
	}
	of.bug = fr_mix(m->ev[free].site, 1) | 1;
	if (!fr_matches_add(&s->matches, &of, &w))
		s->ret->cut_off++;
}

/* Looks for other threads that read where thread A reads, nearest first. */
static void see_read(struct double_free_search *s, fr_ev a, fr_ev free)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	uint32_t obj = s->m->ev[a].obj, first = k->first[obj], n = k->first[obj + 1] - first;
	uint32_t at = fr_list_lower(k->list + first, n, a), most = s->credit ? FAR : NEAR;

	fr_assert(at < n && k->list[first + at] == a);
	for (uint32_t d = 1; d <= most && (d <= at || at + d < n); d++) {
		if (d + AHEAD <= at)
			__builtin_prefetch(&s->m->ev[k->list[first + at - d - AHEAD]]);
		if (at + d + AHEAD < n)
			__builtin_prefetch(&s->m->ev[k->list[first + at + d + AHEAD]]);
		if (d <= at)
			see_pair(s, a, k->list[first + at - d], free);
		if (at + d < n)
			see_pair(s, a, k->list[first + at + d], free);
		s->credit -= s->credit > 0;
	}
	s->ret->cut_off += at > most || n - at > most + 1;
}

static void see_free(struct double_free_search *s, fr_ev free)
{
	const struct fr_mthread *t = &s->m->thread[s->m->ev[free].thread];
	uint32_t at = fr_model_pos(s->m, free);

	fr_assert(s->m->ev[free].op == FR_OP_FREE);
	for (uint32_t i = 1; i <= LOOK_BACK && i <= at; i++) {
		fr_ev read = t->ev[at - i];
		const struct fr_mev *v = &s->m->ev[read];
		uint64_t key = fr_mix((uint64_t)v->thread << 32 | v->site, s->m->ev[free].site);

		if (is_read(v) && fr_sample_now((*fr_map_put(&s->alike, key >> 1))++))
			see_read(s, read, free);
	}
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	const struct double_free_search *s = arg;

	for (uint32_t i = 0; i < n; i++) {
		struct fr_instance *in = fr_instance_new(2);
		fr_ev a = w[i].ev[0], b = w[i].ev[1], write = FR_NO_EV;
		bool one = write_seen(s->m, a, &write);

		fr_assert(one && s->m->ev[a].obj == s->m->ev[b].obj);
		fr_assert(s->m->ev[a].thread != s->m->ev[b].thread);
		in->what.npending = in->what.nedges = 1;
		in->what.pending[0] = fr_head(s->m, b);
		in->what.edge[0].before = fr_head(s->m, a);
		in->what.edge[0].after = in->what.pending[0];
		in->what.sees.on = true;
		in->what.sees.read = b;
		in->what.sees.write = write;
		in->actor[0] = (struct fr_actor){a, FR_ROLE_FIRST, 1};
		in->actor[1] = (struct fr_actor){b, FR_ROLE_SECOND, 1};
		fr_vec_push(&g->instance, in);
	}
}

static void generate(const struct fr_generator *self, const struct fr_model *m,
		     const struct fr_causality *c, const struct fr_generate_opt *opt,
		     struct fr_groups *ret)
{
	struct double_free_search s = {
	    .m = m, .c = c, .ret = ret, .matches.max = GROUPS_MAX, .credit = CREDIT + m->n / 32};
	const struct fr_mclass *h = &m->cls[FR_C_HEAP];

	(void)self;
	(void)opt;
	*ret = (struct fr_groups){0};
	s.matches.many = MANY;
	for (uint32_t i = 0; i < h->first[h->n]; i++)
		if (m->ev[h->list[i]].op == FR_OP_FREE && m->ev[h->list[i]].kind == FR_EV_FREE)
			see_free(&s, h->list[i]);
	fr_matches_write(&s.matches, write_matches, &s, ret);
	fr_matches_free(&s.matches);
	fr_map_free(&s.alike);
	fr_groups_sort(ret);
}

const struct fr_generator fr_generator_double_free = {
    .name = "double-free",
    .summary = "two threads free the same block",
    .meeting = FR_MEETING_IN_ORDER,
    .needs = FR_NEEDS_TWICE,
    .rank = 20,
    .generate = generate,
};
