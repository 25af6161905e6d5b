/*
 * The life of the process: fork, exec, exit, and modules that are loaded.
 *
 * A child of fork is not recorded: the runtime's fork handler (frt_off_after_fork) turns recording
 * off before any other handler runs. A function cannot wrap vfork; its child runs in the parent's
 * memory, and its events count as the parent thread's. So exec and _exit check whether they are in
 * the recorded process before they end the recording.
 */
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/module_span.h"
#include "runtime/core/rt_stream.h"
#include "runtime/control/ctl_freed.h"
#include "wrap.h"
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>

/* True if this is the recorded process itself. */
static bool recorded_process(void)
{
	return frt_pool && atomic_load(&frt_pool->pid) == getpid();
}

/* ---- fork ---- */

static void forked(pid_t pid)
{
	struct frt_thread *t = frt_self;
	int saved = errno;

	if (pid > 0) {
		frt_count(FR_RTC_forks, 1);
		frt_ctl_forked();
	}
	if (pid == 0 && frt_pool)
		frt_off_after_fork();
	else if (pid > 0 && t)
		frt_sync(t, FR_EV_FORK, 0, (void *)(uintptr_t)pid);
	errno = saved;
}

/* The end of the child will send a signal. */
static void child_begins(void)
{
	frt_signal_sent(SIGCHLD, frt_signal_sends(SIGCHLD, false));
}

pid_t frt_wrap_fork(void)
{
	pid_t pid;

	child_begins();
	pid = REAL(fork)();
	forked(pid);
	return pid;
}

pid_t frt_wrap__Fork(void)
{
	pid_t pid;

	child_begins();
	pid = REAL(_Fork)();
	forked(pid);
	return pid;
}

/* ---- exec ---- */

/* Before exec: true if the recording ends with it. */
static bool leaving(void)
{
	struct frt_thread *t = frt_self;

	if (!recorded_process())
		return false;
	if (t)
		frt_sync(t, FR_EV_EXEC, 0, NULL);
	frt_count(FR_RTC_execs, 1);
	frt_finish(2);
	return true;
}

/* exec failed and the program continues. */
static int stayed(bool left, int r)
{
	if (left) {
		frt_count(FR_RTC_execs, UINT64_MAX); /* subtracts one */
		frt_finish(0);
	}
	return r;
}

int frt_wrap_execve(const char *path, char *const argv[], char *const envp[])
{
	bool left = leaving();

	return stayed(left, REAL(execve)(path, argv, envp));
}

int frt_wrap_execv(const char *path, char *const argv[])
{
	bool left = leaving();

	return stayed(left, REAL(execv)(path, argv));
}

int frt_wrap_execvp(const char *file, char *const argv[])
{
	bool left = leaving();

	return stayed(left, REAL(execvp)(file, argv));
}

int frt_wrap_execvpe(const char *file, char *const argv[], char *const envp[])
{
	bool left = leaving();

	return stayed(left, REAL(execvpe)(file, argv, envp));
}

int frt_wrap_fexecve(int fd, char *const argv[], char *const envp[])
{
	bool left = leaving();

	return stayed(left, REAL(fexecve)(fd, argv, envp));
}

int frt_wrap_execveat(int dir, const char *path, char *const argv[], char *const envp[], int flags)
{
	bool left = leaving();

	return stayed(left, REAL(execveat)(dir, path, argv, envp, flags));
}

/* The list forms: copy the arguments into an array on the stack, as libc does. Afterwards `args` is
   behind the list's NULL. */
#define WITH_ARGS(argv, first, args, call)               \
	do {                                             \
		size_t n_ = 1;                           \
                                                         \
		va_start(args, first);                   \
		while (va_arg(args, char *))             \
			n_++;                            \
		va_end(args);                            \
		char *argv[n_ + 1];                      \
		va_start(args, first);                   \
		argv[0] = (char *)first;                 \
		for (size_t i_ = 1; i_ <= n_; i_++)      \
			argv[i_] = va_arg(args, char *); \
		call;                                    \
		va_end(args);                            \
	} while (0)

int frt_wrap_execl(const char *path, const char *arg, ...)
{
	va_list args;
	int r;

	WITH_ARGS(argv, arg, args, r = frt_wrap_execv(path, argv));
	return r;
}

int frt_wrap_execlp(const char *file, const char *arg, ...)
{
	va_list args;
	int r;

	WITH_ARGS(argv, arg, args, r = frt_wrap_execvp(file, argv));
	return r;
}

int frt_wrap_execle(const char *path, const char *arg, ...)
{
	va_list args;
	int r;

	WITH_ARGS(argv, arg, args, r = frt_wrap_execve(path, argv, va_arg(args, char *const *)));
	return r;
}

/* ---- exit ---- */

static void ending(void)
{
	if (recorded_process())
		frt_finish(1);
}

/* A return from main calls libc's exit, which does not come here. */
__attribute__((destructor)) static void at_exit(void)
{
	ending();
}

void frt_wrap_exit(int status)
{
	ending();
	REAL(exit)(status);
	__builtin_unreachable();
}

void frt_wrap__exit(int status)
{
	ending();
	REAL(_exit)(status);
	__builtin_unreachable();
}

void frt_wrap__Exit(int status)
{
	ending();
	REAL(_Exit)(status);
	__builtin_unreachable();
}

void frt_wrap_quick_exit(int status)
{
	ending();
	REAL(quick_exit)(status);
	__builtin_unreachable();
}

/* ---- modules ---- */

extern const char __executable_start[], _etext[];

/*
 * The first thread that opens a module initialises it, and other threads find it initialised. So
 * the end of each dlopen comes before the end of the next one. In the recorded run, one dlopen runs
 * at a time.
 *
 * dlopen searches where its caller's module says. A library's call is therefore passed on unchanged
 * (the compilers make it a jump). Such a module is seen when it registers its units.
 */
void *frt_wrap_dlopen(const char *file, int mode)
{
	const char *caller = __builtin_return_address(0);
	uint64_t loader = frt_key(FRT_KEY_LOADER, 0, 0);
	struct frt_give g;
	void *h;

	if (!frt_pool || caller < __executable_start || caller >= _etext)
		return REAL(dlopen)(file, mode);
	frt_see(&g, loader);
	h = REAL(dlopen)(file, mode);
	if (h)
		frt_scan_modules();
	if (frt_asking()) {
		frt_take(frt_asking(), loader);
		frt_sync(frt_asking(), FR_EV_USER_RELEASE, 0, (void *)(uintptr_t)loader);
	}
	frt_give_end(&g);
	return h;
}

#define MODULES 256

struct modules {
	unsigned n;
	struct frt_span at[MODULES];
};

static int see_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct frt_span span = frt_module_span(info);
	struct modules *m = arg;

	(void)size;
	if (span.lo < span.hi && m->n < MODULES)
		m->at[m->n++] = span;
	return 0;
}

/* The memory of the modules that dlclose unloads is freed. Which ones these are is known only
   afterwards. */
int frt_wrap_dlclose(void *handle)
{
	struct modules was = {0}, is = {0};
	struct frt_thread *t = frt_asking();
	int r;

	if (t)
		dl_iterate_phdr(see_module, &was);
	r = REAL(dlclose)(handle);
	t = frt_asking();
	if (!t)
		return r;
	dl_iterate_phdr(see_module, &is);
	for (unsigned i = 0; i < was.n; i++) {
		const void *lo = (const void *)(was.at[i].lo & ~(uintptr_t)4095);
		size_t size = was.at[i].hi - (uintptr_t)lo;
		unsigned k = 0;

		while (k < is.n && is.at[k].lo != was.at[i].lo)
			k++;
		if (k < is.n)
			continue;
		frt_shadow_forget(t, lo, size);
		frt_ctl_frees(t, size);
		frt_sync_ext(t, FR_EV_FREE, FR_MEM_MMAP, lo, size, 0);
		if (frt_ctl_keeps(t))
			mmap((void *)lo, size, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	}
	return r;
}
