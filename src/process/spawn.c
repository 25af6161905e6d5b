/* See spawn.h. After vfork, the child must not change memory that this process uses. */
#include "process/spawn.h"
#include "base/assert.h"
#include "base/mem.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t length(char *const *v)
{
	size_t n = 0;

	while (v[n])
		n++;
	return n;
}

/* No handler of this process may run in the child. */
static void set_signals(const struct fr_spawn *s)
{
	struct sigaction a;

	for (int sig = 1; sig < NSIG; sig++) {
		bool ignored = sigismember(&s->ignored, sig) > 0;

		if (sigaction(sig, NULL, &a) < 0 ||
		    (a.sa_handler == SIG_IGN && !ignored && sigismember(&s->defaults, sig) <= 0))
			continue;
		a = (struct sigaction){.sa_handler = ignored ? SIG_IGN : SIG_DFL};
		sigaction(sig, &a, NULL);
	}
}

static void place_streams(const struct fr_spawn *s)
{
	int high[3];

	/* Duplicate to high numbers first: a source may be the target of another. */
	for (int i = 0; i < 3; i++)
		high[i] = s->stream[i] < 0 ? -1 : fcntl(s->stream[i], F_DUPFD_CLOEXEC, 10);
	for (int i = 0; i < 3; i++) {
		if (high[i] >= 0)
			dup2(high[i], i);
		else
			close(i);
	}
}

/* Runs in the child. Returns only on failure. */
static int become(const struct fr_spawn *s, char **sh)
{
	int r;

	set_signals(s);
	if (s->session) {
		setsid();
		ioctl(s->stream[0], TIOCSCTTY, 0);
	} else if (s->group) {
		setpgid(0, 0);
	}
	r = s->box ? fr_box_enter(s->box) : 0;
	if (r < 0)
		return -r;
	for (int i = 0; s->box && s->box->user && i < 3; i++)
		if (s->inherited[i] > 2)
			fcntl(s->inherited[i], F_SETFD, 0);
	if (s->dir && chdir(s->dir) < 0)
		return errno;
	place_streams(s);
	sigprocmask(SIG_SETMASK, &s->mask, NULL);
	execve(s->path, s->argv, s->env);
	if (errno == ENOEXEC)
		execve(sh[0], sh, s->env);
	return errno;
}

/* Returns the arguments with which /bin/sh executes the file. */
static char **shell_argv(const struct fr_spawn *s)
{
	size_t n = length(s->argv);
	char **sh = fr_xcalloc(n + 2, sizeof(*sh));

	fr_assert(n);
	memcpy(sh + 2, s->argv + 1, n * sizeof(*sh));
	sh[0] = (char *)"/bin/sh";
	sh[1] = (char *)s->path;
	return sh;
}

int fr_spawn(const struct fr_spawn *s, pid_t *ret)
{
	FR_CLEANUP(fr_freep) char **sh = shell_argv(s);
	volatile int failed = 0;
	sigset_t all, old;
	pid_t pid;

	fr_assert(s->path && s->argv[0] && s->env);
	fr_assert(!s->box || s->box->top); /* prepared */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid = vfork();
	if (!pid) {
		failed = become(s, sh);
		_exit(127);
	}
	if (pid < 0)
		failed = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	fr_assert(failed || pid > 0);
	if (!failed)
		*ret = pid;
	else if (pid > 0)
		waitpid(pid, NULL, 0);
	return -failed;
}

char **fr_spawn_env(char *const *env, char *setting)
{
	size_t n = length(env), name = strcspn(setting, "=") + 1, i = 0;
	char **copy = fr_xcalloc(n + 2, sizeof(*copy));

	fr_assert(setting[name - 1] == '=');
	memcpy(copy, env, n * sizeof(*copy));
	while (i < n && strncmp(copy[i], setting, name) != 0)
		i++;
	copy[i] = setting;
	return copy;
}

bool fr_spawn_fixed(void)
{
	int old = personality(0xffffffff);

	return old >= 0 && personality((unsigned)old | ADDR_NO_RANDOMIZE) >= 0;
}
