/*
 * Maps a pthread_t to a thread's id.
 *
 * Meaning:   an open-addressing table from handles to ids, which the thread itself fills in before
 *            any code of the program runs in it. A handle is reused once its thread was joined or
 *            ended detached. The entry then holds 0 until the next thread with that handle comes.
 * Invariant: entries are never removed. There are twice as many as threads can exist, so the table
 *            does not fill.
 * Waiting:   a thread may look up a handle before its thread has run at all. `expected` counts the
 *            threads that have not set their handle yet; the lookup waits while there are any.
 */
#include "wrap.h"
#include <stdatomic.h>
#include <sys/syscall.h>

#define SLOTS (2 * FR_POOL_MAX_THREADS)
#define TRIES 1000    /* that only yield */
#define PAUSES 100000 /* then, of PAUSE_NS each: a machine may be very busy */
#define PAUSE_NS 100000

_Static_assert(SLOTS <= 1 << 24, "frt_hash_address reaches each slot");

struct frt_life frt_lives[FR_POOL_MAX_THREADS];

static struct {
	_Atomic uintptr_t handle;
	_Atomic uint32_t id;
} table[SLOTS];
static _Atomic uint32_t expected;

static uint32_t slot_of(uintptr_t handle)
{
	return frt_hash_address(handle) % SLOTS;
}

/* The entry of a handle; makes it if `make`. */
static _Atomic uint32_t *entry(uintptr_t handle, bool make)
{
	for (uint32_t i = slot_of(handle);; i = (i + 1) % SLOTS) {
		uintptr_t seen = atomic_load(&table[i].handle);

		if (!seen && !make)
			return NULL;
		if (!seen && atomic_compare_exchange_strong(&table[i].handle, &seen, handle))
			seen = handle;
		if (seen == handle)
			return &table[i].id;
	}
}

void frt_handle_expect(void)
{
	atomic_fetch_add(&expected, 1);
}

void frt_handle_unexpect(void)
{
	frt_assert(atomic_load(&expected));
	atomic_fetch_sub(&expected, 1);
}

void frt_handle_set(pthread_t handle, uint32_t id)
{
	frt_assert(id && id <= FR_POOL_MAX_THREADS && atomic_load(&expected));
	atomic_store(entry((uintptr_t)handle, true), id);
	atomic_fetch_sub(&expected, 1);
}

uint32_t frt_handle_find(pthread_t handle)
{
	struct timespec pause = {.tv_nsec = PAUSE_NS};
	int saved = errno;

	for (unsigned tries = 0; tries < TRIES + PAUSES; tries++) {
		uint32_t more = atomic_load(&expected);
		_Atomic uint32_t *e = entry((uintptr_t)handle, false);
		uint32_t id = e ? atomic_load(e) : 0;

		frt_assert(id <= FR_POOL_MAX_THREADS);
		if (id || !more)
			return id;
		if (tries < TRIES)
			sched_yield();
		else
			syscall(SYS_nanosleep, &pause, NULL);
		errno = saved;
	}
	return 0;
}

void frt_handle_drop(pthread_t handle, uint32_t id)
{
	_Atomic uint32_t *e = entry((uintptr_t)handle, false);

	frt_assert(id); /* 0: the handle has no thread */
	if (e)
		atomic_compare_exchange_strong(e, &id, 0);
}
