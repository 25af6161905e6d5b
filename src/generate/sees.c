/* Reads that see another write, or the initial value: see sees.h. */
#include "generate/sees.h"
#include "generate/guard.h"
#include "generate/matches.h"
#include "generate/recent.h"
#include "causality/refute.h"
#include <string.h>

#define CREDIT 1024	      /* comparisons per location, */
#define CREDIT_ALL (1u << 17) /* and for all of them together, */
#define CREDIT_EVERY 8	      /* plus one for every CREDIT_EVERY accesses, */
#define CREDIT_LOOK 8	      /* with less, only now and then an access is compared */
#define CREDIT_NEW 1024	      /* plus these for accesses unlike all before */
#define GROUPS_MAX 4096
#define PEEK 16 /* accesses of a location that are examined if no further group fits */
#define AHEAD 16
#define SITES (UINT32_C(1) << 22) /* struct fr_mev */

struct search {
	const struct fr_sees *s;
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_matches matches;
	/* State of one location. */
	struct fr_recent recent[2]; /* reads, writes: each with one list */
	fr_ev first, last;	    /* its first and last write; FR_NO_EV: none yet */
	uint16_t thread;	    /* of the last access */
	uint32_t accesses, credit, credit_new;
	uint32_t credit_all; /* left of CREDIT_ALL */
	uint64_t *known;     /* bit s: a read at site s is in a group */
};

/* ---- pairs ---- */

/* Must another write come between the write and the read? x: the write that the read saw. */
static bool hidden(const struct search *s, fr_ev write, fr_ev read, fr_ev x)
{
	if (x == FR_NO_EV || x == write || s->m->ev[read].mask & ~s->m->ev[x].mask)
		return false;
	return (write == FR_NO_EV || fr_mhb(s->c, write, x)) && fr_mhb(s->c, x, read);
}

/* Can both be pending at once, as accesses of a race? Semaphores and the like may still exclude
   it. */
static bool is_race(const struct search *s, fr_ev read, fr_ev write)
{
	const struct fr_mev *r = &s->m->ev[read], *w = &s->m->ev[write];

	return !(r->flags & w->flags & FR_F_ATOMIC) && !((r->flags | w->flags) & FR_NO_TARGET) &&
	       r->thread != w->thread &&
	       fr_pair_infeasible(s->m, s->c, fr_head(s->m, read), fr_head(s->m, write)) ==
		   FR_WHY_NONE;
}

/* Must the read come before the write, or another write between them? */
static bool excluded(const struct search *s, fr_ev read, fr_ev write, fr_ev saw)
{
	return fr_mhb(s->c, read, write) || (write < read && hidden(s, write, read, saw));
}

/* The read may see the write, or with FR_NO_EV the initial value, which `first` overwrites. saw:
   the write that it saw. */
static void meet(struct search *s, fr_ev read, fr_ev write, fr_ev first, fr_ev saw)
{
	bool initial = write == FR_NO_EV;
	fr_ev other = initial ? first : write;
	const struct fr_mev *r = &s->m->ev[read], *w = &s->m->ev[other];
	fr_ev ev[3] = {read, write, first};
	uint64_t key = fr_mix(fr_mix(r->site, w->site), initial);
	struct fr_match_group of = {.key = (s->s->needs ? fr_mix(key, s->s->needs) : key) >> 1,
				    .nev = 3};
	struct fr_match x = {.ev = ev, .apart = fr_apart(read, other), .end = fr_max(read, other)};

	fr_assert_slow(r->op == FR_OP_READ && w->op == FR_OP_WRITE && r->obj == w->obj);
	x.context = (uint32_t)fr_mix((uint64_t)r->thread << 16 | w->thread, w->value);
	if (!fr_matches_want(&s->matches, of.key, &x))
		return;
	if (s->s->reads_at && !s->s->reads_at(s->m, r->site))
		return;
	if (!initial && excluded(s, read, write, saw)) {
		s->ret->excluded++;
		return;
	}
	of.bug = s->s->one_reader ? fr_mix(r->site, 1 + s->s->needs) >> 1 | 1 : of.key;
	if (fr_matches_add(&s->matches, &of, &x))
		s->known[r->site / 64] |= UINT64_C(1) << r->site % 64;
	else
		s->ret->cut_off++;
}

static bool fits(const struct search *s, fr_ev read, fr_ev write)
{
	return s->m->ev[read].mask & s->m->ev[write].mask && s->s->fits(s->m, read, write);
}

/* ---- locations ---- */

/* News: the access is unlike all before, so that it has to be compared even in a long list. */
static bool spend(struct search *s, bool news)
{
	if (!s->credit && news && s->credit_new) {
		s->credit_new--;
		return true;
	}
	if (!s->credit) {
		s->ret->cut_off++;
		return false;
	}
	s->credit--;
	return true;
}

/* The write that the read saw, if one write gave all its bytes; otherwise FR_NO_EV. last: the last
   write before it, if that is known. */
static fr_ev seen_by(const struct search *s, fr_ev read, fr_ev last)
{
	fr_ev w[8];

	if (last != FR_NO_EV && !(s->m->ev[read].mask & ~s->m->ev[last].mask))
		return last;
	return fr_writers_since(s->c, read, 0, w) == 1 ? w[0] : FR_NO_EV;
}

static void look_from_read(struct search *s, fr_ev read, bool news)
{
	struct fr_recent *x = &s->recent[1];
	fr_ev saw = seen_by(s, read, s->last);

	for (uint8_t i = fr_recent_list(x, 0)->newest; i != FR_RECENT_NONE && spend(s, news);
	     i = x->v[i].older) {
		fr_ev write = x->v[i].last.ev;

		if (write == saw || !fits(s, read, write)) {
			write = x->v[i].other;
			if (write == FR_NO_EV || write == saw || !fits(s, read, write))
				continue;
		}
		meet(s, read, write, FR_NO_EV, saw);
	}
	if (s->first == FR_NO_EV || !s->s->fits(s->m, read, FR_NO_EV))
		return;
	if (s->m->ev[s->first].thread == s->m->ev[read].thread || fr_mhb(s->c, s->first, read) ||
	    s->m->ev[s->first].flags & FR_F_SYNTH)
		s->ret->excluded++;
	else if (saw != FR_NO_EV)
		meet(s, read, FR_NO_EV, s->first, saw);
}

static void look_from_write(struct search *s, fr_ev write, bool news)
{
	struct fr_recent *x = &s->recent[0];

	for (uint8_t i = fr_recent_list(x, 0)->newest; i != FR_RECENT_NONE && spend(s, news);
	     i = x->v[i].older) {
		fr_ev read = x->v[i].last.ev;

		if (x->v[i].thread == s->m->ev[write].thread)
			continue;
		if (!fits(s, read, write)) {
			read = x->v[i].other;
			if (read == FR_NO_EV || !fits(s, read, write))
				continue;
		}
		meet(s, read, write, FR_NO_EV, FR_NO_EV);
	}
}

/* A write that the loader inserted counts if it is the initial value. Others explain one read. */
static bool inserted(const struct fr_model *m, fr_ev e)
{
	return m->ev[e].flags & FR_F_SYNTH &&
	       (m->ev[e].flags & FR_F_PART || (e + 1 < m->n && m->ev[e + 1].flags & FR_F_PART));
}

static void see_access(struct search *s, fr_ev e)
{
	const struct fr_mev *v = &s->m->ev[e];
	bool write = v->op == FR_OP_WRITE;
	struct fr_recent *x = &s->recent[write];
	/* an odd factor keeps different keys different */
	uint64_t key = ((uint64_t)v->thread << 32 | v->site << 8 | v->mask) * 0x9e3779b97f4a7c15;
	struct fr_recent_class *k;
	bool news;

	if (write && s->first == FR_NO_EV)
		s->first = e;
	if (write)
		s->last = e;
	s->credit += ++s->accesses % CREDIT_EVERY == 0;
	if (write ? inserted(s->m, e) || !s->s->writes(s->m, e) : !s->s->reads(s->m, e))
		return;
	if (s->s->values)
		key = fr_mix(key, v->value);
	key = key >> 32 | key << 32;
	k = fr_recent_find(x, key);
	if (!k) {
		k = fr_recent_add(x, key, fr_recent_list(x, 0), v);
		s->ret->cut_off += x->forgot;
	}
	news = !k->count;
	/* Where two threads alternate, the events that a schedule has to move are near each
	   other. */
	if ((s->thread != v->thread && s->credit >= CREDIT_LOOK) || fr_sample_now(k->count)) {
		fr_recent_seen(x, k);
		if (write)
			look_from_write(s, e, news);
		else
			look_from_read(s, e, news);
	} else {
		k->count++; /* stays where it is in the list */
	}
	s->thread = v->thread;
	fr_recent_value(k, e, v);
}

static bool is_wanted(const struct search *s, fr_ev e)
{
	const struct fr_mev *v = &s->m->ev[e];

	return v->op == FR_OP_READ && s->s->sites[v->site / 64] >> v->site % 64 & 1;
}

/* Does a read of the location come from a site that is wanted? */
static bool has_wanted(const struct search *s, uint32_t loc)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];

	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++)
		if (is_wanted(s, k->list[i]))
			return true;
	return false;
}

/* No further group fits. Can the location have pairs of the groups that exist? Its accesses come
   from few sites, so some of them tell. */
static bool is_known(const struct search *s, uint32_t loc)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	uint32_t first = k->first[loc], n = k->first[loc + 1] - first, by = n / PEEK + 1;

	for (uint32_t i = 0; i < n; i += by) {
		const struct fr_mev *v = &s->m->ev[k->list[first + i]];

		if (v->op == FR_OP_READ && s->known[v->site / 64] >> v->site % 64 & 1)
			return true;
	}
	return false;
}

static void see_location(struct search *s, uint32_t loc)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	uint32_t granted;

	if (s->s->sites && !has_wanted(s, loc))
		return;
	if (s->matches.group.n == s->matches.max && !is_known(s, loc)) {
		s->ret->cut_off++;
		return;
	}
	fr_recent_clear(&s->recent[0]);
	fr_recent_clear(&s->recent[1]);
	s->first = s->last = FR_NO_EV;
	s->thread = 0;
	granted = fr_min(s->credit_all, (uint32_t)CREDIT);
	s->credit = granted;
	s->credit_new = CREDIT_NEW;
	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++) {
		if (i + AHEAD < k->first[k->n])
			__builtin_prefetch(&s->m->ev[k->list[i + AHEAD]]);
		if (!s->s->sites || s->m->ev[k->list[i]].op == FR_OP_WRITE ||
		    is_wanted(s, k->list[i]))
			see_access(s, k->list[i]);
	}
	s->credit_all -= granted - fr_min(granted, s->credit);
}

/* ---- groups ---- */

/* The write that comes too late: the one that the read saw in the recorded run. */
static fr_ev late(const struct search *s, fr_ev read, fr_ev first)
{
	fr_ev saw = seen_by(s, read, FR_NO_EV);

	return saw != FR_NO_EV && !(s->m->ev[saw].flags & FR_F_SYNTH) ? saw : first;
}

static struct fr_instance *instance(const struct search *s, fr_ev read, fr_ev write, fr_ev first)
{
	bool shown = write != FR_NO_EV && !(s->m->ev[write].flags & FR_F_SYNTH);
	/* a write in the future of the recorded read comes too early; else another comes too
	   late */
	fr_ev after = write != FR_NO_EV && write > read ? FR_NO_EV : late(s, read, first);
	struct fr_instance *in;
	uint32_t n = 0;

	if (after != FR_NO_EV && s->m->ev[after].thread == s->m->ev[read].thread)
		after = FR_NO_EV;
	in = fr_instance_new(1 + shown + (after != FR_NO_EV));
	if (shown)
		in->actor[n++] = (struct fr_actor){write, FR_ROLE_WRITER, 1};
	in->actor[n++] = (struct fr_actor){read, FR_ROLE_READER, 1};
	if (after != FR_NO_EV)
		in->actor[n++] = (struct fr_actor){after, FR_ROLE_TOO_LATE, 1};
	fr_assert(n == in->nactors);
	in->what.npending = 1;
	in->what.pending[0] = fr_head(s->m, read);
	in->what.sees.on = true;
	in->what.sees.read = read;
	in->what.sees.write = write;
	return in;
}

/* The least doubt of the matches. */
static uint32_t least_doubt(const struct search *s, const struct fr_match *w, uint32_t n)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < n; i++) {
		fr_ev read = w[i].ev[0], write = w[i].ev[1];
		uint32_t d = s->s->doubt(s->m, read, write);

		if (d < least && s->s->races &&
		    is_race(s, read, write == FR_NO_EV ? w[i].ev[2] : write))
			d += s->s->races;
		least = fr_min(least, d);
	}
	return least;
}

/* The likely ones first, and of these the near ones. */
static uint64_t rank(void *arg, const struct fr_match *w, uint32_t n)
{
	return (uint64_t)least_doubt(arg, w, n) << 32 | w[0].apart;
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	const struct search *s = arg;

	g->doubt = least_doubt(s, w, n);
	g->needs = s->s->needs;
	for (uint32_t i = 0; i < n; i++)
		fr_vec_push(&g->instance, instance(s, w[i].ev[0], w[i].ev[1], w[i].ev[2]));
}

void fr_sees_generate(const struct fr_sees *want, const struct fr_model *m,
		      const struct fr_causality *c, struct fr_groups *ret)
{
	struct search *s = fr_xcalloc(1, sizeof(*s));

	*ret = (struct fr_groups){0};
	s->s = want;
	s->m = m;
	s->c = c;
	s->ret = ret;
	s->matches.max = GROUPS_MAX;
	s->credit_all = CREDIT_ALL;
	s->known = fr_xcalloc(SITES / 64, sizeof(*s->known));
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		see_location(s, i);
	ret->left_out = fr_matches_choose(&s->matches, want->max, rank, s);
	fr_matches_write(&s->matches, write_matches, s, ret);
	fr_matches_free(&s->matches);
	free(s->known);
	free(s);
	fr_groups_sort(ret);
}
