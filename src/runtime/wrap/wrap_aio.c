/*
 * Asynchronous input and output. libc does the work in threads of its own, which are not recorded.
 * A submission gives to the descriptor and to the control block. The program gets the result when
 * it learns that the operation has ended (aio_error, aio_return, aio_suspend). The buffer of a
 * write is read at submission. The buffer of a read is written when aio_return reports the length
 * (libc_kernel.c).
 * Not handled: an access to the buffer between the two, which races with the kernel; threads that
 * libc makes to report the end (counted as not modelled).
 */
#include "runtime/control/ctl_input.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"

static uint64_t key(const void *cb)
{
	return frt_key(FRT_KEY_AIO, (uintptr_t)cb, 0);
}

/* The end of the operation may send a signal. */
static void notice(const struct sigevent *event)
{
	if (event->sigev_notify == SIGEV_SIGNAL)
		frt_stream_notice(event->sigev_signo);
	else if (event->sigev_notify == SIGEV_THREAD)
		frt_unmodelled("aio with SIGEV_THREAD");
}

#define SUBMIT(name, params, args)                                          \
	int frt_wrap_##name params                                          \
	{                                                                   \
		struct frt_give g;                                          \
		int r;                                                      \
                                                                            \
		frt_give_begin(&g);                                         \
		if (g.t) {                                                  \
			notice(&cb->aio_sigevent);                          \
			frt_give(&g, key(cb));                              \
			frt_give(&g, frt_key_out(cb->aio_fildes, NULL, 0)); \
		}                                                           \
		r = REAL(name) args;                                        \
		frt_give_end(&g);                                           \
		return r;                                                   \
	}

SUBMIT(aio_read, (struct aiocb * cb), (cb))
SUBMIT(aio_read64, (struct aiocb64 * cb), (cb))
SUBMIT(aio_write, (struct aiocb * cb), (cb))
SUBMIT(aio_write64, (struct aiocb64 * cb), (cb))
SUBMIT(aio_fsync, (int op, struct aiocb *cb), (op, cb))
SUBMIT(aio_fsync64, (int op, struct aiocb64 *cb), (op, cb))

#define LIST(type, name)                                                                        \
	int frt_wrap_##name(int mode, struct type *const list[], int n, struct sigevent *event) \
	{                                                                                       \
		struct frt_give g;                                                              \
		int r;                                                                          \
                                                                                                \
		frt_give_begin(&g);                                                             \
		if (g.t && event && mode == LIO_NOWAIT)                                         \
			notice(event);                                                          \
		for (int i = 0; g.t && i < n; i++)                                              \
			if (list[i]) {                                                          \
				notice(&list[i]->aio_sigevent);                                 \
				frt_give(&g, key(list[i]));                                     \
				frt_give(&g, frt_key_out(list[i]->aio_fildes, NULL, 0));        \
			}                                                                       \
		r = REAL(name)(mode, list, n, event);                                           \
		frt_give_end(&g);                                                               \
		return r;                                                                       \
	}

LIST(aiocb, lio_listio)
LIST(aiocb64, lio_listio64)

/* ---- end of an operation ---- */

static void ended(const void *cb, int fd)
{
	struct frt_thread *t = frt_asking();

	if (!t)
		return;
	frt_take(t, key(cb));
	frt_take(t, frt_key_in(fd));
}

/* Under a schedule an operation is in progress exactly when it was in the recorded run. */
#define ERROR(type, name, suspend)                                                               \
	int frt_wrap_##name(const struct type *cb)                                               \
	{                                                                                        \
		const struct type *const list[] = {cb};                                          \
		struct frt_thread *t = frt_asking();                                             \
		int64_t was = -1;                                                                \
		uint64_t hash;                                                                   \
		int r;                                                                           \
                                                                                                 \
		if (t && frt_controlled() && frt_ctl_recorded(t, FR_INPUT_READY, &was, &hash) && \
		    was >= 0 && was != EINPROGRESS)                                              \
			REAL(suspend)(list, 1, NULL);                                            \
		r = was == EINPROGRESS ? EINPROGRESS : REAL(name)(cb);                           \
		if (t)                                                                           \
			frt_input_result(t, FR_INPUT_READY, r, 0);                               \
		ended(cb, r == EINPROGRESS ? -1 : cb->aio_fildes);                               \
		return r;                                                                        \
	}

ERROR(aiocb, aio_error, aio_suspend)
ERROR(aiocb64, aio_error64, aio_suspend64)

#define RETURN(type, name)                       \
	ssize_t frt_wrap_##name(struct type *cb) \
	{                                        \
		ssize_t r = REAL(name)(cb);      \
                                                 \
		ended(cb, cb->aio_fildes);       \
		return r;                        \
	}

RETURN(aiocb, aio_return)
RETURN(aiocb64, aio_return64)

/* One of several ended, or none in time: the program then asks which. */
#define SUSPEND(type, name)                                                                      \
	int frt_wrap_##name(const struct type *const list[], int n, const struct timespec *time) \
	{                                                                                        \
		int r = REAL(name)(list, n, time);                                               \
                                                                                                 \
		for (int i = 0; i < n; i++)                                                      \
			if (list[i])                                                             \
				ended(list[i], list[i]->aio_fildes);                             \
		return r;                                                                        \
	}

SUSPEND(aiocb, aio_suspend)
SUSPEND(aiocb64, aio_suspend64)
