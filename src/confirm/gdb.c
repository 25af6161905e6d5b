/*
 * A schedule under gdb. gdb starts the program through `forerun exec-recorded` (fr_launch_become),
 * so that it has the recorded environment, folder and input. gdb's own additions to the environment
 * would move the stack.
 *
 * The runtime hides a parked thread from itself, so functions that gdb calls in such a thread count
 * no hooks. After that, at the user's own breakpoints, `print` and `call` restore the hook count
 * around their call, and no other thread runs meanwhile, as the thread with the turn would. gdb's
 * number of a thread is its number in the pool, unless the program has unrecorded threads.
 *
 * Not handled: functions called in other ways (a breakpoint's condition) after the targets.
 */
#include "confirm/gdb.h"
#include "base/assert.h"
#include "base/escape.h"
#include "base/io.h"
#include "format/pool.h"
#include "trace/pool_reader.h"
#include "trace/trace.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char call_hooks[] =
    "define hook-%s\n"
    "if $_thread\n"
    "set scheduler-locking on\n"
    "set $forerun_hook = frt_ctl_threads[$_thread - 1].t->hook\n"
    "set $forerun_limit = frt_ctl_threads[$_thread - 1].t->limit\n"
    "set variable frt_ctl_threads[$_thread - 1].t->limit = ~0ul\n"
    "end\nend\n"
    "define hookpost-%s\n"
    "if $_thread\n"
    "set scheduler-locking off\n"
    "set variable frt_ctl_threads[$_thread - 1].t->hook = $forerun_hook\n"
    "set variable frt_ctl_threads[$_thread - 1].t->limit = $forerun_limit\n"
    "end\nend\n";

/* Writes s in single quotes, for the shell with which gdb starts programs. */
static void put_quoted(struct fr_buf *b, const char *s)
{
	fr_buf_printf(b, "'");
	for (; *s; s++)
		if (*s == '\'')
			fr_buf_printf(b, "'\\''");
		else
			fr_buf_printf(b, "%c", *s);
	fr_buf_printf(b, "'");
}

static void write_script(struct fr_buf *b, const struct fr_prover *p, const char *self,
			 const char *pool)
{
	FR_CLEANUP(fr_freep) char *dir = realpath(p->dir, NULL);

	fr_buf_printf(b, "set confirm off\n"
			 "set breakpoint pending on\n"
			 "set disable-randomization on\n"
			 "set print thread-events off\n"
			 "set debuginfod enabled off\n"
			 "set exec-wrapper ");
	put_quoted(b, self);
	fr_buf_printf(b, " exec-recorded ");
	put_quoted(b, pool);
	fr_buf_printf(b, " ");
	put_quoted(b, dir ? dir : p->dir);
	fr_buf_printf(b, " ");
	put_quoted(b, p->token);
	fr_buf_printf(b, "\ntbreak forerun_targets_meet\n"
			 "tbreak forerun_cannot_go_on\n");
}

/* gdb's commands once the threads exist. Each is a separate command, so that a failure does not
   prevent the next one. */
struct args {
	FR_VEC(char *) v;
};

static void add(struct args *a, const char *option, char *value)
{
	fr_vec_push(&a->v, fr_xstrdup(option));
	fr_vec_push(&a->v, value);
}

/* The folder is not trusted: keep gdb from running scripts beside the program. */
static void keep_scripts_out(struct args *a)
{
	static const char *const kinds[] = {"gdb-scripts", "python-scripts", "guile-scripts",
					    "local-gdbinit"};

	for (size_t i = 0; i < fr_array_size(kinds); i++)
		add(a, "-iex", fr_xasprintf("set auto-load %s off", kinds[i]));
}

/* Could the name end a gdb command, or act on the terminal? */
static bool odd(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return true;
	return false;
}

static void add_views(struct args *a, const struct fr_prover *p, const struct fr_control_file *c)
{
	fr_assert(c->ntargets <= FR_CONTROL_FILE_TARGETS); /* the program does not run yet */
	for (uint32_t i = 0; i < c->ntargets; i++) {
		const struct fr_control_file_expect *x = &c->target[i];
		struct fr_site_info info = fr_sites_get(p->trace->sites, x->site);
		FR_CLEANUP(fr_buf_free) struct fr_buf position = {0};

		fr_explain_position(p->trace->sites, x->site, &position);
		fr_escape_from(&position, 0);
		add(a, "-ex",
		    fr_xasprintf("echo \\nforerun: next: %s at %.*s\\n", fr_event_name(x->kind),
				 (int)position.n, position.s));
		add(a, "-ex", fr_xasprintf("set $forerun_thread = frt_ctl->met[%u].id", i));
		add(a, "-ex", fr_xstrdup("thread $forerun_thread"));
		if (*info.function && !odd(info.function))
			add(a, "-ex", fr_xasprintf("frame function %s", info.function));
		if (*info.file && info.line && !odd(info.file))
			add(a, "-ex",
			    fr_xasprintf("list %s:%u,%u", info.file, info.line, info.line));
	}
}

/* Enters a box, in the same folder. Returns 0 or an errno. */
static int enter_box(const struct fr_box *box)
{
	FR_CLEANUP(fr_freep) char *here = box ? getcwd(NULL, 0) : NULL;
	int r = box ? fr_box_enter(box) : 0;

	if (!r && here && chdir(here) < 0)
		r = -errno;
	return -r;
}

/* Runs gdb, which owns the terminal and handles interrupts, and waits for it. */
static int run_gdb(struct args *a, const struct fr_box *box, struct fr_err *reterr)
{
	void (*old)(int) = signal(SIGINT, SIG_IGN);
	int status = 0, failed[2], e = 0;
	pid_t tool = getpid(), pid;

	fr_vec_push(&a->v, NULL);
	if (pipe2(failed, O_CLOEXEC) < 0)
		return fr_err_set(reterr, -errno, "cannot create a pipe");
	pid = fork();
	if (!pid) {
		signal(SIGINT, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		signal(SIGHUP, SIG_DFL); /* under nohup, gdb would not notice our end */
		setenv("SHELL", "/bin/sh", 1);
		/* Without forerun there is nothing to debug. gdb then ends the program. */
		if (prctl(PR_SET_PDEATHSIG, SIGHUP) == 0 && getppid() != tool)
			_exit(1);
		e = enter_box(box);
		if (!e) {
			execvp(a->v.v[0], a->v.v);
			e = errno;
		}
		_exit(write(failed[1], &e, sizeof(e)) < 0 ? 126 : 127);
	}
	close(failed[1]);
	if (pid > 0 && read(failed[0], &e, sizeof(e)) != sizeof(e))
		e = 0;
	close(failed[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	signal(SIGINT, old);
	if (pid < 0)
		return fr_err_set(reterr, -errno, "cannot start a process");
	if (e == ENOENT)
		return fr_err_say(reterr, -ENOENT,
				  "cannot find gdb in PATH: install it (apt install gdb)");
	return e ? fr_err_set(reterr, -e, "cannot run gdb") : 0;
}

/* gdb ends the program, but neither its children nor detached processes. */
static void end_program(const char *pool)
{
	FR_CLEANUP(fr_freep) char *padded = fr_pool_padded(pool);
	FR_CLEANUP(fr_freep) char *setting = fr_xasprintf(FR_ENV_POOL "=%s", padded);

	fr_orphans_end(setting);
	fr_orphans_sweep(setting);
}

static int with_files(struct fr_prover *p, struct fr_control_file_handle *f, const char *self,
		      struct args *a, struct fr_err *reterr)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf script = {0}, hooks = {0};
	FR_CLEANUP(fr_closep) int pool_fd = -1, script_fd = -1, hooks_fd = -1;
	char pool_path[64], script_path[64], hooks_path[64];
	struct fr_pool *pool;
	int r = fr_execution_pool(p->start.run, f->path, 0, &pool, &pool_fd, pool_path, reterr);

	if (r < 0)
		return r;
	write_script(&script, p, self, pool_path);
	fr_buf_printf(&hooks, call_hooks, "print", "print");
	fr_buf_printf(&hooks, call_hooks, "call", "call");
	r = fr_io_memory("forerun-gdb", 0, &script_fd, script_path, reterr);
	if (!r)
		r = fr_io_memory("forerun-gdb-calls", 0, &hooks_fd, hooks_path, reterr);
	if (!r)
		r = fr_io_write_all(script_fd, script.s, script.n, NULL);
	if (!r)
		r = fr_io_write_all(hooks_fd, hooks.s, hooks.n, NULL);
	if (!r) {
		fr_vec_push(&a->v, fr_xstrdup("gdb"));
		fr_vec_push(&a->v, fr_xstrdup("-q"));
		if (strncmp(p->token, "all:", 4) != 0)
			keep_scripts_out(a);
		add(a, "-x", fr_xstrdup(script_path));
		add(a, "-ex", fr_xstrdup("run"));
		add(a, "-ex", fr_xasprintf("source %s", hooks_path));
		add_views(a, p, f->c);
		fr_vec_push(&a->v, fr_xstrdup(p->start.run->path));
		r = run_gdb(a, p->start.box, reterr);
		end_program(pool_path);
	}
	munmap(pool, FR_POOL_BLOCKS_OFF);
	return r;
}

/* Did the targets meet? A failure has none: it happens in the last turn or after it. */
static bool met(const struct fr_control_file *c)
{
	if (!c->ntargets)
		return c->phase != FR_PHASE_DIVERGED && c->turn + 1 >= c->nturns;
	return c->met[c->ntargets - 1].hook != 0;
}

int fr_gdb(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped, bool others,
	   const char *self, bool *ret_met, struct fr_err *reterr)
{
	struct fr_control_file_how file_how = {
	    .swapped = swapped, .then = others ? FR_THEN_OTHERS : FR_THEN_GO_ON, .debugger = true};
	FR_CLEANUP(fr_freep) char *dir = realpath(p->dir, NULL);
	struct fr_control_file_handle file = {0};
	struct args a = {0};
	int r;

	if (odd(dir ? dir : p->dir) || odd(self)) /* both appear in a script */
		return fr_err_say(
		    reterr, -EINVAL,
		    "cannot run gdb: the name of a folder contains control characters");
	r = fr_control_file_build(s, &p->recorded, &file_how, &file, reterr);

	if (r < 0)
		return r;
	fr_control_file_add_world(file.c, &p->trace->run,
				  1e9); /* the user decides how long it waits */
	r = with_files(p, &file, self, &a, reterr);
	fr_control_file_take(&file);
	if (!r)
		*ret_met = met(file.c);
	FR_VEC_FOREACH (x, &a.v)
		free(*x);
	fr_vec_free(&a.v);
	fr_control_file_free(&file);
	return r;
}
