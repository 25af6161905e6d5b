/*
 * Writes INPUT slots: see rt_input.h. An INPUT is one slot, plus EXT slots for random bytes beyond
 * eight, up to FR_INPUT_BYTES at a time: an event must fit into a block and into the side buffer of
 * a signal handler.
 */
#include "rt_input.h"
#include "rt_assert.h"
#include "runtime/control/ctl_input.h"
#include <errno.h>
#include <string.h>

static void put(struct frt_thread *t, unsigned what, uint64_t addr, uint64_t value)
{
	struct fr_event e = {
	    .w0 = fr_w0(addr, FR_EV_INPUT, what), .value = value, .site = frt_call_site(t)};

	frt_put(t, &e, 1);
}

static void answered(struct frt_thread *t)
{
	if (frt_controlled())
		frt_ctl_answered(t);
}

uint64_t frt_input_clock(struct frt_thread *t, unsigned what, clockid_t clock, uint64_t ns)
{
	if (frt_controlled() && !(frt_ctl->recording && what == FR_INPUT_CPU))
		ns = frt_ctl_clock(t, what, clock);
	put(t, what, what == FR_INPUT_TIME ? 0 : (uint32_t)clock, ns);
	answered(t);
	return ns;
}

#define COUNTS 16 /* number of the first counter, instead of a clock's id */
_Static_assert(FRT_CLOCK_COUNTER < COUNTS, "no number means a clock and a counter");
_Static_assert(FR_INPUT_BYTES % 8 == 0, "whole slots");

long frt_input_count(struct frt_thread *t, int who, unsigned i, long count)
{
	frt_assert(i < FRT_INPUT_COUNTS);
	if (frt_controlled())
		count = frt_ctl_count_of(t, who, i, count);
	put(t, FR_INPUT_CLOCK, COUNTS + i, (uint64_t)count);
	answered(t);
	return count;
}

long frt_input_id(struct frt_thread *t, unsigned what, long id)
{
	if (frt_controlled())
		id = frt_ctl_id(t, what, id);
	put(t, what, 0, (uint64_t)id);
	answered(t);
	return id;
}

/* n is at most FR_INPUT_BYTES. */
static void put_bytes(struct frt_thread *t, unsigned what, const char *p, size_t n)
{
	struct fr_event e[FR_INPUT_BYTES / 8] = {
	    {.w0 = fr_w0(n, FR_EV_INPUT, what), .site = frt_call_site(t)}};
	unsigned slots = (unsigned)(n + 7) / 8;

	frt_assert(n && n <= FR_INPUT_BYTES);
	for (unsigned i = 0; i < slots; i++) {
		if (i)
			e[i].w0 = fr_w0(0, FR_EV_EXT, 0);
		memcpy(&e[i].value, p + i * 8, n - i * 8 < 8 ? n - i * 8 : 8);
	}
	frt_put(t, e, slots);
}

static long put_answer(struct frt_thread *t, void *p, long r)
{
	if (r <= 0)
		put(t, FR_INPUT_RANDOM, 0, (uint64_t)r);
	for (long at = 0; at < r; at += FR_INPUT_BYTES)
		put_bytes(t, at ? FR_INPUT_MORE : FR_INPUT_RANDOM, (char *)p + at,
			  r - at < FR_INPUT_BYTES ? (size_t)(r - at) : FR_INPUT_BYTES);
	answered(t);
	return r;
}

long frt_input_random(struct frt_thread *t, void *p, size_t n, long r)
{
	if (frt_controlled() && !frt_ctl->recording)
		r = frt_ctl_random(t, p, n);
	frt_assert(r <= (long)n);
	return put_answer(t, p, r);
}

long frt_input_kernel(struct frt_thread *t, void *p, size_t n, long r)
{
	if (frt_controlled() && !frt_ctl->recording)
		r = frt_ctl_kernel(t, p, n, r);
	return put_answer(t, p, r);
}

void frt_input_read(struct frt_thread *t, int fd, long r, uint64_t hash)
{
	if (r < 0)
		r = -errno;
	if (frt_controlled())
		frt_ctl_check(t, FR_INPUT_READ, fd, r, hash);
	if (r > 0)
		put(t, FR_INPUT_READ, fr_read_addr((uint64_t)r, fd), hash);
	else
		put(t, FR_INPUT_READ, fr_read_addr(0, fd), (uint64_t)r);
	answered(t);
}

void frt_input_result(struct frt_thread *t, unsigned what, long r, uint64_t which)
{
	if (r < 0)
		r = -errno;
	if (frt_controlled())
		frt_ctl_check(t, what, -1, r, which);
	put(t, what, which, (uint64_t)r);
	answered(t);
}

void frt_input_name(struct frt_thread *t, uint64_t what, uint64_t name)
{
	put(t, FR_INPUT_NAME, what, name);
}

int frt_input_real_id(int id)
{
	return frt_controlled() && frt_self ? frt_ctl_real_id(id) : id;
}
