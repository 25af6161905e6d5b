/*
 * One re-execution. The watcher sleeps until the process ends or a stream needs service. It looks
 * at the phase after a millisecond at first, and then after a tenth of the time that has passed, so
 * that it notices short runs at once and costs long ones nothing.
 *
 * process/turn_watch.h notices a thread that waits for something outside, and lets other threads
 * continue. If nothing moves for a while even then, the watcher gives up.
 */
#include "confirm/execution.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/term.h"
#include "confirm/end_orphans.h"
#include "confirm/terminal_input.h"
#include "format/pool.h"
#include "process/ghost.h"
#include "process/turn_watch.h"
#include "trace/pool_reader.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_NS UINT64_C(1000000000) /* give up after this time without any progress */
/* Processor time that a turn may take: a share of the limit (at most SPIN_NS and twice the recorded
   run) plus twice the recorded run. A longer limit gives a loaded machine more time, but not a
   thread that loops. */
#define SPIN_SHARE 10
#define SPIN_NS UINT64_C(1000000000)
#define FLOOD (UINT64_C(256) << 20) /* bytes of output */
#define BLOCKS 1024u /* of events, if they are judged: 2.7 million slots, memory once used */

struct watch {
	const struct fr_launch *s;
	const struct fr_execution_how *how;
	struct fr_launched p;
	struct fr_control_file *c;
	struct fr_pool *pool;
	uint32_t blocks; /* of the pool */
	int pool_fd;
	struct fr_ghost_file_handle ghost_file;
	pid_t ghost; /* 0: none */
	uint64_t start, limit;
	/* input */
	struct fr_mapped input;
	size_t fed;
	struct fr_typing typing;
	off_t passed[2];
	bool prints; /* it prints much at a time */
	struct fr_turn_watch turns;
	/* processor time at which the present turn began */
	uint64_t turn_began, turn, turn_switches, spin;
};

/* ---- the pool ---- */

/* Puts all blocks into the free list. */
static void link_blocks(struct fr_pool *p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		atomic_store(&fr_pool_block(p, i)->next, i + 1 < n ? i + 2 : 0);
	atomic_store(&p->free_list, 1);
	atomic_store(&p->reserved, n);
}

int fr_execution_pool(const struct fr_run *run, const char *control_file, uint32_t blocks,
		      struct fr_pool **ret, int *ret_fd, char path[64], struct fr_err *reterr)
{
	size_t size = fr_execution_pool_size(blocks);
	struct fr_pool *p;
	int fd, r = fr_io_memory("forerun-pool", size, &fd, path, reterr);

	if (r < 0)
		return r;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) {
		r = fr_err_set(reterr, -errno, "cannot map the pool");
		close(fd);
		return r;
	}
	fr_assert(strlen(control_file) < sizeof(p->control_file));
	snprintf(p->options, sizeof(p->options), "%s", run->options);
	snprintf(p->control_file, sizeof(p->control_file), "%s", control_file);
	p->version = FR_POOL_VERSION;
	p->discard = !blocks;
	p->judged = blocks > 0;
	if (blocks)
		link_blocks(p, blocks);
	p->recorder = getpid();
	p->magic = FR_POOL_MAGIC;
	*ret = p;
	*ret_fd = fd;
	return 0;
}

/* Builds creation paths from parents and numbers. Trusts nothing that the program wrote. */
static void name_threads(const struct fr_pool *p, struct fr_execution *r)
{
	const struct fr_pool_thread *t = fr_pool_threads((struct fr_pool *)p);
	uint32_t n = fr_pool_thread_count(p);

	for (uint32_t i = 0; i < n; i++) {
		char *path = NULL;

		if (t[i].id == 1)
			path = fr_xstrdup("0");
		else if (t[i].id == i + 1 && t[i].parent && t[i].parent <= i &&
			 r->thread.v[t[i].parent - 1])
			path = fr_xasprintf("%s.%u", r->thread.v[t[i].parent - 1], t[i].nth);
		fr_vec_push(&r->thread, path);
		fr_vec_push(&r->hooks, t[i].hook);
	}
}

const char *fr_execution_thread(const struct fr_execution *r, uint32_t id)
{
	return id && id <= r->thread.n ? r->thread.v[id - 1] : NULL;
}

const char *fr_execution_thread_text(const struct fr_execution *r, uint32_t id)
{
	const char *path = fr_execution_thread(r, id);

	return path ? path : "?";
}

uint64_t fr_execution_hooks(const struct fr_execution *r, const char *path)
{
	fr_assert(r->hooks.n == r->thread.n);
	for (uint32_t i = 0; i < r->hooks.n; i++)
		if (r->thread.v[i] && !strcmp(r->thread.v[i], path))
			return r->hooks.v[i];
	return 0;
}

/* ---- streams ---- */

static void feed(struct watch *w)
{
	fr_assert(w->fed <= w->input.n);
	while (w->p.in >= 0 && w->fed < w->input.n) {
		ssize_t k = write(w->p.in, w->input.p + w->fed, w->input.n - w->fed);

		if (k < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (k < 0)
			break; /* nobody reads it any more */
		w->fed += (size_t)k;
	}
	fr_closep(&w->p.in);
}

/* Copies new output from a file to one of our streams. */
static void pass(struct watch *w, int from, int to, off_t *at)
{
	char buf[65536];
	ssize_t n;

	while (w->how->pass && from >= 0 && (n = pread(from, buf, sizeof(buf), *at)) > 0) {
		*at += n;
		if (fr_io_write_all(to, buf, (size_t)n, NULL) < 0)
			return;
	}
}

static void carry(struct watch *w)
{
	w->prints = fr_launched_drain(&w->p);
	pass(w, w->p.out, STDOUT_FILENO, &w->passed[0]);
	pass(w, w->p.err, STDERR_FILENO, &w->passed[1]);
}

static bool flooded(const struct watch *w)
{
	struct stat o = {0}, e = {0};

	fstat(w->p.out, &o);
	if (w->p.err >= 0)
		fstat(w->p.err, &e);
	return (uint64_t)o.st_size + (uint64_t)e.st_size > FLOOD;
}

/* ---- a thread that makes no progress ---- */

/* True: nothing has moved for so long that nothing will. */
static bool stuck(struct watch *w, uint64_t now)
{
	return fr_turn_watch_check(&w->turns, now) > GRACE_NS &&
	       atomic_load(&w->c->phase) < FR_PHASE_MET;
}

/* Returns the processor time that the program has used, 0 = unknown. */
static uint64_t used(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/*
 * True: a thread computes without reaching the end of its turn. It waits in a loop for another
 * thread, which does not run before the turn ends: the loop has no hook that names the other
 * thread, or it asks the kernel (a lock file). Processor time does not depend on the load of the
 * machine, and the recorded run needed less of it for all its turns together.
 */
static bool spins(struct watch *w)
{
	uint32_t phase = atomic_load(&w->c->phase);
	uint64_t turn = atomic_load(&w->c->turn) << 8 | phase,
		 switches = atomic_load(&w->c->switches), now;

	if (phase == FR_PHASE_NEW || phase >= FR_PHASE_MET)
		return false;
	now = used(atomic_load(&w->pool->pid));
	if (turn != w->turn || switches != w->turn_switches) {
		w->turn = turn;
		w->turn_switches = switches;
		w->turn_began = now;
	}
	return now > w->turn_began && now - w->turn_began > w->spin;
}

/* Returns the thread that has the turn, or one that lost it. */
static uint32_t waiting_thread(const struct watch *w)
{
	uint32_t n = fr_pool_thread_count(w->pool);

	for (uint32_t i = 0; !w->turns.current && i < n; i++)
		if (atomic_load(&w->c->status[i]) == FR_CTL_AWAY)
			return i + 1;
	return w->turns.current;
}

/* Does a thread that has the turn, or lost it, ask for input? */
static struct fr_typing_seen look_for_question(const struct watch *w)
{
	pid_t pid = atomic_load(&w->pool->pid);
	uint32_t n = fr_pool_thread_count(w->pool), current = atomic_load(&w->c->current);
	struct fr_typing_seen seen = {.unread = fr_typing_unread(w->p.slave)};

	seen.where = atomic_load(&w->c->switches) << 32 | atomic_load(&w->c->phase);
	if (!pid) /* a script, before it has started the program */
		seen.asks = fr_thread_asks(w->p.pid, (uint32_t)w->p.pid, w->p.slave);
	for (uint32_t i = 0; pid && i < n; i++) {
		const struct fr_pool_thread *t = &fr_pool_threads(w->pool)[i];
		const uint32_t tid = t->os_tid; /* 0: the thread has only begun to register */

		if (!tid || (i + 1 != current && atomic_load(&w->c->status[i]) != FR_CTL_AWAY))
			continue;
		seen.where += t->hook;
		seen.asks = fr_max(seen.asks, fr_thread_asks(pid, tid, w->p.slave));
	}
	return seen;
}

static void type(struct watch *w)
{
	const struct fr_typing_seen seen = look_for_question(w);

	fr_typing_check(&w->typing, w->p.slave, w->p.master, &seen);
}

/* The runtime reports a hang. It is none if an orphaned process of the program lives, because that
   may still end a wait. */
static void check_hang(struct watch *w)
{
	if (!fr_orphans_alive(w->p.setting, w->p.pid))
		return;
	atomic_fetch_or(&w->c->outside, FR_OUTSIDE_CHILD);
	atomic_store(&w->c->phase, FR_PHASE_OUTSIDE);
}

/* ---- watching ---- */

static int patience_ms(uint64_t spent, bool soon)
{
	uint64_t ms = spent / 10000000, most = soon ? 2 : 20;

	return ms < 1 ? 1 : ms > most ? (int)most : (int)ms;
}

static enum fr_ended watch(struct watch *w, uint32_t *ret_outside)
{
	fr_assert(w->p.pid > 0 && w->pool && w->c);
	for (;;) {
		bool typing = w->p.slave >= 0 && !w->typing.over;
		struct pollfd f[3] = {{.fd = w->p.pidfd, .events = POLLIN},
				      {.fd = w->p.in, .events = POLLOUT},
				      {.fd = w->p.master, .events = POLLIN}};
		uint64_t now = fr_now_ns();
		uint32_t phase;

		if (poll(f, 3, patience_ms(now - w->start, typing || w->prints)) < 0 &&
		    errno != EINTR)
			return FR_ENDED_STOP;
		now = fr_now_ns();
		phase = atomic_load(&w->c->phase);
		if (fr_ghost_gone(w->ghost))
			fr_ghost_file_fail(&w->ghost_file);
		if (f[1].revents)
			feed(w);
		carry(w);
		if (typing)
			type(w);
		if (f[0].revents)
			return FR_ENDED_ITSELF;
		if (phase == FR_PHASE_HANG)
			check_hang(w);
		if (phase == FR_PHASE_DIVERGED || phase == FR_PHASE_HANG ||
		    phase == FR_PHASE_OUTSIDE || phase == FR_PHASE_PLACED)
			return FR_ENDED_PHASE;
		if (w->how->stop && atomic_load(w->how->stop))
			return FR_ENDED_STOP;
		if (now - w->start > w->limit)
			return FR_ENDED_LIMIT;
		if (flooded(w))
			return FR_ENDED_FLOOD;
		if (stuck(w, now)) {
			*ret_outside = waiting_thread(w);
			return FR_ENDED_OUTSIDE;
		}
		if (spins(w)) {
			*ret_outside = atomic_load(&w->c->current);
			return FR_ENDED_SPIN;
		}
		if (f[2].revents & POLLHUP && !(f[2].revents & POLLIN))
			fr_closep(&w->p.master);
	}
}

/* Writes the events that are left in the pool to the trace that the caller wants. */
static int write_trace(struct watch *w, struct fr_execution *r)
{
	struct fr_pool_reader left = {.fd = w->pool_fd, .p = w->pool, .reserved = w->blocks};
	bool stopped = atomic_load(&w->pool->state) == FR_POOL_STOPPED;
	struct fr_writer *writer;
	int e = fr_writer_create(w->how->events, w->s->run->run_id, &writer, NULL);

	if (e < 0)
		return e;
	fr_pool_reader_finish(&left, writer);
	e = fr_writer_flush(writer);
	if (!e)
		e = fr_writer_end(writer, fr_pool_threads(w->pool), fr_pool_thread_count(w->pool),
				  0);
	r->trace = fr_writer_stats(writer);
	r->traced = !e && !stopped && !left.damaged;
	fr_writer_free(writer);
	return e;
}

static void finish(struct watch *w, struct fr_execution *r)
{
	int status = fr_launched_end(&w->p);

	fr_ghost_stop(w->ghost);
	r->exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	fr_assert((r->exit >= 0) != (r->signal > 0));
	if (r->ended != FR_ENDED_ITSELF && r->signal == SIGKILL)
		r->signal = 0;
	r->attached = atomic_load(&w->pool->pid) != 0 && atomic_load(&w->c->phase) != FR_PHASE_NEW;
	pass(w, w->p.out, STDOUT_FILENO, &w->passed[0]);
	pass(w, w->p.err, STDERR_FILENO, &w->passed[1]);
	name_threads(w->pool, r);
	if (w->how->events && r->attached)
		write_trace(w, r);
	fr_control_file_take(&r->file);
	r->typed = w->typing.at;
	fr_assert(r->thread.n == r->hooks.n && r->typed <= w->input.n);
	r->out = w->p.out;
	r->err = w->p.err;
	r->seconds = (double)(fr_now_ns() - w->start) / 1e9;
}

/* Without a ghost, the program notices that it is missing. */
static void start_ghost(struct watch *w)
{
	struct fr_ghost_how how = {.program = w->p.pidfd,
				   .user = w->s->box && w->s->box->user,
				   .file = w->ghost_file.fd,
				   .peers = w->s->ghosts->peers.fd};
	int e = fr_ghost_start(&how, &w->ghost);

	if (e < 0) {
		fr_debug(FR_DEBUG_CONFIRM, "no ghost: %s", strerror(-e));
		fr_ghost_file_fail(&w->ghost_file);
	}
}

static int run(struct watch *w, struct fr_execution *r, struct fr_err *reterr)
{
	uint64_t twice = (uint64_t)(2e9 * w->s->run->record_s);
	char pool[64];
	int e;

	w->blocks = w->how->events ? BLOCKS : 0;
	e = fr_execution_pool(w->s->run, r->file.path, w->blocks, &w->pool, &w->pool_fd, pool,
			      reterr);
	if (e < 0)
		return e;
	if (w->s->input) {
		e = fr_dir_map(w->s->input, &w->input, reterr);
		if (e < 0)
			return e;
	}
	w->typing = (struct fr_typing){.s = (const char *)w->input.p, .n = w->input.n};
	w->turns = (struct fr_turn_watch){.c = w->c, .pool = w->pool};
	if (w->s->ghosts) {
		e = fr_ghost_file_build(w->s->ghosts, &r->file, &w->ghost_file, reterr);
		if (e < 0)
			return e;
		snprintf(w->pool->ghost_file, sizeof(w->pool->ghost_file), "%s",
			 w->ghost_file.path);
	}
	w->start = fr_now_ns();
	w->limit = (uint64_t)(w->how->limit * 1e9);
	w->spin = fr_min(w->limit / SPIN_SHARE, SPIN_NS + twice) + twice;
	e = fr_launch(w->s, pool,
		      (int[]){w->pool_fd, r->file.fd, w->ghost_file.g ? w->ghost_file.fd : -1},
		      &w->p, reterr);
	if (e < 0)
		return e;
	if (w->s->ghosts)
		start_ghost(w);
	r->ended = watch(w, &r->outside);
	finish(w, r);
	return 0;
}

int fr_execution_run(const struct fr_launch *s, struct fr_control_file_handle *file,
		     const struct fr_execution_how *how, struct fr_execution *ret,
		     struct fr_err *reterr)
{
	struct watch w = {.s = s, .how = how, .c = file->c, .pool_fd = -1};
	struct fr_execution r = {.file = *file, .exit = -1, .out = -1, .err = -1};
	int e;

	fr_assert(file->c && file->fd >= 0);
	*file = (struct fr_control_file_handle){0};
	e = run(&w, &r, reterr);
	if (w.pool)
		munmap(w.pool, fr_execution_pool_size(w.blocks));
	fr_closep(&w.pool_fd);
	fr_ghost_file_free(&w.ghost_file);
	fr_io_unmap(&w.input);
	if (e < 0)
		fr_execution_free(&r);
	else
		*ret = r;
	return e;
}

void fr_execution_free(struct fr_execution *r)
{
	fr_control_file_free(&r->file);
	FR_VEC_FOREACH (t, &r->thread)
		free(*t);
	fr_vec_free(&r->thread);
	fr_vec_free(&r->hooks);
	fr_closep(&r->out);
	fr_closep(&r->err);
}
