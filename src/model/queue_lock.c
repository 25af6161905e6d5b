/*
 * Queue locks: see atomic_lock.h. The word is the end of the queue, or the index of the next
 * element of an array: an update of it is an *arrival*. The walk follows the arrivals and the waits
 * behind them in the recorded order, with the thread that has the lock and the event at which it
 * got it. A thread gets the lock where it reads a value that the last owner stored after it got the
 * lock itself: at its arrival, or at the last read of a waiting loop behind it. That store of the
 * owner is the release.
 *
 * If no thread had to wait, and each read its own element in a waiting loop (CLH, arrays), any
 * order of the sections executes the same hooks: the accesses of the protocol are left out.
 * Otherwise they stay in the model as data, which alone decides about the order of the sections;
 * the lock is then added to them, for lock sets and regions. No generator reports them in either
 * case.
 *
 * Not handled: locks of more than WORDS_MAX words.
 */
#include "model/atomic_lock_internal.h"

/* Steps between an arrival and the read that waits for the lock. */
#define STEPS_MAX 6
/* Words of one lock; the walk looks through all of them. */
#define WORDS_MAX 256

/* A thread that arrived and has not got the lock yet. */
struct queue_arrival {
	fr_ev at;	 /* FR_NO_EV: none */
	fr_ev next;	 /* the next step that may have got it */
	bool may_be_end; /* it may also be the owner that gives the lock back */
};

struct queue_section {
	fr_ev arrival, got, left;
};

struct queue_word {
	struct lock_word w;
	fr_ev first;
	bool gets; /* a thread gets the lock by a waiting loop that reads it */
};

struct queue {
	struct atomic_lock_find *f;
	struct lock_word end;
	struct queue_arrival *pending; /* by thread */
	FR_VEC(struct queue_section) section;
	/* the words of the protocol, with the first event of each */
	FR_VEC(struct queue_word) word;
	struct fr_map arrival; /* the arrivals of the sections */
	struct fr_map free;    /* the sites that free the lock */
	bool to_end;	       /* the last section ends with its thread */
	bool waited;	       /* some thread read the old value in a waiting loop */
};

static bool reads(const struct queue *x, fr_ev e)
{
	return x->f->m->ev[e].op == FR_OP_READ;
}

static bool waits(const struct queue *x, fr_ev e)
{
	return reads(x, e) && fr_atomic_waits(x->f, e);
}

static struct lock_word word_of(const struct queue *x, fr_ev e)
{
	return (struct lock_word){x->f->m->ev[e].obj, x->f->m->ev[e].mask};
}

static bool is_of(const struct queue *x, fr_ev e, struct lock_word w)
{
	const struct fr_mev *v = &x->f->m->ev[e];

	return fr_is_access(v) && v->obj == w.loc && v->mask & w.mask;
}

static void add_word(struct queue *x, fr_ev e)
{
	const struct fr_mev *v = &x->f->m->ev[e];

	if (!fr_is_access(v) || !(v->flags & FR_F_ATOMIC))
		return;
	FR_VEC_FOREACH (p, &x->word)
		if (p->w.loc == v->obj && p->w.mask == v->mask) {
			p->first = fr_min(p->first, e);
			return;
		}
	if (x->word.n <= WORDS_MAX)
		fr_vec_push(&x->word, ((struct queue_word){word_of(x, e), e, false}));
}

/* Does the loop read the same word again at the next step? */
static bool waits_again(const struct queue *x, fr_ev e)
{
	fr_ev next = fr_atomic_next_step(x->f, e);
	struct lock_word w = word_of(x, e);

	return next != FR_NO_EV && waits(x, next) && is_of(x, next, w);
}

/* The next read of a waiting loop behind the arrival, before the thread arrives again. */
static fr_ev next_wait(const struct queue *x, fr_ev e)
{
	for (unsigned n = 0; n < STEPS_MAX; n++) {
		e = fr_atomic_next_step(x->f, e);
		if (e == FR_NO_EV || (fr_atomic_is_update(x->f, e) && is_of(x, e, x->end)))
			return FR_NO_EV;
		if (waits(x, e))
			return e;
		if (!fr_is_access(&x->f->m->ev[e]))
			return FR_NO_EV;
	}
	return FR_NO_EV;
}

/* The last write of the bytes that e reads, before it; `thread`: only of this one, if it is not
   UINT32_MAX, and not its pending arrival. */
static fr_ev writer(const struct queue *x, fr_ev e, uint32_t thread)
{
	const struct fr_model *m = x->f->m;
	struct lock_word w = word_of(x, e);
	uint32_t first = m->first_write[w.loc], n = m->first_write[w.loc + 1];
	uint32_t i = first + (uint32_t)fr_bisect(n - first, k, m->write[first + k] < e);

	while (i-- > first)
		if (m->ev[m->write[i]].mask & w.mask &&
		    (thread == UINT32_MAX || (m->ev[m->write[i]].thread == thread &&
					      fr_head(m, m->write[i]) != x->pending[thread].at)))
			return m->write[i];
	return FR_NO_EV;
}

/* The bytes of the access as a number. */
static uint64_t value(const struct queue *x, fr_ev e)
{
	const struct fr_mev *v = &x->f->m->ev[e];

	return (v->value & fr_mask_bytes(v->mask)) >> (8 * (unsigned)__builtin_ctz(v->mask));
}

static uint64_t address(const struct queue *x, fr_ev e)
{
	const struct fr_mev *v = &x->f->m->ev[e];

	return x->f->m->cls[FR_C_LOC].obj[v->obj].addr + (unsigned)__builtin_ctz(v->mask);
}

static struct queue_section *owner(const struct queue *x)
{
	return x->section.n ? &x->section.v[x->section.n - 1] : NULL;
}

static uint32_t thread_of(const struct queue *x, fr_ev e)
{
	return x->f->m->ev[e].thread;
}

/* The owner's store that e reads, if e got the lock from it; else FR_NO_EV. */
static fr_ev freed_for(const struct queue *x, fr_ev e)
{
	const struct queue_section *o = owner(x);
	bool one_word = is_of(x, e, x->end) && waits(x, e);
	fr_ev w = writer(x, e, one_word ? thread_of(x, o->got) : UINT32_MAX);

	if (w == FR_NO_EV || thread_of(x, w) != thread_of(x, o->got) ||
	    (!one_word &&
	     (x->f->m->ev[w].mask != x->f->m->ev[e].mask || value(x, w) != value(x, e))) ||
	    fr_head(x->f->m, w) <= o->got ||
	    fr_head(x->f->m, w) == x->pending[thread_of(x, w)].at ||
	    (waits(x, e) && waits_again(x, e)))
		return FR_NO_EV;
	return fr_head(x->f->m, w);
}

static void begin_section(struct queue *x, fr_ev arrival, fr_ev got)
{
	fr_ev before = fr_model_prev(x->f->m, arrival);

	if (before != FR_NO_EV && !reads(x, before))
		add_word(x, before);
	fr_vec_push(&x->section, ((struct queue_section){arrival, got, FR_NO_EV}));
	*fr_map_put(&x->arrival, arrival) = 1;
	for (fr_ev e = arrival;; e = fr_atomic_next_step(x->f, e)) {
		add_word(x, e);
		x->waited |= e != got && waits(x, e);
		if (e == got)
			return;
	}
}

/* Tries the pending step of a thread. False: it is no arrival at a queue. */
static bool try_pending(struct queue *x, struct queue_arrival *p)
{
	fr_ev e = p->next, freed = freed_for(x, e), wait;

	if (freed != FR_NO_EV) {
		/* one word for arrivals and releases: the thread reads it again */
		wait = e == p->at ? next_wait(x, e) : FR_NO_EV;
		if (wait != FR_NO_EV && freed_for(x, wait) == freed)
			e = wait;
		owner(x)->left = freed;
		add_word(x, freed);
		*fr_map_put(&x->free, x->f->m->ev[freed].site) = 1;
		begin_section(x, p->at, e);
		p->at = FR_NO_EV;
		return true;
	}
	p->next = next_wait(x, e);
	if (p->next != FR_NO_EV)
		return true;
	p->at = FR_NO_EV;
	return p->may_be_end;
}

/* Tries all pending steps before `before`, in the recorded order. */
static bool advance(struct queue *x, fr_ev before)
{
	for (;;) {
		struct queue_arrival *first = NULL;

		for (uint32_t t = 0; t < x->f->m->nthreads; t++)
			if (x->pending[t].at != FR_NO_EV && x->pending[t].next < before &&
			    (!first || x->pending[t].next < first->next))
				first = &x->pending[t];
		if (!first)
			return true;
		if (!try_pending(x, first))
			return false;
	}
}

/* An update of the end of the queue. */
static bool arrive(struct queue *x, fr_ev e)
{
	struct queue_arrival *p = &x->pending[thread_of(x, e)];
	fr_ev wait;

	if (p->at != FR_NO_EV)
		return p->may_be_end;
	if (!owner(x)) {
		wait = next_wait(x, e);
		begin_section(x, e, wait != FR_NO_EV && !waits_again(x, wait) ? wait : e);
		return true;
	}
	*p = (struct queue_arrival){
	    .at = e, .next = e, .may_be_end = thread_of(x, e) == thread_of(x, owner(x)->got)};
	return try_pending(x, p);
}

static bool is_word(const struct queue *x, fr_ev e)
{
	FR_VEC_FOREACH (p, &x->word)
		if (is_of(x, e, p->w))
			return true;
	return false;
}

/* The last owner frees the lock where another one did. If it has other sites, because the compiler
   copied the function, it does so with its last write to a word of the protocol. If that is the
   node of the thread, which no other thread has read yet, its section lasts to its end. */
static bool end_last(struct queue *x)
{
	struct queue_section *o = owner(x);
	fr_ev last = FR_NO_EV;

	fr_assert(o->left == FR_NO_EV);
	for (fr_ev e = o->got; (e = fr_atomic_next_step(x->f, e)) != FR_NO_EV;) {
		const struct fr_mev *v = &x->f->m->ev[e];

		last = v->op == FR_OP_EXIT ? last : e;
		if (!fr_is_access(v) || !(v->flags & FR_F_ATOMIC) ||
		    (reads(x, e) && !fr_atomic_is_update(x->f, e)))
			continue;
		if (is_word(x, e))
			o->left = e;
		if (!fr_map_get(&x->free, v->site))
			continue;
		o->left = e;
		break;
	}
	if (o->left != FR_NO_EV) {
		add_word(x, o->left);
	} else {
		o->left = last;
		x->to_end = true;
	}
	return o->left != FR_NO_EV;
}

/* ---- the changes ---- */

/* Is the place where the thread waits the one that it found at the end of the queue (CLH)? */
static bool waits_at_found(const struct queue *x)
{
	const struct queue_section *first = x->section.v;

	FR_VEC_FOREACH (s, &x->section)
		if (address(x, s->got) - value(x, s->arrival) !=
		    address(x, first->got) - value(x, first->arrival))
			return false;
	return true;
}

/* Does the thread wait until the lower half of the word is the upper half that it found? */
static bool waits_for_half(const struct queue *x)
{
	unsigned bits = 4 * (unsigned)__builtin_popcount(x->end.mask);
	uint64_t low = (UINT64_C(1) << bits) - 1;

	FR_VEC_FOREACH (s, &x->section)
		if (!is_of(x, s->got, x->end) ||
		    (value(x, s->got) & low) != (value(x, s->arrival) >> bits & low))
			return false;
	return true;
}

/* Is the place where the thread waits chosen by the number that it drew, round and round (arrays)?
   A place must not belong to one thread. */
static bool waits_by_number(const struct queue *x)
{
	const struct queue_section *s = x->section.v;
	size_t round = 1;
	bool moves = false;

	while (round < x->section.n && address(x, s[round].got) != address(x, s[0].got))
		round++;
	for (size_t i = 1; i < x->section.n; i++) {
		if (value(x, s[i].arrival) != value(x, s[i - 1].arrival) + 1 ||
		    (i >= round && address(x, s[i].got) != address(x, s[i - round].got)))
			return false;
		for (size_t k = 0; k < fr_min(i, round) && !moves; k++)
			moves = thread_of(x, s[i].got) == thread_of(x, s[k].got) &&
				address(x, s[i].got) != address(x, s[k].got);
	}
	return round > 1 && round < x->section.n && moves;
}

/* Would the sections execute the same hooks in any order? Each begins at a read of a waiting loop,
   which found the lock free at once, and what the thread found at its arrival decides for what it
   waits. Threads that take turns by their names, say, have one order only. */
static bool is_alike(const struct queue *x)
{
	FR_VEC_FOREACH (s, &x->section)
		if (s->got == s->arrival)
			return false;
	return !x->waited && (waits_at_found(x) || waits_for_half(x) || waits_by_number(x));
}

/* Is the access part of the protocol: in a section, from the arrival to the release, or a write
   right before the arrival? */
static bool is_inside(const struct queue *x, fr_ev e)
{
	const struct queue_section *s = x->section.v;
	size_t n = x->section.n, i = fr_bisect(n, k, s[k].left < e);

	/* of the sections that end later, at most one of each thread has begun */
	for (size_t end = fr_min(n, i + x->f->m->nthreads); i < end; i++)
		if (thread_of(x, e) == thread_of(x, s[i].got) && s[i].arrival <= e)
			return true;
	for (unsigned k = 0; k < STEPS_MAX && e != FR_NO_EV && !reads(x, e); k++) {
		e = fr_atomic_next_step(x->f, e);
		if (e != FR_NO_EV && fr_map_get(&x->arrival, e))
			return true;
	}
	return false;
}

/* The other accesses to the words of the protocol. False: one cannot be left out. */
static bool change_word(struct queue *x, const struct queue_word *p, struct fr_map *done, bool drop)
{
	const struct fr_mclass *k = &x->f->m->cls[FR_C_LOC];
	struct lock_word w = p->w;

	for (uint32_t i = k->first[w.loc]; i < k->first[w.loc + 1]; i++) {
		fr_ev e = k->list[i], head = fr_head(x->f->m, e);
		const struct fr_mev *v = &x->f->m->ev[e];
		uint64_t *was;

		if (!(v->mask & w.mask) || !(v->flags & FR_F_ATOMIC))
			continue;
		was = fr_map_put(done, head);
		if (*was)
			continue;
		*was = 1;
		if (drop && (e < p->first ? v->op != FR_OP_WRITE : !is_inside(x, head)))
			return false;
		if (drop && v->mask != w.mask)
			return false;
		fr_atomic_change(x->f, head, drop ? FR_AC_DROP : FR_AC_MARK);
	}
	return true;
}

static bool change_all(struct queue *x, bool drop)
{
	struct fr_map done = {0};
	bool ok = true;

	x->f->tried.n = 0;
	FR_VEC_FOREACH (s, &x->section) {
		*fr_map_put(&done, s->got) = 1;
		*fr_map_put(&done, s->left) = 1;
		fr_atomic_change(x->f, s->got, drop ? FR_AC_ACQUIRE : FR_AC_THEN_ACQUIRE);
		fr_atomic_change(x->f, s->left,
				 drop && !(x->to_end && s == owner(x)) ? FR_AC_RELEASE
								       : FR_AC_THEN_RELEASE);
	}
	FR_VEC_FOREACH (p, &x->word)
		ok = ok && change_word(x, p, &done, drop);
	fr_map_free(&done);
	return ok;
}

/* Does an owner wait for the lock again before it frees it? Then its sections are not known: the
   word is a counter of the threads, say. */
static bool takes_twice(struct queue *x)
{
	FR_VEC_FOREACH (s, &x->section)
		FR_VEC_FOREACH (p, &x->word)
			p->gets |= waits(x, s->got) && is_of(x, s->got, p->w);
	FR_VEC_FOREACH (s, &x->section)
		for (fr_ev e = s->got;
		     (e = fr_atomic_next_step(x->f, e)) != FR_NO_EV && e < s->left;)
			FR_VEC_FOREACH (p, &x->word)
				if (p->gets && is_of(x, e, p->w) && waits(x, e))
					return true;
	return false;
}

static bool follow(struct queue *x)
{
	const struct fr_mclass *k = &x->f->m->cls[FR_C_LOC];
	bool waiting = false, others = false;

	for (uint32_t i = k->first[x->end.loc]; i < k->first[x->end.loc + 1]; i++) {
		fr_ev e = k->list[i];

		if (!is_of(x, e, x->end) || x->f->m->ev[e].flags & FR_F_PART)
			continue;
		if (x->f->m->ev[e].mask != x->end.mask || !advance(x, e))
			return false;
		if (fr_atomic_is_update(x->f, e) && !arrive(x, e))
			return false;
	}
	if (!advance(x, FR_NO_EV) || x->section.n < 2 || x->word.n > WORDS_MAX || !end_last(x))
		return false;
	FR_VEC_FOREACH (s, &x->section) {
		waiting |= waits(x, s->got);
		others |= thread_of(x, s->got) != thread_of(x, x->section.v[0].got);
	}
	return waiting && others && !takes_twice(x);
}

static bool is_queue(struct atomic_lock_find *f, struct lock_word w, bool alike)
{
	struct queue x = {.f = f, .end = w};
	bool ok;

	x.pending = fr_xcalloc(f->m->nthreads + 1, sizeof(*x.pending));
	for (uint32_t t = 0; t < f->m->nthreads; t++)
		x.pending[t].at = FR_NO_EV;
	ok = follow(&x);
	if (ok)
		ok = alike ? is_alike(&x) && change_all(&x, true) : change_all(&x, false);
	free(x.pending);
	fr_vec_free(&x.section);
	fr_vec_free(&x.word);
	fr_map_free(&x.arrival);
	fr_map_free(&x.free);
	return ok;
}

bool fr_is_alike_queue_lock(struct atomic_lock_find *f, struct lock_word w)
{
	return is_queue(f, w, true);
}

bool fr_is_queue_lock(struct atomic_lock_find *f, struct lock_word w)
{
	return is_queue(f, w, false);
}
