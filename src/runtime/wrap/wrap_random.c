/*
 * Random bytes of the kernel, of libc's own generator, of std::random_device and of the processor,
 * and the processor's time-stamp counter. rand, random and the like need no recording: from one
 * seed they give one sequence. A call that fails because of its arguments is not recorded: it fails
 * in the same way every time.
 */
#include "format/hook_abi.h"
#include "runtime/core/rt_input.h"
#include "wrap.h"

ssize_t frt_wrap_getrandom(void *p, size_t n, unsigned flags)
{
	ssize_t r = REAL(getrandom)(p, n, flags);
	struct frt_thread *t = frt_asking();

	if (!t || (r < 0 && errno != EAGAIN && errno != EINTR))
		return r;
	r = frt_input_random(t, p, n, r < 0 ? -errno : r);
	if (r >= 0)
		return r;
	errno = (int)-r;
	return -1;
}

int frt_wrap_getentropy(void *p, size_t n)
{
	int r = REAL(getentropy)(p, n);
	struct frt_thread *t = frt_asking();

	if (t && r == 0)
		frt_input_random(t, p, n, (long)n);
	return r;
}

uint32_t frt_wrap_arc4random(void)
{
	uint32_t v = REAL(arc4random)();
	struct frt_thread *t = frt_asking();

	if (t)
		frt_input_random(t, &v, sizeof(v), sizeof(v));
	return v;
}

uint32_t frt_wrap_arc4random_uniform(uint32_t below)
{
	uint32_t v = REAL(arc4random_uniform)(below);
	struct frt_thread *t = frt_asking();

	if (t) {
		frt_input_random(t, &v, sizeof(v), sizeof(v));
		/* A recorded value is in range; a made-up one may not be. */
		if (below)
			v %= below;
	}
	return v;
}

void frt_wrap_arc4random_buf(void *p, size_t n)
{
	struct frt_thread *t;

	REAL(arc4random_buf)(p, n);
	t = frt_asking();
	if (t)
		frt_input_random(t, p, n, (long)n);
}

/* libstdc++ asks the processor. */
unsigned frt_wrap__ZNSt13random_device9_M_getvalEv(void *self)
{
	unsigned v = REAL(_ZNSt13random_device9_M_getvalEv)(self);
	struct frt_thread *t = frt_asking();

	if (t)
		frt_input_random(t, &v, sizeof(v), sizeof(v));
	return v;
}

uint64_t frt_h_machine(uint64_t result, uint32_t what)
{
	struct frt_thread *t = frt_asking();

	if (!t)
		return result;
	if (what == FRT_MACHINE_COUNTER)
		return frt_input_clock(t, FR_INPUT_CLOCK, FRT_CLOCK_COUNTER, result);
	frt_input_random(t, &result, what, what);
	return result;
}
