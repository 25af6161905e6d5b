/*
 * Reads from descriptors by any code. The program's own code comes through frt_libc_read; C++
 * streams and other libraries come through this wrapper, which records no memory. /dev/random and
 * /dev/urandom answer as getrandom does.
 */
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define RANDOM_MOST 4096 /* a larger read is not for random bytes */

static bool random_device(int fd)
{
	int saved = errno;
	struct stat st;
	bool is = fstat(fd, &st) == 0 && S_ISCHR(st.st_mode) && major(st.st_rdev) == 1 &&
		  (minor(st.st_rdev) == 8 || minor(st.st_rdev) == 9);

	errno = saved;
	return is;
}

ssize_t frt_input_fd(struct frt_thread *t, int fd, void *to, size_t n, ssize_t r)
{
	if (!t)
		return r;
	if (r <= 0 || n > RANDOM_MOST || !random_device(fd)) {
		frt_peer_read(t, fd, r, &(struct iovec){to, n}, 1, 0, NULL, 0);
		frt_input_read(t, r, r > 0 ? fr_hash(0, to, (size_t)r) : 0);
	} else {
		r = frt_input_random(t, to, n, r);
		if (r < 0) {
			errno = (int)-r;
			r = -1;
		}
	}
	frt_stream_got(t, fd);
	return r;
}

ssize_t frt_wrap_read(int fd, void *to, size_t n)
{
	struct frt_give g;
	ssize_t r;

	if (!frt_asking())
		return REAL(read)(fd, to, n);
	frt_see(&g, frt_key_file(fd));
	r = frt_stream_read(frt_asking(), fd, to, &n);
	r = frt_input_fd(frt_asking(), fd, to, n, r);
	frt_give_end(&g);
	return r;
}
