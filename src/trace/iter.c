/*
 * Iterates over the events of one thread: decodes a block at a time, attaches EXT slots to their
 * event, and extends the hook from 32 to 64 bits. The hook may decrease: a late access has a lower
 * hook than its neighbours.
 */
#include "trace/trace.h"
#include "base/assert.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

static const struct {
	const char *name;
	char class;
} kinds[256] = {
#define FR_X(n, num, s, c, p) [num] = {s, c},
    FR_EVENT_KINDS(FR_X)
#undef FR_X
};

char fr_event_class(unsigned kind)
{
	return kind < 256 ? kinds[kind].class : 0;
}

const char *fr_event_name(unsigned kind)
{
	return kind < 256 ? kinds[kind].name : NULL;
}

void fr_iter_open(struct fr_iter *it, const struct fr_trace *t, const struct fr_trace_thread *th)
{
	*it = (struct fr_iter){.trace = t, .thread = th, .spins = th->spins.n != 0};
}

void fr_trace_leave_out(struct fr_trace_thread *th, const struct fr_spin_reads *spins, size_t n)
{
	uint64_t before = 0;

	fr_assert(!th->spins.n);
	for (size_t i = 0; i < n; i++) {
		struct fr_spin_reads v = spins[i];

		fr_assert(v.from < v.to && (!i || spins[i - 1].to < v.from));
		v.before = before;
		before += v.to - v.from;
		fr_vec_push(&th->spins, v);
	}
	if (th->hooks)
		th->hooks -= fr_min(before, th->hooks);
}

/* The last spin reads that begin at this hook or before it; NULL: none. */
static const struct fr_spin_reads *spin_before(const struct fr_trace_thread *th, uint64_t recorded)
{
	size_t n = fr_bisect(th->spins.n, i, th->spins.v[i].from <= recorded);

	return n ? &th->spins.v[n - 1] : NULL;
}

uint64_t fr_trace_hook(const struct fr_trace_thread *th, uint64_t recorded, bool *left_out)
{
	const struct fr_spin_reads *v = spin_before(th, recorded);

	*left_out = v && recorded < v->to;
	if (!v)
		return recorded;
	return *left_out ? v->from - v->before - 1 : recorded - v->before - (v->to - v->from);
}

/* Numbers an event anew. False: it is left out. Other events than accesses stay. */
static bool renumber(struct fr_iter *it, struct fr_rec *rec)
{
	const struct fr_spin_reads *v = spin_before(it->thread, rec->hook);
	bool access = fr_event_class(fr_event_kind(rec->e)) == 'a', left_out;

	if (v && rec->hook == v->to && access)
		it->slot[rec->e - it->slot].site = v->site;
	rec->hook = fr_trace_hook(it->thread, rec->hook, &left_out);
	return !left_out || !access;
}

void fr_iter_close(struct fr_iter *it)
{
	free(it->slot);
	*it = (struct fr_iter){0};
}

static int decode(struct fr_iter *it, const struct fr_event_block *b, struct fr_event *to)
{
	struct fr_kept *k = it->kept;
	int r;

	if (b->raw) {
		memcpy(to, b->raw, b->slots * sizeof(*to));
		return 0;
	}
	if (k && k->slot && k->full &&
	    *k->taken * k->unit <= k->before + b->position * sizeof(*to)) {
		memcpy(to, k->slot + b->position, b->slots * sizeof(*to));
		return 0;
	}
	r = fr_codec_decode(it->trace->codec, b->payload, b->length, b->codec, b->plain, to,
			    b->slots);
	if (r == 0 && k && k->slot && !k->full)
		memcpy(k->slot + b->position, to, b->slots * sizeof(*to));
	return r;
}

/* Moves the remaining slots to the front and decodes the next block after them. Returns 1, 0 at the
   end, or -errno. */
static int more(struct fr_iter *it, struct fr_err *reterr)
{
	const struct fr_event_block *b = &it->thread->block.v[it->next];
	uint32_t left = it->n - it->at;
	int r;

	fr_assert(it->at <= it->n && it->n <= it->cap && it->next <= it->thread->block.n);
	if (it->next == it->thread->block.n)
		return 0;
	if (left > FR_CODEC_MAX_SLOTS)
		return fr_err_say(reterr, -EBADMSG,
				  "'%s': an event of more than %u slots at offset %llu",
				  it->trace->file, left, (unsigned long long)b->offset);
	if (left)
		memmove(it->slot, it->slot + it->at, left * sizeof(*it->slot));
	if (left + b->slots > it->cap) {
		it->cap = left + b->slots;
		it->slot = fr_xrealloc(it->slot, it->cap, sizeof(*it->slot));
	}
	it->at = 0;
	it->n = left;
	fr_assert(b->slots <= FR_CODEC_MAX_SLOTS && left + b->slots <= it->cap);
	r = decode(it, b, it->slot + left);
	if (r < 0)
		return fr_err_say(reterr, r, "'%s': cannot decode the block at offset %llu",
				  it->trace->file, (unsigned long long)b->offset);
	if (!it->next)
		it->hook = b->first_hook;
	it->n += b->slots;
	it->next++;
	if (it->trace->read)
		atomic_fetch_add_explicit(it->trace->read, b->slots >> it->trace->read_shift,
					  memory_order_relaxed);
	return 1;
}

static int seek(struct fr_iter *it, struct fr_rec *ret, struct fr_err *reterr)
{
	uint32_t n;
	int r;

	for (;;) {
		/* Skip empty slots. */
		while (it->at < it->n && fr_event_kind(&it->slot[it->at]) == FR_EV_NONE)
			it->at++;
		for (n = 1;
		     it->at + n < it->n && fr_event_kind(&it->slot[it->at + n]) == FR_EV_EXT;)
			n++;
		if (it->at + n < it->n)
			break;
		r = more(it, reterr);
		if (r < 0)
			return r;
		if (!r)
			break;
	}
	if (it->at >= it->n)
		return 0;
	it->hook += (uint64_t)(int64_t)(int32_t)(it->slot[it->at].hook - (uint32_t)it->hook);
	*ret = (struct fr_rec){.e = &it->slot[it->at], .n = n, .hook = it->hook};
	it->at += n;
	fr_assert_slow(it->at <= it->n);
	return 1;
}

int fr_iter_seek(struct fr_iter *it, struct fr_rec *ret, struct fr_err *reterr)
{
	struct fr_rec rec;
	int r;

	do
		r = seek(it, &rec, reterr);
	while (r > 0 && it->spins && !renumber(it, &rec));
	if (r > 0)
		*ret = rec;
	return r;
}
