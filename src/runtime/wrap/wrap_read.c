/*
 * Reads from descriptors by any code. The program's own code comes through frt_libc_read; C++
 * streams and other libraries come through this wrapper, which records no memory. /dev/random and
 * /dev/urandom answer as getrandom does, and files of /proc as in the recorded run.
 */
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/peer.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#define RANDOM_MOST 4096 /* a larger read is not for random bytes */

enum repeated { NOT_ANSWERED, RANDOM, KERNEL };

static bool is_proc(int fd)
{
	struct statfs fs;

	return syscall(SYS_fstatfs, fd, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/* Is the file one whose content forerun repeats? Files of /proc seem to be empty, on no device. */
static enum repeated answers(int fd)
{
	enum repeated a = NOT_ANSWERED;
	int saved = errno;
	struct stat st;

	if (fstat(fd, &st) < 0)
		a = NOT_ANSWERED;
	else if (S_ISCHR(st.st_mode) && major(st.st_rdev) == 1 &&
		 (minor(st.st_rdev) == 8 || minor(st.st_rdev) == 9))
		a = RANDOM;
	else if (S_ISREG(st.st_mode) && !st.st_size && !major(st.st_dev) && is_proc(fd))
		a = KERNEL;
	errno = saved;
	return a;
}

ssize_t frt_input_fd(struct frt_thread *t, int fd, void *to, size_t n, ssize_t r)
{
	frt_peer_read(t, fd, r, &(struct iovec){to, n}, 1, 0, NULL, 0);
	r = frt_input_stream(t, fd, to, n, r);
	if (t)
		frt_stream_got(t, fd);
	return r;
}

ssize_t frt_input_stream(struct frt_thread *t, int fd, void *to, size_t n, ssize_t r)
{
	enum repeated a;

	if (!t)
		return r;
	a = r > 0 && r <= RANDOM_MOST ? answers(fd) : NOT_ANSWERED;
	if (a == NOT_ANSWERED) {
		frt_input_read(t, fd, r, r > 0 ? fr_hash(0, to, (size_t)r) : 0);
	} else {
		r = a == RANDOM ? frt_input_random(t, to, n, r) : frt_input_kernel(t, to, n, r);
		if (r < 0) {
			errno = (int)-r;
			r = -1;
		}
	}
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
