/*
 * The annotations of forerun.h as events. A lock of the program's own is emitted after it was taken
 * and before it is released, like the wrapped locks.
 */
#include "runtime/core/rt.h"
#define __FORERUN__ 1 /* for the declarations */
#include "../../../include/forerun.h"

/* EXT: length of the name, argument 0, count; then for each further
   argument: its number and value. */
void forerun_event(const char *name, size_t length, unsigned count, unsigned long long a,
		   unsigned long long b, unsigned long long c, unsigned long long d,
		   unsigned long long e, unsigned long long f)
{
	const unsigned long long args[] = {a, b, c, d, e, f};
	struct frt_thread *t = frt_self;
	struct fr_event slots[7];
	unsigned n = count < 6 ? count : 6;

	if (!t)
		return;
	slots[0] = (struct fr_event){.w0 = fr_w0((uintptr_t)name, FR_EV_USER_EVENT, 0),
				     .value = frt_stamp()};
	slots[1] = (struct fr_event){.w0 = fr_w0(length, FR_EV_EXT, 0), .value = a, .site = n};
	for (unsigned i = 1; i < n; i++)
		slots[i + 1] = (struct fr_event){.w0 = fr_w0(i, FR_EV_EXT, 0), .value = args[i]};
	frt_emit(t, slots, n > 1 ? n + 1 : 2);
}

static void emit(unsigned kind, unsigned aux, const volatile void *obj)
{
	struct frt_thread *t = frt_self;

	if (t)
		frt_sync(t, kind, aux, (const void *)obj);
}

void forerun_atomic_begin(void)
{
	emit(FR_EV_USER_ATOMIC_BEGIN, 0, NULL);
}

void forerun_atomic_end(void)
{
	emit(FR_EV_USER_ATOMIC_END, 0, NULL);
}

void forerun_benign(const volatile void *ptr, size_t size)
{
	struct frt_thread *t = frt_self;

	if (t)
		frt_sync_ext(t, FR_EV_USER_BENIGN, 0, (const void *)ptr, size, 0);
}

void forerun_lock(const volatile void *obj)
{
	emit(FR_EV_USER_LOCK, FR_SYNC(FR_OK, FR_PLAIN, FR_NORMAL), obj);
}

void forerun_trylock(const volatile void *obj, int ok)
{
	emit(FR_EV_USER_LOCK, FR_SYNC(ok ? FR_OK : FR_BUSY, FR_TRY, FR_NORMAL), obj);
}

void forerun_unlock(const volatile void *obj)
{
	emit(FR_EV_USER_UNLOCK, FR_SYNC(FR_OK, FR_PLAIN, FR_NORMAL), obj);
}
