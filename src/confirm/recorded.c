/*
 * Facts about the recorded run: see recorded.h. Memory ranges are collected one by one and
 * merged when there are many, so that a program that allocates for ever costs memory for the
 * ranges, not for the allocations.
 *
 * Memory from unrecorded sources lies near recorded memory. So everything between two ranges that
 * are not far apart counts as an address, such as the thread-local memory above a stack.
 *
 * Not handled: an address in memory farther away is compared as a number.
 */
#include "confirm/recorded.h"
#include "base/assert.h"
#include "trace/inputs.h"
#include <signal.h>
#include <string.h>

#define MANY 4096
#define OBJECTS (1u << 20)
/* The kernel's place for the main thread's stack without address randomisation. */
#define STACK_TOP UINT64_C(0x7ffffffff000)
#define STACK_SIZE (UINT64_C(8) << 20)
#define NEAR (UINT64_C(1) << 40)

static int by_lo(const void *pa, const void *pb)
{
	const struct fr_recorded_range *a = pa, *b = pb;

	return (a->lo > b->lo) - (a->lo < b->lo);
}

/* Makes the ranges ascending and disjoint, and joins neighbours that touch. */
static void merge_ranges(struct fr_recorded *r)
{
	size_t n = 0;

	if (!r->range.n)
		return;
	qsort(r->range.v, r->range.n, sizeof(*r->range.v), by_lo);
	for (size_t i = 1; i < r->range.n; i++) {
		struct fr_recorded_range *last = &r->range.v[n], *now = &r->range.v[i];

		if (now->lo > last->hi)
			r->range.v[++n] = *now;
		else if (now->hi > last->hi)
			last->hi = now->hi;
	}
	r->range.n = n + 1;
}

/* Fills small gaps between ranges, above the numbers that programs count with. */
static void fill_gaps(struct fr_recorded *r)
{
	size_t n = 0;

	fr_assert(r->range.n); /* at least the main thread's stack */
	for (size_t i = 1; i < r->range.n; i++) {
		struct fr_recorded_range *last = &r->range.v[n], *now = &r->range.v[i];

		fr_assert_slow(now->lo > last->hi); /* merged */
		if (last->hi > UINT32_MAX && now->lo - last->hi < NEAR)
			last->hi = now->hi;
		else
			r->range.v[++n] = *now;
	}
	r->range.n = n + 1;
}

static void add_range(struct fr_recorded *r, uint64_t lo, uint64_t size, size_t *limit)
{
	if (!size || lo + size < lo)
		return;
	fr_vec_push(&r->range, ((struct fr_recorded_range){lo, lo + size}));
	if (r->range.n < *limit)
		return;
	merge_ranges(r);
	*limit = r->range.n * 2 > MANY ? r->range.n * 2 : MANY;
}

static void add_object(struct fr_recorded *r, uint64_t lo, uint64_t size, uint64_t hook)
{
	struct fr_recorded_object o = {
	    .lo = lo, .hi = lo + size, .hook = hook, .thread = (uint32_t)r->thread.n};

	r->many |= r->object.n >= OBJECTS;
	if (!r->many && size)
		fr_vec_push(&r->object, o);
}

static int by_address(const void *pa, const void *pb)
{
	const struct fr_recorded_object *a = pa, *b = pb;

	return (a->lo > b->lo) - (a->lo < b->lo);
}

/* Keeps the objects whose memory was allocated only once. */
static void name_objects(struct fr_recorded *r)
{
	uint64_t end = 0;
	size_t n = 0;

	if (r->many || !r->object.n) {
		fr_vec_free(&r->object);
		return;
	}
	qsort(r->object.v, r->object.n, sizeof(*r->object.v), by_address);
	for (size_t i = 0; i < r->object.n; i++) {
		struct fr_recorded_object o = r->object.v[i];
		bool alone = o.lo >= end && (i + 1 == r->object.n || r->object.v[i + 1].lo >= o.hi);

		end = fr_max(end, o.hi);
		fr_assert_slow(!alone || !n || r->object.v[n - 1].hi <= o.lo);
		if (alone)
			r->object.v[n++] = o;
	}
	r->object.n = n;
}

const struct fr_recorded_object *fr_recorded_object(const struct fr_recorded *r, uint64_t value)
{
	size_t lo = fr_bisect(r->object.n, i, r->object.v[i].hi < value);

	if (lo + 1 < r->object.n && r->object.v[lo + 1].lo == value)
		lo++;
	return lo < r->object.n && r->object.v[lo].lo <= value ? &r->object.v[lo] : NULL;
}

/* Did a handler begin because of a signal from elsewhere, not of the thread's own action? */
static bool is_foreign_signal(const struct fr_event *e)
{
	switch (fr_event_addr(e)) {
	case SIGSEGV:
	case SIGBUS:
	case SIGFPE:
	case SIGILL:
	case SIGTRAP:
	case SIGSYS:
	case SIGABRT:
		return false;
	default:
		return fr_event_kind(e) == FR_EV_SIGNAL_BEGIN && fr_event_addr(e) <= 64 &&
		       !(fr_event_aux(e) & FR_SIGNAL_OWN);
	}
}

static uint64_t signal_bit(const struct fr_event *e)
{
	uint64_t sig = fr_event_addr(e);

	return sig >= 1 && sig <= 64 ? UINT64_C(1) << (sig - 1) : 0;
}

/* ---- names ---- */

static void add_name(struct fr_recorded *r, const struct fr_event *e)
{
	uint64_t what = fr_event_addr(e);
	struct fr_control_file_name n = {.name = e->value,
					 .flags = what & 0xff,
					 .kind = what >> 8 & 0xff,
					 .size = (uint32_t)(what >> 16)};

	if (n.flags & FR_NAME_CONTENT)
		n.content = n.size;
	r->shared |= (n.flags & FR_NAME_CHANGED) != 0;
	fr_vec_push(&r->name, n);
}

/* Puts FIXED last: it overrides. */
static int by_name(const void *pa, const void *pb)
{
	const struct fr_control_file_name *a = pa, *b = pb;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (int)(a->flags & FR_NAME_FIXED) - (int)(b->flags & FR_NAME_FIXED);
}

static void merge_names(struct fr_recorded *r)
{
	size_t n = 0;

	if (r->name.n)
		qsort(r->name.v, r->name.n, sizeof(*r->name.v), by_name);
	for (size_t i = 0; i < r->name.n; i++) {
		const struct fr_control_file_name *x = &r->name.v[i];
		struct fr_control_file_name *last = n ? &r->name.v[n - 1] : NULL;

		fr_assert_slow(!last || last->name <= x->name);
		if (!last || last->name != x->name) {
			r->name.v[n++] = *x;
			continue;
		}
		if (x->flags & (FR_NAME_THERE | FR_NAME_ABSENT))
			last->flags &= ~(uint32_t)(FR_NAME_THERE | FR_NAME_ABSENT);
		last->flags |= x->flags;
		if (x->flags & FR_NAME_CONTENT)
			last->content = x->content;
		else if (x->flags & FR_NAME_SIZE)
			last->size = x->size;
	}
	r->name.n = n;
}

/* An event at this hook, which a handler interrupted, is recorded after the handler's events. */
static void fill_gap(struct fr_recorded_thread *t, uint64_t hook)
{
	size_t i = t->call.n;

	while (i && t->call.v[i - 1].hook > hook)
		i--;
	if (i < t->call.n && t->call.v[i].hook == hook + 1)
		t->call.v[i].gap = false;
}

static void take(struct fr_recorded *r, struct fr_recorded_thread *t, const struct fr_rec *rec,
		 size_t *limit)
{
	unsigned kind = fr_event_kind(rec->e), aux = fr_event_aux(rec->e);
	unsigned variant = FR_SYNC_VARIANT(aux);

	if (kind == FR_EV_INPUT && aux == FR_INPUT_NAME)
		add_name(r, rec->e);
	if (kind == FR_EV_FORK || kind == FR_EV_EXEC)
		r->shared = true;
	if (kind == FR_EV_FORK)
		fr_vec_push(&r->child, (uint32_t)fr_event_addr(rec->e));
	r->foreign |= rec->e->site >= FR_SITE_PC_FIRST && fr_event_class(kind) == 'a';
	if (kind == FR_EV_ALLOC && rec->n > 1) {
		add_range(r, fr_event_addr(rec->e), fr_event_addr(&rec->e[1]), limit);
		if (aux != FR_MEM_MMAP && aux != FR_MEM_ANON)
			add_object(r, fr_event_addr(rec->e), fr_event_addr(&rec->e[1]), rec->hook);
	}
	/* The frame of the function that starts a thread, near the top of its stack. */
	if (kind == FR_EV_THREAD_START && rec->n > 2 && fr_event_addr(&rec->e[2]) > STACK_SIZE)
		add_range(r, fr_event_addr(&rec->e[2]) - STACK_SIZE, STACK_SIZE + 4096, limit);
	if (kind == FR_EV_SIGNAL_BEGIN && aux & FR_SIGNAL_OWN)
		r->handled_here |= signal_bit(rec->e);
	if (fr_event_class(kind) != 'x')
		fill_gap(t, rec->hook);
	if (is_foreign_signal(rec->e)) {
		r->handlers++;
		r->handled_elsewhere |= signal_bit(rec->e);
		fr_vec_push(&t->call, ((struct fr_recorded_call){
					  rec->hook, (uint8_t)kind, (uint8_t)fr_event_addr(rec->e),
					  aux & FR_SIGNAL_GAP, aux & FR_SIGNAL_CHILD}));
		return;
	}
	if (!(fr_event_is(kind) & FR_HAS_OUTCOME) ||
	    (FR_SYNC_OUTCOME(aux) == FR_OK && variant != FR_TRY && variant != FR_TIMED))
		return;
	if (t->call.n && t->call.v[t->call.n - 1].hook >= rec->hook)
		return;
	fr_vec_push(&t->call,
		    ((struct fr_recorded_call){rec->hook, (uint8_t)kind,
					       (uint8_t)FR_SYNC_OUTCOME(aux), false, false}));
}

static int pass_thread(struct fr_recorded *r, const struct fr_trace *t,
		       const struct fr_trace_thread *th, size_t *limit, struct fr_err *reterr)
{
	struct fr_recorded_thread x = {.path = fr_xstrdup(th->path)};
	struct fr_iter it;
	struct fr_rec rec;
	int got;

	fr_iter_open(&it, t, th);
	while ((got = fr_iter_next(&it, &rec, reterr)) > 0)
		take(r, &x, &rec, limit);
	fr_iter_close(&it);
	if (!got)
		got = fr_inputs_collect(t, th, &x.input, reterr);
	fr_assert(!(x.input.n % 8)); /* as struct fr_control_file_input demands */
	fr_vec_push(&r->thread, x);
	return got;
}

static int by_id(const void *pa, const void *pb)
{
	const uint32_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

int fr_recorded_load(const struct fr_trace *t, struct fr_recorded *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_recorded_free) struct fr_recorded r = {0};
	size_t limit = MANY;

	FR_VEC_FOREACH (th, &t->thread) {
		int e = pass_thread(&r, t, th, &limit, reterr);

		if (e < 0)
			return e;
	}
	FR_VEC_FOREACH (m, &t->run.modules)
		add_range(&r, m->lo, m->hi - m->lo, &limit);
	add_range(&r, STACK_TOP - STACK_SIZE, STACK_SIZE, &limit);
	merge_ranges(&r);
	fill_gaps(&r);
	name_objects(&r);
	merge_names(&r);
	if (r.child.n)
		qsort(r.child.v, r.child.n, sizeof(*r.child.v), by_id);
	*ret = r;
	r = (struct fr_recorded){0};
	return 0;
}

void fr_recorded_free(struct fr_recorded *r)
{
	FR_VEC_FOREACH (t, &r->thread) {
		free(t->path);
		fr_vec_free(&t->call);
		fr_buf_free(&t->input);
	}
	fr_vec_free(&r->thread);
	fr_vec_free(&r->range);
	fr_vec_free(&r->object);
	fr_vec_free(&r->name);
	fr_vec_free(&r->child);
}

const struct fr_recorded_thread *fr_recorded_thread(const struct fr_recorded *r, const char *path)
{
	FR_VEC_FOREACH (t, &r->thread)
		if (!strcmp(t->path, path))
			return t;
	return NULL;
}

const struct fr_recorded_call *fr_recorded_call(const struct fr_recorded_thread *t, uint64_t hook)
{
	size_t lo = fr_bisect(t->call.n, i, t->call.v[i].hook < hook);

	return lo < t->call.n && t->call.v[lo].hook == hook ? &t->call.v[lo] : NULL;
}

static bool is_child(const struct fr_recorded *r, uint32_t id)
{
	size_t at = fr_bisect(r->child.n, i, r->child.v[i] < id);

	return at < r->child.n && r->child.v[at] == id;
}

bool fr_recorded_is_child(const struct fr_recorded *r, uint64_t value)
{
	return is_child(r, (uint32_t)value) || is_child(r, (uint32_t)(value >> 32));
}

bool fr_recorded_is_address(const struct fr_recorded *r, uint64_t value)
{
	size_t lo = fr_bisect(r->range.n, i, r->range.v[i].hi < value);

	return lo < r->range.n && r->range.v[lo].lo <= value;
}
