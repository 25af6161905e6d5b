/*
 * input_run RUN [ARGUMENTS]: runs the program of a run folder under an empty schedule, one thread
 * at a time, with the answers that the recorded run got from outside. ARGUMENTS: instead of the
 * recorded ones. Its standard streams are ours; prints on standard error the number of answers that
 * were not as recorded, and which was the first. Exits as the program does; 99 if it did not come
 * to its end.
 */
#include "base/io.h"
#include "format/control_file.h"
#include "trace/inputs.h"
#include "trace/pool_reader.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT 60 /* seconds; a program that hangs is a failure */

static __attribute__((noreturn)) void die(const char *what)
{
	fprintf(stderr, "input_run: %s\n", what);
	exit(99);
}

static struct fr_control_file *make_control(const struct fr_trace *t, const char *path)
{
	size_t threads = sizeof(struct fr_control_file), inputs;
	struct fr_control_file_thread k[t->thread.n];
	struct fr_buf b = {0};
	struct fr_control_file *c;
	struct fr_err e;
	int fd;

	for (size_t i = 0; i < t->thread.n; i++) {
		const struct fr_trace_thread *th = &t->thread.v[i];

		k[i] = (struct fr_control_file_thread){.parent = th->parent - 1, .nth = th->nth};
		k[i].input = b.n;
		if (fr_inputs_collect(t, th, &b, &e) < 0)
			die(e.msg);
		k[i].ninput = b.n - k[i].input;
	}
	inputs = threads + sizeof(k);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)(inputs + b.n)) < 0)
		die("no control file");
	c = mmap(NULL, inputs + b.n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (c == MAP_FAILED)
		die("cannot map the control file");
	close(fd);
	c->magic = FR_CONTROL_FILE_MAGIC;
	c->version = FR_CONTROL_FILE_VERSION;
	c->size = inputs + b.n;
	c->quantum = 1000;
	c->nthreads = (uint32_t)t->thread.n;
	c->ninput = b.n;
	c->threads_off = c->turns_off = c->expect_off = threads;
	c->input_off = inputs;
	memcpy(fr_control_file_threads(c), k, sizeof(k));
	if (b.n)
		memcpy(fr_control_file_inputs(c), b.s, b.n);
	fr_buf_free(&b);
	return c;
}

static int run(const char *path, char **argv, const char *pool)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		alarm(LIMIT);
		setenv(FR_ENV_POOL, pool, 1);
		execv(path, argv);
		_exit(99);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		die("cannot run the program");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/forerun-input.XXXXXX", pool[64], control[64];
	struct fr_pool_reader *f;
	struct fr_control_file *c;
	struct fr_trace *t;
	struct fr_err e;
	char **args;
	int status;

	if (argc < 2 || !mkdtemp(dir))
		die("usage: input_run RUN [ARGUMENTS]");
	snprintf(pool, sizeof(pool), "%s/pool", dir);
	snprintf(control, sizeof(control), "%s/control", dir);
	if (fr_trace_open(argv[1], &t, &e) < 0 || fr_pool_reader_create(pool, "", 64, &f, &e) < 0)
		die(e.msg);
	c = make_control(t, control);
	strcpy(f->p->control_file, control);
	f->p->discard = 1;
	args = fr_xcalloc(t->run.args.n + (size_t)argc + 2, sizeof(*args));
	args[0] = t->run.program;
	for (size_t i = 0; argc == 2 && i < t->run.args.n; i++)
		args[i + 1] = t->run.args.v[i];
	for (int i = 2; i < argc; i++)
		args[i - 1] = argv[i];
	status = run(t->run.path, args, pool);
	fprintf(stderr, "differ %u", c->inputs_differ);
	if (c->inputs_differ)
		fprintf(stderr, ", first: what %u hook %llu expected %lld seen %lld",
			c->input_seen.kind, (unsigned long long)c->input_seen.hook,
			(long long)c->input_seen.addr, (long long)c->input_seen.value);
	fprintf(stderr, "\n");
	if (c->phase != FR_PHASE_MET && c->phase != FR_PHASE_ENDED)
		status = 99;
	unlink(control);
	unlink(pool);
	rmdir(dir);
	fr_pool_reader_free(f);
	fr_trace_free(t);
	free(args);
	return status;
}
