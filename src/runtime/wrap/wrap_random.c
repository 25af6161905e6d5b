/*
 * Random bytes of the kernel and of libc's own generator. rand, random and the like need no
 * recording: from one seed they give one sequence. A call that fails because of its arguments is
 * not recorded: it fails in the same way every time.
 */
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
