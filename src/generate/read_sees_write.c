/*
 * Reads that see another write, or the initial value: see read_sees_write.h.
 *
 * Cost: loading the events from memory into the cache takes nearly all the time. So the locations
 * that a long run accesses often are searched together, one window of the run after another; each
 * window then comes into the cache once. A pair of classes that has enough matches is compared
 * again only where its accesses are nearer than those of the matches (`near`).
 */
#include "generate/read_sees_write.h"
#include "generate/unguarded.h"
#include "generate/matches.h"
#include "generate/recent_accesses.h"
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
#define TOGETHER 128		  /* locations that are searched at once, */
#define WINDOW 16384		  /* a window of a long run, in events */
#define OFTEN 8			  /* accesses in a window: more are often */
#define LONG (16 * WINDOW)	  /* events of a long run */
#define FAR UINT8_MAX		  /* above all values of fr_apart */
#define SITES (UINT32_C(1) << 22) /* struct fr_mev */
_Static_assert(SITES % 64 == 0, "a bit for each site, in words");

/* State of one location. */
struct sees_location {
	struct fr_recent recent[2]; /* reads, writes: each with one list */
	fr_ev last;		    /* its last write; FR_NO_EV: none yet */
	fr_ev first[8];		    /* of each byte, its first write */
	uint8_t written;	    /* the bytes that have one */
	uint32_t next, end;	    /* accesses to come: a range of the list of locations */
	uint32_t accesses, credit, granted, credit_new;
	uint16_t thread; /* of the last access */
	/* For each class of reads, of all classes of writes and the initial value: a later pair of
	   them is of use only if it is less apart than this. */
	uint8_t near[FR_RECENT_CLASSES][FR_RECENT_CLASSES + 1];
};
#define INITIAL FR_RECENT_CLASSES

struct sees_search {
	const struct fr_sees *s;
	const struct fr_model *m;
	const struct fr_causality *c;
	struct fr_groups *ret;
	struct fr_matches matches;
	uint32_t credit_all;		/* left of CREDIT_ALL */
	uint64_t *known;		/* bit s: a read at site s is in a group */
	bool one_value;			/* all writes of a class store the same */
	struct sees_location *together; /* TOGETHER locations that are searched at once, */
	uint32_t ntogether;		/* number of elements of `together` in use */
};

/* ---- pairs ---- */

/* Must another write come between the write and the read? x: the write that the read saw. */
static bool hidden(const struct sees_search *s, fr_ev write, fr_ev read, fr_ev x)
{
	if (x == FR_NO_EV || x == write || s->m->ev[read].mask & ~s->m->ev[x].mask)
		return false;
	return (write == FR_NO_EV || fr_mhb(s->c, write, x)) && fr_mhb(s->c, x, read);
}

/* Can both be pending at once, as accesses of a race? Semaphores and the like may still exclude
   it. */
static bool is_race(const struct sees_search *s, fr_ev read, fr_ev write)
{
	const struct fr_mev *r = &s->m->ev[read], *w = &s->m->ev[write];

	return !(r->flags & w->flags & FR_F_ATOMIC) && !((r->flags | w->flags) & FR_NO_TARGET) &&
	       r->thread != w->thread &&
	       fr_pair_infeasible(s->m, s->c, fr_head(s->m, read), fr_head(s->m, write)) ==
		   FR_WHY_NONE;
}

/* Must the read come before the write, or another write between them? */
static bool excluded(const struct sees_search *s, fr_ev read, fr_ev write, fr_ev saw)
{
	return fr_mhb(s->c, read, write) || (write < read && hidden(s, write, read, saw));
}

/* The read may see the write, or with FR_NO_EV the initial value, which `first` overwrites. saw:
   the write that it saw. Returns the element of `near`. */
static uint8_t meet(struct sees_search *s, fr_ev read, fr_ev write, fr_ev first, fr_ev saw)
{
	bool initial = write == FR_NO_EV;
	fr_ev other = initial ? first : write;
	const struct fr_mev *r = &s->m->ev[read], *w = &s->m->ev[other];
	fr_ev ev[3] = {read, write, first};
	uint64_t key = fr_mix(fr_mix(r->site, w->site), initial);
	struct fr_match_group of = {.key = (s->s->needs ? fr_mix(key, s->s->needs) : key) >> 1,
				    .nev = 3};
	struct fr_match x = {.ev = ev, .apart = fr_apart(read, other), .end = fr_max(read, other)};

	fr_assert(r->op == FR_OP_READ && w->op == FR_OP_WRITE && r->obj == w->obj);
	fr_assert(initial ? first < s->m->n : (r->mask & w->mask) != 0);
	x.context = (uint32_t)fr_mix((uint64_t)r->thread << 16 | w->thread, w->value);
	if (!fr_matches_want(&s->matches, of.key, &x))
		return (uint8_t)fr_min(
		    fr_matches_near(&s->matches, of.key, &x, initial || s->one_value),
		    (uint32_t)FAR);
	if (s->s->reads_at && !s->s->reads_at(s->m, r->site))
		return 0;
	if (!initial && excluded(s, read, write, saw)) {
		s->ret->excluded++;
		return FAR;
	}
	of.bug = s->s->one_reader ? fr_mix(r->site, 1 + s->s->needs) >> 1 | 1 : of.key;
	if (fr_matches_add(&s->matches, &of, &x))
		s->known[r->site / 64] |= UINT64_C(1) << r->site % 64;
	else
		s->ret->cut_off++;
	return FAR;
}

static bool fits(const struct sees_search *s, fr_ev read, fr_ev write)
{
	return s->m->ev[read].mask & s->m->ev[write].mask && s->s->fits(s->m, read, write);
}

/* ---- locations ---- */

/* News: the access is unlike all before, so that it has to be compared even in a long list. */
static bool spend(struct sees_search *s, struct sees_location *l, bool news)
{
	if (!l->credit && news && l->credit_new) {
		l->credit_new--;
		return true;
	}
	if (!l->credit) {
		s->ret->cut_off++;
		return false;
	}
	l->credit--;
	return true;
}

/* The write that the read saw, if one write gave all its bytes; otherwise FR_NO_EV. last: the last
   write before it, if that is known. */
static fr_ev seen_by(const struct sees_search *s, fr_ev read, fr_ev last)
{
	fr_ev w[8];

	if (last != FR_NO_EV && !(s->m->ev[read].mask & ~s->m->ev[last].mask))
		return last;
	return fr_writers_since(s->c, read, 0, w) == 1 ? w[0] : FR_NO_EV;
}

/* The first write of one of the bytes that the read returns: the read cannot see the initial value
   of all of them after it. FR_NO_EV: none yet. */
static fr_ev first_write(const struct sees_location *l, uint8_t mask)
{
	fr_ev first = FR_NO_EV;

	for (unsigned left = mask & l->written; left; left &= left - 1)
		first = fr_min(first, l->first[__builtin_ctz(left)]);
	return first;
}

static void note_first(struct sees_location *l, fr_ev write, uint8_t mask)
{
	for (unsigned left = mask & ~l->written & 0xff; left; left &= left - 1)
		l->first[__builtin_ctz(left)] = write;
	l->written |= mask;
}

/* near: the limit for the read's class. */
static void look_at_initial(struct sees_search *s, fr_ev read, fr_ev first, fr_ev saw,
			    uint8_t *near)
{
	const struct fr_mev *w = &s->m->ev[first];

	if (fr_apart(read, first) >= *near || !s->s->fits(s->m, read, FR_NO_EV))
		return;
	if (w->thread == s->m->ev[read].thread || fr_mhb(s->c, first, read) ||
	    w->flags & FR_F_SYNTH) {
		s->ret->excluded++;
		*near = 0; /* so are later reads of this thread */
	} else if (saw != FR_NO_EV) {
		*near = meet(s, read, FR_NO_EV, first, saw);
	}
}

/* r: the class of the read. */
static void look_from_read(struct sees_search *s, struct sees_location *l, fr_ev read, uint8_t r,
			   bool news)
{
	struct fr_recent *x = &l->recent[1];
	fr_ev saw = seen_by(s, read, l->last), first = first_write(l, s->m->ev[read].mask);

	for (uint8_t i = fr_recent_list(x, 0)->newest; i != FR_RECENT_NONE && spend(s, l, news);
	     i = x->v[i].older) {
		fr_ev write = x->v[i].last.ev;

		if (fr_apart(read, write) >= l->near[r][i])
			continue;
		if (write == saw || !fits(s, read, write)) {
			write = x->v[i].other;
			if (write == FR_NO_EV || write == saw || !fits(s, read, write))
				continue;
		}
		l->near[r][i] = meet(s, read, write, FR_NO_EV, saw);
	}
	if (first != FR_NO_EV)
		look_at_initial(s, read, first, saw, &l->near[r][INITIAL]);
}

/* w: the class of the write. */
static void look_from_write(struct sees_search *s, struct sees_location *l, fr_ev write, uint8_t w,
			    bool news)
{
	struct fr_recent *x = &l->recent[0];

	for (uint8_t i = fr_recent_list(x, 0)->newest; i != FR_RECENT_NONE && spend(s, l, news);
	     i = x->v[i].older) {
		fr_ev read = x->v[i].last.ev, first = x->v[i].first;

		if (x->v[i].thread == s->m->ev[write].thread)
			continue;
		/* Of the rounds of a loop, the write may do harm to the first one alone. */
		if (news && first != read && fits(s, first, write))
			meet(s, first, write, FR_NO_EV, FR_NO_EV);
		if (fr_apart(read, write) >= l->near[i][w])
			continue;
		if (!fits(s, read, write)) {
			read = x->v[i].other;
			if (read == FR_NO_EV || !fits(s, read, write))
				continue;
		}
		l->near[i][w] = meet(s, read, write, FR_NO_EV, FR_NO_EV);
	}
}

/* Adds a class of reads or writes. */
static struct fr_recent_class *add_class(struct sees_search *s, struct sees_location *l,
					 uint64_t key, const struct fr_mev *v)
{
	bool write = v->op == FR_OP_WRITE;
	struct fr_recent *x = &l->recent[write];
	struct fr_recent_class *k = fr_recent_add(x, key, fr_recent_list(x, 0), v);
	size_t n = (size_t)(k - x->v);

	s->ret->cut_off += x->forgot;
	if (!write) {
		memset(l->near[n], FAR, l->recent[1].n);
		l->near[n][INITIAL] = FAR;
	}
	for (uint32_t i = 0; write && i < l->recent[0].n; i++)
		l->near[i][n] = FAR;
	return k;
}

/* A write that the loader inserted counts if it is the initial value. Others explain one read. */
static bool inserted(const struct fr_model *m, fr_ev e)
{
	return m->ev[e].flags & FR_F_SYNTH &&
	       (m->ev[e].flags & FR_F_PART || (e + 1 < m->n && m->ev[e + 1].flags & FR_F_PART));
}

static inline void see_access(struct sees_search *s, struct sees_location *l, fr_ev e,
			      const struct fr_mev *v)
{
	bool write = v->op == FR_OP_WRITE;
	struct fr_recent *x = &l->recent[write];
	uint64_t key = fr_hash_spread((uint64_t)v->thread << 32 | v->site << 8 | v->mask);
	struct fr_recent_class *k;
	bool news;

	if (write) {
		note_first(l, e, v->mask);
		l->last = e;
	}
	l->credit += ++l->accesses % CREDIT_EVERY == 0;
	if (!fr_sees_wants(write ? &s->s->writes : &s->s->reads, v) ||
	    (write && v->flags & FR_F_SYNTH && inserted(s->m, e)))
		return;
	if (s->s->values)
		key = fr_mix(key, v->value);
	key = key >> 32 | key << 32;
	k = fr_recent_find(x, key);
	if (!k)
		k = add_class(s, l, key, v);
	news = !k->count;
	/* Where two threads alternate, the events that a schedule has to move are near each
	   other. */
	if ((l->credit >= CREDIT_LOOK && l->thread != v->thread) || fr_sample_now(k->count)) {
		fr_recent_seen(x, k);
		if (write)
			look_from_write(s, l, e, (uint8_t)(k - x->v), news);
		else
			look_from_read(s, l, e, (uint8_t)(k - x->v), news);
	} else {
		k->count++; /* stays where it is in the list */
	}
	l->thread = v->thread;
	fr_recent_value(k, e, v);
}

static bool is_wanted(const struct sees_search *s, fr_ev e)
{
	const struct fr_mev *v = &s->m->ev[e];

	return v->op == FR_OP_READ && s->s->sites[v->site / 64] >> v->site % 64 & 1;
}

/* Does a read of the location come from a site that is wanted? */
static bool has_wanted(const struct sees_search *s, uint32_t loc)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];

	for (uint32_t i = k->first[loc]; i < k->first[loc + 1]; i++)
		if (is_wanted(s, k->list[i]))
			return true;
	return false;
}

/* No further group fits. Can the location have pairs of the groups that exist? Its accesses come
   from few sites, so some of them tell. */
static bool is_known(const struct sees_search *s, uint32_t loc)
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

/* Begins to search a location. False: there is nothing to find. */
static bool begin(struct sees_search *s, struct sees_location *l, uint32_t loc)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];

	if (s->s->sites && !has_wanted(s, loc))
		return false;
	if (s->matches.group.n == s->matches.max && !is_known(s, loc)) {
		s->ret->cut_off++;
		return false;
	}
	fr_recent_clear(&l->recent[0]);
	fr_recent_clear(&l->recent[1]);
	l->last = FR_NO_EV;
	l->written = 0;
	l->next = k->first[loc];
	l->end = k->first[loc + 1];
	l->thread = 0;
	l->accesses = 0;
	l->granted = fr_min(s->credit_all, (uint32_t)CREDIT);
	l->credit = l->granted;
	l->credit_new = CREDIT_NEW;
	s->credit_all -= l->granted;
	return true;
}

/* Sees the location's accesses before the event `until`. */
static void see_until(struct sees_search *s, struct sees_location *l, fr_ev until)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	const struct fr_mev *ev = s->m->ev;
	const fr_ev *list = k->list;
	uint32_t i, end = l->end, all = k->first[k->n];

	for (i = l->next; i < end && list[i] < until; i++) {
		if (i + AHEAD < all)
			__builtin_prefetch(&ev[list[i + AHEAD]]);
		if (!s->s->sites || ev[list[i]].op == FR_OP_WRITE || is_wanted(s, list[i]))
			see_access(s, l, list[i], &ev[list[i]]);
	}
	l->next = i;
}

/* Gives back the credit of a location that was searched to its end. */
static void end(struct sees_search *s, const struct sees_location *l)
{
	fr_assert(l->next == l->end);
	s->credit_all += fr_min(l->granted, l->credit);
}

/* Reads the events of a window into the cache. In order, that is fast. */
static void fetch(const struct fr_mev *from, const struct fr_mev *to)
{
	uint32_t sum = 0;

	for (const char *p = (const char *)from; p < (const char *)to; p += 64)
		sum += *(const volatile uint8_t *)p;
	(void)sum;
}

/* Searches the locations that wait, one window of the run after another. */
static void see_together(struct sees_search *s)
{
	fr_ev until;

	for (fr_ev e = 0; s->ntogether && e < s->m->n; e = until) {
		until = e + fr_min(s->m->n - e, (fr_ev)WINDOW);
		fetch(&s->m->ev[e], &s->m->ev[until]);
		for (uint32_t i = 0; i < s->ntogether; i++)
			see_until(s, &s->together[i], until);
	}
	for (uint32_t i = 0; i < s->ntogether; i++)
		end(s, &s->together[i]);
	s->ntogether = 0;
}

static void see_location(struct sees_search *s, uint32_t loc)
{
	const struct fr_mclass *k = &s->m->cls[FR_C_LOC];
	struct sees_location *l = &s->together[s->ntogether];
	bool often = s->m->n > LONG && k->first[loc + 1] - k->first[loc] > s->m->n / WINDOW * OFTEN;

	if (!begin(s, l, loc))
		return;
	if (often) {
		if (++s->ntogether == TOGETHER)
			see_together(s);
		return;
	}
	see_until(s, l, s->m->n);
	end(s, l);
}

/* ---- groups ---- */

/* The write that the read misses: the one that it saw in the recorded run. */
static fr_ev missed(const struct sees_search *s, fr_ev read, fr_ev first)
{
	fr_ev saw = seen_by(s, read, FR_NO_EV);

	return saw != FR_NO_EV && !(s->m->ev[saw].flags & FR_F_SYNTH) ? saw : first;
}

static struct fr_instance *instance(const struct sees_search *s, fr_ev read, fr_ev write,
				    fr_ev first)
{
	bool shown = write != FR_NO_EV && !(s->m->ev[write].flags & FR_F_SYNTH);
	/* a write in the future of the recorded read comes too early; else the read misses
	   another */
	fr_ev after = write != FR_NO_EV && write > read ? FR_NO_EV : missed(s, read, first);
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
	fr_assert(write == FR_NO_EV || s->m->ev[write].obj == s->m->ev[read].obj);
	in->what.npending = 1;
	in->what.pending[0] = fr_head(s->m, read);
	in->what.sees.on = true;
	in->what.sees.read = read;
	in->what.sees.write = write;
	return in;
}

/* The least doubt of the matches, if that is at most `limit`; otherwise a number above it. */
static uint32_t least_doubt(const struct sees_search *s, const struct fr_match *w, uint32_t n,
			    uint32_t limit)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < n; i++) {
		fr_ev read = w[i].ev[0], write = w[i].ev[1];
		uint32_t d = s->s->doubt(s->m, read, write);

		if (d < least && d <= limit && s->s->races &&
		    is_race(s, read, write == FR_NO_EV ? w[i].ev[2] : write))
			d += s->s->races;
		least = fr_min(least, d);
	}
	return least;
}

/* The likely ones first, and of these the near ones. */
static uint64_t rank(void *arg, const struct fr_match *w, uint32_t n, uint64_t limit)
{
	fr_assert(n);
	return (uint64_t)least_doubt(arg, w, n, (uint32_t)(limit >> 32)) << 32 | w[0].apart;
}

static void write_matches(void *arg, struct fr_group *g, const struct fr_match *w, uint32_t n)
{
	const struct sees_search *s = arg;

	g->doubt = least_doubt(s, w, n, UINT32_MAX);
	g->needs = s->s->needs;
	for (uint32_t i = 0; i < n; i++)
		fr_vec_push(&g->instance, instance(s, w[i].ev[0], w[i].ev[1], w[i].ev[2]));
}

void fr_sees_generate(const struct fr_sees *want, const struct fr_model *m,
		      const struct fr_causality *c, struct fr_groups *ret)
{
	struct sees_search *s = fr_xcalloc(1, sizeof(*s));

	*ret = (struct fr_groups){0};
	s->s = want;
	s->m = m;
	s->c = c;
	s->ret = ret;
	s->matches.max = GROUPS_MAX;
	s->credit_all = CREDIT_ALL;
	s->one_value = want->values || want->writes.least == want->writes.most;
	s->known = fr_xcalloc(SITES / 64, sizeof(*s->known));
	s->together = fr_xcalloc(TOGETHER, sizeof(*s->together));
	for (uint32_t i = 0; i < m->cls[FR_C_LOC].n; i++)
		see_location(s, i);
	see_together(s);
	ret->left_out = fr_matches_choose(&s->matches, want->max, rank, s);
	fr_assert(s->matches.group.n <= want->max);
	fr_matches_write(&s->matches, write_matches, s, ret);
	fr_matches_free(&s->matches);
	free(s->known);
	free(s->together);
	free(s);
	fr_groups_sort(ret);
}
