/*
 * Starts a recording and waits for the program. The main thread waits for signals and for the
 * program; the drainer thread drains the pool; the carrier process forwards the streams. All of
 * them block the handled signals, and the main thread reads these from a signalfd.
 */
#include "record/session.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/term.h"
#include "record/carrier.h"
#include "base/message.h"
#include "process/hang_watch.h"
#include "process/spawn.h"
#include "record/folder_origin.h"
#include "base/fr_config.h"
#include "trace/initial.h"
#include "symbols/sites.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void fr_session_init(struct fr_session *s)
{
	*s = (struct fr_session){.recorded_fd = -1, .signal_fd = -1};
	fr_streams_guard(&s->streams);
}

char *fr_session_path(const struct fr_session *s, const char *name)
{
	return fr_xasprintf("%s/%s", s->dir, name);
}

static char *now_utc(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	gmtime_r(&now, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return fr_xstrdup(text);
}

int fr_session_write_run(struct fr_session *s, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_session_path(s, "run.json");

	return fr_run_write(path, &s->run, reterr);
}

int fr_session_prepare(struct fr_session *s, const char *options, uint32_t max_blocks,
		       const struct fr_run_order *order, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep)
	char *trace = fr_session_path(s, "trace"), *pool = fr_session_path(s, "pool");
	int r;

	fr_assert(s->dir && s->run.path && !s->writer && !s->pool);
	s->old_pipe = signal(SIGPIPE, SIG_IGN);
	s->old_xfsz = signal(SIGXFSZ, SIG_IGN);
	s->old_chld = signal(SIGCHLD, SIG_DFL); /* if ignored, children leave no exit status */
	if (getrandom(s->run.run_id, sizeof(s->run.run_id), 0) < 0)
		return fr_err_set(reterr, -errno, "cannot get random bytes");
	s->run.version = fr_xstrdup(FR_VERSION);
	s->run.options = fr_xstrdup(options);
	s->run.order = order->text ? fr_xstrdup(order->text) : NULL;
	s->run.started = now_utc();
	s->run.exit = -1;
	s->run.reason = fr_xstrdup("the recorder was interrupted");
	r = fr_writer_create(trace, s->run.run_id, &s->writer, reterr);
	if (r < 0)
		return r;
	r = fr_pool_reader_create(pool, options, max_blocks, &s->pool, reterr);
	if (r < 0)
		return r;
	if (fr_peer_file_open(&s->peers, s->dir) < 0)
		fr_peer_file_close(&s->peers);
	r = order->text ? fr_run_order_open(&s->ordered, order, s->pool->p, reterr) : 0;
	if (r < 0)
		return r;
	r = fr_streams_open(&s->streams, s->dir, s->run.stream, reterr);
	if (r < 0)
		return r;
	r = fr_origin_write(s->dir, &s->run, reterr);
	if (r < 0)
		return r;
	return fr_session_write_run(s, reterr);
}

/* ---- starting ---- */

static void block_signals(struct fr_session *s)
{
	static const int wanted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGWINCH, SIGCONT};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < fr_array_size(wanted); i++) {
		struct sigaction old;

		/* Ignored signals stay ignored: nohup, background jobs. */
		if (sigaction(wanted[i], NULL, &old) < 0 || old.sa_handler != SIG_IGN)
			sigaddset(&set, wanted[i]);
	}
	sigprocmask(SIG_BLOCK, &set, &s->old_mask);
	s->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The kernel puts the executed path on the program's stack, so an ELF file is executed by the same
   path (run.path) as in later re-executions. A script can see its path, so it gets the path that
   the user gave. */
static int spawn(struct fr_session *s, const char *pool)
{
	const struct {
		int sig;
		void (*old)(int);
	} changed[] = {{SIGPIPE, s->old_pipe}, {SIGXFSZ, s->old_xfsz}, {SIGCHLD, s->old_chld}};
	FR_CLEANUP(fr_freep) char *setting = fr_xasprintf(FR_ENV_POOL "=%s", pool);
	FR_CLEANUP(fr_freep) char **env = fr_spawn_env(environ, setting);
	struct fr_spawn how = {.path = s->script ? s->path : s->run.path,
			       .argv = s->argv,
			       .env = env,
			       .session = s->streams.session,
			       .mask = s->old_mask};

	memcpy(how.stream, s->streams.child, sizeof(how.stream));
	sigemptyset(&how.ignored);
	sigemptyset(&how.defaults);
	for (size_t i = 0; i < fr_array_size(changed); i++)
		sigaddset(changed[i].old == SIG_IGN ? &how.ignored : &how.defaults, changed[i].sig);
	return fr_spawn(&how, &s->child);
}

/* A process has attached: notes its executable and, if it is not the child, a pidfd to wait for. */
static void note_recorded(struct fr_session *s, pid_t pid)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	n = readlink(link, path, sizeof(path));
	if (n > 0 && (size_t)n < sizeof(path))
		s->exe = fr_xstrndup(path, (size_t)n);
	if (pid != s->child)
		s->recorded_fd = (int)syscall(SYS_pidfd_open, pid, 0);
}

#define FEW_BLOCKS 8
#define GATHER_US 1000

static void *drain(void *arg)
{
	struct fr_session *s = arg;

	for (;;) {
		int r = fr_pool_reader_drain(s->pool, s->writer);
		pid_t pid = atomic_load(&s->pool->p->pid);

		fr_peer_file_extend(&s->peers);
		if (r < 0) {
			atomic_store(&s->write_errno, -r);
			fr_pool_reader_stop(s->pool, -r);
			break;
		}
		if (pid > 0 && !s->noted) {
			note_recorded(s, pid);
			atomic_store(&s->noted, true);
		}
		/* Check `stop` after the drain, which reads full_wake: no wake can be missed. */
		if (atomic_load(&s->stop))
			break;
		/* Let blocks gather: each round takes a processor from the program's threads. */
		if (r > 0 && r < FEW_BLOCKS)
			usleep(GATHER_US);
		fr_pool_reader_wait(s->pool, s->noted ? 100 : 2);
	}
	return NULL;
}

/* Runs in the carrier. It must not hold the locks on pool and folder, which show that the recorder
   is alive. */
static void forget(void *arg)
{
	struct fr_session *s = arg;

	fr_run_order_close(&s->ordered);
	fr_peer_file_close(&s->peers);
	fr_pool_reader_free(s->pool);
	fr_writer_free(s->writer);
	fr_closep(&s->signal_fd);
	fr_dir_forget();
}

/* Tells the program where the file is, if its path is short enough. */
static void tell_peers(struct fr_session *s, const char *pool)
{
	size_t n = strlen(pool) - strlen("pool");
	char *to = s->pool->p->peers_file;

	if (s->peers.h && n + sizeof("peers") <= FR_PATH_MAX)
		snprintf(to, FR_PATH_MAX, "%.*speers", (int)n, pool);
}

int fr_session_start(struct fr_session *s, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *relative = fr_session_path(s, "pool");
	FR_CLEANUP(fr_freep) char *absolute = realpath(relative, NULL), *pool = NULL;
	int e;

	fr_assert(s->pool && s->writer && !s->child);
	if (!absolute)
		return fr_err_set(reterr, -errno, "cannot find '%s'", relative);
	pool = fr_pool_padded(absolute);
	tell_peers(s, absolute);
	block_signals(s);
	fflush(NULL);
	e = fr_carrier_fork(&s->streams, forget, s, reterr);
	if (e < 0)
		return e;
	if (s->script) /* processes that the script leaves behind become children of forerun */
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	fr_keeper_start(&s->keeper, s->dir, s->pool->p);
	s->run.aslr = !fr_spawn_fixed();
	e = spawn(s, pool);
	if (e < 0) {
		fr_carrier_kill(&s->streams);
		return fr_err_set(reterr, e, "cannot run '%s'", s->path);
	}
	fr_carrier_go(&s->streams);
	s->draining = pthread_create(&s->drainer, NULL, drain, s) == 0;
	if (!s->draining) {
		atomic_store(&s->write_errno, EAGAIN);
		fr_pool_reader_stop(s->pool, EAGAIN);
	}
	return 0;
}

/* ---- waiting ---- */

static void kill_program(struct fr_session *s, int sig)
{
	pid_t recorded = atomic_load(&s->pool->p->pid);

	fr_assert(s->child > 1); /* else kill would reach other processes */
	if (s->run.exit < 0 && !s->run.signal)
		kill(s->child, sig);
	else if (s->recorded_fd >= 0 && recorded > 0)
		syscall(SYS_pidfd_send_signal, s->recorded_fd, sig, NULL, 0);
}

/* Passes a signal on. The terminal has sent its signals to the program as well, unless the program
   has its own pseudo-terminal. */
static void end_signal(struct fr_session *s, const struct signalfd_siginfo *si)
{
	s->signals++;
	s->run.asked = true;
	if (s->signals > 1)
		kill_program(s, SIGKILL);
	else if (si->ssi_code != SI_KERNEL || s->streams.session)
		kill_program(s, (int)si->ssi_signo);
}

void fr_session_read_signals(struct fr_session *s)
{
	struct signalfd_siginfo si;

	while (read(s->signal_fd, &si, sizeof(si)) == sizeof(si)) {
		switch (si.ssi_signo) {
		case SIGINT:
		case SIGTERM:
		case SIGHUP:
		case SIGQUIT:
			end_signal(s, &si);
			break;
		case SIGWINCH:
			fr_streams_resize(&s->streams);
			break;
		default:
			break;
		}
	}
}

/* Does the program hang? In a fixed order, the controller decides. */
static bool hangs(struct fr_session *s)
{
	if (!s->ordered.c)
		return fr_hang_watch_check(&s->hang, s->pool->p);
	fr_turn_watch_check(&s->ordered.watch, fr_now_ns());
	return atomic_load(&s->ordered.c->phase) == FR_PHASE_HANG;
}

static void end_hang(struct fr_session *s)
{
	pid_t pid = atomic_load(&s->pool->p->pid);

	s->run.hang = true;
	fr_say("all threads of the program wait for each other for ever: forerun ends it");
	if (pid == s->child)
		kill(s->child, SIGKILL);
	else if (s->recorded_fd >= 0)
		syscall(SYS_pidfd_send_signal, s->recorded_fd, SIGKILL, NULL, 0);
}

/* Ends a service when its time is up. */
static void end_service(struct fr_session *s)
{
	int sig = fr_service_check(&s->service, &s->peers, atomic_load(&s->pool->p->pid));

	if (!sig)
		return;
	s->run.asked = true;
	kill_program(s, sig);
}

/* Like poll; meanwhile watches the turns of a run in a fixed order, and ends a run that hangs. */
static int wait_for(struct fr_session *s, struct pollfd *f, nfds_t n, int ms)
{
	int step = s->ordered.c ? FR_TURN_SAMPLE_MS : FR_HANG_SAMPLE_MS;

	for (int waited = 0; ms < 0 || waited < ms; waited += step) {
		int r = poll(f, n, step);

		if (r)
			return r;
		if (!s->run.hang && hangs(s))
			end_hang(s);
		end_service(s);
	}
	return 0;
}

/* Returns true once the child has ended. */
static bool reap(struct fr_session *s)
{
	int status;
	pid_t pid = waitpid(s->child, &status, WNOHANG);

	if (!pid)
		return false;
	if (pid < 0)
		s->run.signal = SIGKILL; /* reaped elsewhere: cannot happen, but do not hang */
	else if (WIFEXITED(status))
		s->run.exit = WEXITSTATUS(status);
	else
		s->run.signal = WTERMSIG(status);
	fr_assert((s->run.exit >= 0) != (s->run.signal > 0));
	return true;
}

#define ATTACH_MS 3000

/*
 * A script can end before a program that it left in the background has attached. As long as
 * processes of the script exist, one of them may attach.
 */
static void wait_attach(struct fr_session *s)
{
	for (int i = 0; s->script && i < ATTACH_MS && !atomic_load(&s->pool->p->pid); i++) {
		pid_t pid;

		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		fr_session_read_signals(s);
		if (pid < 0 || s->signals)
			return;
		usleep(1000);
	}
	for (int i = 0; i < 1000 && atomic_load(&s->pool->p->pid) && !atomic_load(&s->noted); i++)
		usleep(1000);
}

/* Waits for the recorded process, which outlives the child if a script leaves it behind. */
static void wait_recorded(struct fr_session *s)
{
	struct pollfd f[2] = {{.fd = s->signal_fd, .events = POLLIN}, {.events = POLLIN}};
	bool printed = false;

	wait_attach(s);
	if (s->recorded_fd < 0)
		return;
	f[1].fd = s->recorded_fd;
	for (;;) {
		int r = wait_for(s, f, 2, printed ? -1 : 1000);

		if (r > 0 && f[1].revents)
			return;
		if (r > 0) {
			unsigned before = s->signals;

			fr_session_read_signals(s);
			if (s->signals > before && before) {
				s->cut = poll(&f[1], 1, 500) == 0;
				return;
			}
		}
		if (!r && !printed) {
			printed = true;
			fr_say("waiting for the recorded process %d, which is still running",
			       (int)atomic_load(&s->pool->p->pid));
		}
	}
}

void fr_session_wait(struct fr_session *s)
{
	struct pollfd f = {.fd = s->signal_fd, .events = POLLIN};
	uint64_t start = fr_now_ns();

	fr_assert(s->child > 0 && s->run.exit < 0 && !s->run.signal);
	while (!reap(s)) {
		wait_for(s, &f, 1, -1);
		fr_session_read_signals(s);
	}
	wait_recorded(s);
	/* A timer without a handler ended threads that waited for each other. */
	if (s->ordered.c && s->ordered.c->stalled && s->run.signal == SIGALRM)
		s->run.hang = true;
	s->run.record_s = (double)(fr_now_ns() - start) / 1e9;
}

void fr_session_clear(struct fr_session *s)
{
	fr_keeper_stop(&s->keeper);
	fr_streams_restore(&s->streams);
	fr_writer_free(s->writer);
	fr_run_order_close(&s->ordered);
	fr_peer_file_close(&s->peers);
	fr_pool_reader_free(s->pool);
	fr_sites_free(s->sites);
	fr_initial_free(s->initial);
	fr_run_clear(&s->run);
	fr_closep(&s->signal_fd);
	fr_closep(&s->recorded_fd);
	free(s->dir);
	free(s->path);
	free(s->exe);
}
