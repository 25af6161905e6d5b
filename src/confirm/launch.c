/*
 * Starts the recorded program again (process/spawn.h).
 *
 * Each stream is again what it was (a pipe, a terminal, ...), so that the program sees, buffers and
 * echoes as it did: pipes, or a pseudo-terminal. Their output is kept in files in memory.
 *
 * Not handled, because not recorded: limits, umask, ignored signals, other open descriptors. They
 * are as in this process.
 */
#include "confirm/launch.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/mem.h"
#include "confirm/control_file_build.h"
#include "confirm/modules.h"
#include "confirm/end_orphans.h"
#include "process/spawn.h"
#include "trace/pool_reader.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIPE_SIZE (256 << 10) /* large, so that a program that prints much seldom waits for us */

static bool is(const struct fr_launch *s, int stream, enum fr_stream_kind kind)
{
	return s->run->stream[stream].kind == kind;
}

/* ---- once for all starts ---- */

static int check_input(struct fr_launch *s, const char *dir, struct fr_err *reterr)
{
	const struct fr_run_stream *in = &s->run->stream[FR_STDIN];
	struct fr_err why;
	char *path;
	int fd;

	if (!fr_run_has_input(s->run))
		return 0;
	if (!in->kept)
		return fr_err_say(reterr, -ENODATA,
				  "cannot run the program again: the run folder has no copy of its "
				  "standard input");
	path = s->input = fr_xasprintf("%s/stdin", dir);
	fd = fr_dir_open(path, &why);
	if (fd < 0)
		return fr_err_say(reterr, fd, "cannot read the recorded input '%s': %s", path,
				  why.msg);
	close(fd);
	return 0;
}

static int check_program(const struct fr_run *run, struct fr_err *reterr)
{
	if (access(run->path, F_OK) < 0)
		return fr_err_set(reterr, -errno,
				  "the recorded program '%s' no longer exists: build it again",
				  run->path);
	if (access(run->path, X_OK) < 0)
		return fr_err_set(reterr, -errno, "cannot run '%s'", run->path);
	if (*run->cwd && access(run->cwd, X_OK) < 0)
		return fr_err_set(reterr, -errno,
				  "cannot change to '%s', the working folder of the recorded run",
				  run->cwd);
	return 0;
}

static void make_vectors(struct fr_launch *s)
{
	const struct fr_run *run = s->run;

	s->argv = fr_xcalloc(run->args.n + 2, sizeof(*s->argv));
	s->argv[0] = run->program;
	for (size_t i = 0; i < run->args.n; i++)
		s->argv[i + 1] = run->args.v[i];
	s->env = fr_xcalloc(run->env.n + 1, sizeof(*s->env));
	if (run->env.n)
		memcpy(s->env, run->env.v, run->env.n * sizeof(*s->env));
}

int fr_launch_prepare(struct fr_launch *s, const char *dir, const struct fr_run *run,
		      struct fr_err *reterr)
{
	int r;

	*s = (struct fr_launch){.run = run};
	if (run->imported)
		return fr_err_say(reterr, -ENOTSUP,
				  "the trace was imported, so there is no program to run");
	r = check_program(run, reterr);
	if (!r)
		r = fr_modules_check(run->modules.v, run->modules.n, reterr);
	if (!r)
		r = check_input(s, dir, reterr);
	if (r < 0) {
		free(s->input);
		s->input = NULL;
		return r;
	}
	make_vectors(s);
	s->fixed = fr_spawn_fixed();
	return 0;
}

void fr_launch_free(struct fr_launch *s)
{
	free(s->input);
	free(s->argv);
	free(s->env);
	*s = (struct fr_launch){0};
}

/* ---- streams ---- */

struct pipe_ends {
	int in, out, err; /* of the program; -1 = closed */
	int pipe[2];	  /* out and err, if they are pipes */
	int slave;
	bool session;
};

static int open_terminal(const struct fr_launch *s, struct fr_launched *p, struct pipe_ends *e,
			 struct fr_err *reterr)
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	struct termios t;

	if (openpty(&p->master, &e->slave, NULL, NULL, &size) < 0)
		return fr_err_set(reterr, -errno, "cannot open a pseudo-terminal");
	fcntl(p->master, F_SETFD, FD_CLOEXEC);
	fcntl(e->slave, F_SETFD, FD_CLOEXEC);
	fcntl(p->master, F_SETFL, O_RDWR | O_NONBLOCK);
	e->session = is(s, FR_STDIN, FR_STREAM_TTY);
	if (!e->session && tcgetattr(e->slave, &t) == 0) { /* as the recorder does */
		t.c_oflag &= ~(tcflag_t)OPOST;
		tcsetattr(e->slave, TCSANOW, &t);
	}
	return 0;
}

static int open_input(const struct fr_launch *s, struct fr_launched *p, struct pipe_ends *e,
		      struct fr_err *reterr)
{
	int fds[2];

	if (is(s, FR_STDIN, FR_STREAM_CLOSED))
		return 0;
	if (is(s, FR_STDIN, FR_STREAM_TTY)) {
		e->in = e->slave;
		p->slave = fcntl(e->slave, F_DUPFD_CLOEXEC, 3);
		return 0;
	}
	if (is(s, FR_STDIN, FR_STREAM_PIPE)) {
		if (pipe2(fds, O_CLOEXEC) < 0)
			return fr_err_set(reterr, -errno, "cannot create a pipe");
		fcntl(fds[1], F_SETFL, O_NONBLOCK);
		e->in = fds[0];
		p->in = fds[1];
		return 0;
	}
	if (s->input) {
		e->in = fr_dir_open(s->input, reterr);
		return e->in < 0 ? e->in : 0;
	}
	e->in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return e->in < 0 ? fr_err_set(reterr, -errno, "cannot open '/dev/null'") : 0;
}

/* Opens an output stream of the recorded kind, and the file that receives its content. */
static int open_output(const struct fr_launch *s, struct fr_launched *p, struct pipe_ends *e,
		       int stream, struct fr_err *reterr)
{
	bool second = stream == FR_STDERR;
	int *end = second ? &e->err : &e->out, *file = second ? &p->err : &p->out, fds[2];
	char path[64];
	int r;

	fr_assert((stream == FR_STDOUT || second) && *end < 0 && *file < 0);
	r = fr_io_memory(second ? "forerun-stderr" : "forerun-stdout", 0, file, path, reterr);

	if (r < 0 || is(s, stream, FR_STREAM_CLOSED))
		return r;
	if (is(s, stream, FR_STREAM_TTY)) {
		*end = e->slave;
		p->sink = *file;
		return 0;
	}
	if (pipe2(fds, O_CLOEXEC) < 0)
		return fr_err_set(reterr, -errno, "cannot create a pipe");
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	fcntl(fds[1], F_SETPIPE_SZ, PIPE_SIZE); /* if not permitted, the program waits more often */
	p->pipe[second] = fds[0];
	e->pipe[second] = *end = fds[1];
	return 0;
}

static int open_streams(const struct fr_launch *s, struct fr_launched *p, struct pipe_ends *e,
			struct fr_err *reterr)
{
	bool tty = is(s, 0, FR_STREAM_TTY) || is(s, 1, FR_STREAM_TTY) || is(s, 2, FR_STREAM_TTY);
	int r = tty ? open_terminal(s, p, e, reterr) : 0;

	if (!r)
		r = open_input(s, p, e, reterr);
	if (!r)
		r = open_output(s, p, e, FR_STDOUT, reterr);
	if (r < 0)
		return r;
	if (is(s, FR_STDERR, FR_STREAM_MERGED) ||
	    (is(s, FR_STDERR, FR_STREAM_TTY) && is(s, FR_STDOUT, FR_STREAM_TTY))) {
		e->err = e->out;
		return 0;
	}
	return open_output(s, p, e, FR_STDERR, reterr);
}

/* ---- the process ---- */

static int spawn(const struct fr_launch *s, const struct pipe_ends *e, char *setting,
		 const int inherited[3], pid_t *ret)
{
	static const int changed[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGCHLD, SIGQUIT};
	FR_CLEANUP(fr_freep) char **env = fr_spawn_env(s->env, setting);
	struct fr_spawn how = {.path = s->run->path,
			       .argv = s->argv,
			       .env = env,
			       .dir = *s->run->cwd ? s->run->cwd : NULL,
			       .stream = {e->in, e->out, e->err},
			       .session = e->session,
			       .group = true,
			       .box = s->box,
			       .inherited = {inherited[0], inherited[1], inherited[2]}};

	sigemptyset(&how.mask);
	sigemptyset(&how.ignored);
	sigemptyset(&how.defaults);
	for (size_t i = 0; i < fr_array_size(changed); i++)
		sigaddset(&how.defaults, changed[i]);
	return fr_spawn(&how, ret);
}

static void close_ends(struct pipe_ends *e)
{
	if (e->in >= 0 && e->in != e->slave)
		close(e->in);
	fr_closep(&e->slave);
	fr_closep(&e->pipe[0]);
	fr_closep(&e->pipe[1]);
}

static void close_all(struct fr_launched *p)
{
	fr_closep(&p->in);
	fr_closep(&p->slave);
	fr_closep(&p->master);
	fr_closep(&p->pidfd);
	fr_closep(&p->pipe[0]);
	fr_closep(&p->pipe[1]);
	fr_closep(&p->out);
	fr_closep(&p->err);
}

int fr_launch(const struct fr_launch *s, const char *pool, const int inherited[3],
	      struct fr_launched *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *padded = fr_pool_padded(pool);
	FR_CLEANUP(fr_freep) char *setting = fr_xasprintf(FR_ENV_POOL "=%s", padded);
	struct fr_launched p = {.pidfd = -1,
				.in = -1,
				.slave = -1,
				.master = -1,
				.sink = -1,
				.pipe = {-1, -1},
				.out = -1,
				.err = -1};
	struct pipe_ends e = {.in = -1, .out = -1, .err = -1, .pipe = {-1, -1}, .slave = -1};
	int r = open_streams(s, &p, &e, reterr);

	if (!r) {
		r = spawn(s, &e, setting, inherited, &p.pid);
		if (r < 0)
			fr_err_set(reterr, r, "cannot run '%s'%s", s->run->path,
				   s->box ? " in a box" : "");
	}
	close_ends(&e);
	if (r < 0) {
		close_all(&p);
		return r;
	}
	p.pidfd = (int)syscall(SYS_pidfd_open, p.pid, 0);
	p.setting = fr_steal(setting);
	*ret = p;
	return 0;
}

int fr_launch_become(const struct fr_launch *s, const char *pool, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *padded = fr_pool_padded(pool);
	FR_CLEANUP(fr_freep) char *setting = fr_xasprintf(FR_ENV_POOL "=%s", padded);
	FR_CLEANUP(fr_freep) char **env = fr_spawn_env(s->env, setting);
	int in = -1;

	if (s->input || is(s, FR_STDIN, FR_STREAM_NULL))
		in = s->input ? fr_dir_open(s->input, reterr) : open("/dev/null", O_RDONLY);
	if (in > 0)
		dup2(in, 0);
	if (is(s, FR_STDIN, FR_STREAM_CLOSED))
		close(0);
	if (*s->run->cwd && chdir(s->run->cwd) < 0)
		return fr_err_set(reterr, -errno, "cannot change to folder '%s'", s->run->cwd);
	execve(s->run->path, s->argv, env);
	return fr_err_set(reterr, -errno, "cannot run '%s'", s->run->path);
}

/* Limited, because more may come than we can copy. It suffices to empty a pipe. */
static size_t drain(int from, int to)
{
	char buf[65536];
	size_t sum = 0;

	for (size_t i = 0; from >= 0 && i < 4 * PIPE_SIZE / sizeof(buf); i++) {
		ssize_t n = read(from, buf, sizeof(buf));

		if (n <= 0 || (to >= 0 && fr_io_write_all(to, buf, (size_t)n, NULL) < 0))
			break;
		sum += (size_t)n;
	}
	return sum;
}

bool fr_launched_drain(struct fr_launched *p)
{
	drain(p->master, p->sink);
	return (drain(p->pipe[0], p->out) | drain(p->pipe[1], p->err)) >= PIPE_SIZE / 8;
}

int fr_launched_end(struct fr_launched *p)
{
	int status = 0;

	fr_assert(p->pid > 1 && p->setting); /* else kill would reach other processes */
	/* It leads its group until it is reaped, so the number cannot belong to another group. */
	kill(-p->pid, SIGKILL);
	kill(p->pid, SIGKILL);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	fr_orphans_end(p->setting);
	free(p->setting);
	fr_launched_drain(p);
	fr_closep(&p->pipe[0]);
	fr_closep(&p->pipe[1]);
	fr_closep(&p->in);
	fr_closep(&p->slave);
	fr_closep(&p->master);
	fr_closep(&p->pidfd);
	return status;
}
