/* Calls on descriptors that observe or change a kernel object: see kernel.h. */
#include "input.h"
#include "kernel.h"
#include "stream.h"
#include "wrap.h"
#include <stdarg.h>

int frt_wrap_ioctl(int fd, unsigned long request, ...)
{
	struct frt_thread *t;
	void *arg;
	va_list ap;
	int r;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	r = REAL(ioctl)(fd, request, arg);
	t = frt_asking();
	if (t && request == FIONREAD) /* bytes were seen, though not read */
		frt_stream_got(t, fd);
	return r;
}
