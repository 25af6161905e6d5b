/*
 * Asks the recorder to keep a file: see keep_file.h. The recorder copies it, not this process: it
 * needs no descriptor here, which would change the numbers of the program's own ones.
 *
 * The thread blocks all signals while it asks, because a handler may change files too. If the
 * recorder is gone, the thread stops waiting, and nobody asks again.
 */
#include "keep_file.h"
#include "outside_name.h"
#include "real.h"
#include "rt_assert.h"
#include "rt_input.h"
#include "rt_pool.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NAMES 4096 /* a power of two; beyond that, names are asked about again */
#define KERNEL_SIGSET 8L
_Static_assert(!(NAMES & (NAMES - 1)), "a power of two");

static _Atomic uint64_t asked[NAMES];

static bool is_asked(uint64_t hash)
{
	return atomic_load(&asked[hash % NAMES]) == hash;
}

static void sleep_on(_Atomic uint32_t *state, uint32_t value)
{
	const struct timespec patience = {.tv_nsec = 50 * 1000 * 1000};

	if (syscall(SYS_futex, state, FUTEX_WAIT, value, &patience, NULL, 0) < 0 &&
	    errno == ETIMEDOUT && frt_recorder_gone())
		atomic_store(state, FR_KEEP_OFF);
}

static void change(_Atomic uint32_t *state, uint32_t to)
{
	atomic_store(state, to);
	syscall(SYS_futex, state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* False: nobody keeps files. */
static bool claim(struct fr_pool_keep *k)
{
	for (;;) {
		uint32_t state = FR_KEEP_FREE;

		if (atomic_compare_exchange_strong(&k->state, &state, FR_KEEP_CLAIMED))
			return true;
		if (state == FR_KEEP_OFF)
			return false;
		sleep_on(&k->state, state);
	}
}

static void ask(struct fr_pool_keep *k, int dir, const char *path, size_t n, bool follow)
{
	uint32_t state;

	frt_assert(n && n < FR_KEEP_PATH);
	if (!claim(k))
		return;
	for (size_t i = 0; i < n; i++)
		k->path[i] = path[i];
	k->path[n] = 0;
	k->dir = dir;
	k->follow = follow;
	change(&k->state, FR_KEEP_ASKED);
	while ((state = atomic_load(&k->state)) == FR_KEEP_ASKED)
		sleep_on(&k->state, state);
	if (state == FR_KEEP_DONE)
		change(&k->state, FR_KEEP_FREE);
}

void frt_keep_file(int dir, const char *path, bool follow)
{
	uint64_t all = ~UINT64_C(0), old;
	_Static_assert(sizeof(all) == KERNEL_SIGSET, "the set of all signals");
	struct frt_name name;
	int saved = errno;

	if (!path || !frt_asking() || atomic_load(&frt_pool->keep.state) == FR_KEEP_OFF)
		return;
	/* The kernel reads the path first: only then is it safe to read it here. */
	if (syscall(SYS_faccessat, dir, path, 0) == 0 ||
	    (errno != EFAULT && errno != ENAMETOOLONG)) {
		name = frt_name_file(dir, path);
		if (name.hash && name.length < FR_KEEP_PATH && !is_asked(name.hash)) {
			syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &all, &old, KERNEL_SIGSET);
			ask(&frt_pool->keep, dir, path, name.length, follow);
			syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &old, NULL, KERNEL_SIGSET);
			atomic_store(&asked[name.hash % NAMES], name.hash);
		}
	}
	errno = saved;
}

void frt_keep_shm(const char *prefix, const char *name)
{
	static const char folder[] = "/dev/shm/";
	char path[NAME_MAX + 32];
	size_t n = 0;

	if (!name || !frt_asking() || atomic_load(&frt_pool->keep.state) == FR_KEEP_OFF)
		return;
	while (*name == '/')
		name++;
	for (const char *s = folder; *s; s++)
		path[n++] = *s;
	while (*prefix)
		path[n++] = *prefix++;
	frt_assert(n < sizeof(path) - NAME_MAX);
	while (*name && n < sizeof(path) - 1)
		path[n++] = *name++;
	path[n] = 0;
	if (!*name)
		frt_keep_file(AT_FDCWD, path, false);
}
