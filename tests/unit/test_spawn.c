/* Starting a program: its streams, signals, environment and folder, and errors. */
#include "fixture.h"
#include "base/mem.h"
#include "process/spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *no_env[] = {NULL};

/* Runs a program with its output in a pipe. Returns the output, which the next call overwrites. */
static const char *output(struct fr_spawn *s, int *ret_status)
{
	static char text[4096];
	size_t n = 0;
	ssize_t k;
	int p[2];
	pid_t pid;

	assert_int_equal(pipe2(p, O_CLOEXEC), 0);
	s->stream[1] = p[1];
	assert_int_equal(fr_spawn(s, &pid), 0);
	close(p[1]);
	while ((k = read(p[0], text + n, sizeof(text) - 1 - n)) > 0)
		n += (size_t)k;
	close(p[0]);
	text[n] = 0;
	assert_int_equal(waitpid(pid, ret_status, 0), pid);
	return text;
}

static struct fr_spawn shell(char **argv)
{
	struct fr_spawn s = {
	    .path = "/bin/sh", .argv = argv, .env = no_env, .stream = {-1, -1, STDERR_FILENO}};

	sigemptyset(&s.mask);
	sigemptyset(&s.ignored);
	sigemptyset(&s.defaults);
	return s;
}

static void arguments_folder_and_status(void **state)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)"pwd; echo $0 $1; exit 3",
			(char *)"a",  (char *)"b",  NULL};
	struct fr_spawn s = shell(argv);
	int status;

	(void)state;
	s.dir = "/";
	assert_string_equal(output(&s, &status), "/\na b\n");
	assert_int_equal(WEXITSTATUS(status), 3);
}

static void the_error_of_exec_is_returned(void **state)
{
	char *argv[] = {(char *)"x", NULL};
	struct fr_spawn s = shell(argv);
	pid_t pid = -1;

	(void)state;
	s.path = "/does/not/exist";
	assert_int_equal(fr_spawn(&s, &pid), -ENOENT);
	s.path = "/";
	assert_int_equal(fr_spawn(&s, &pid), -EACCES);
	s.path = "/bin/sh";
	s.dir = "/does/not/exist";
	assert_int_equal(fr_spawn(&s, &pid), -ENOENT);
	assert_int_equal(pid, -1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nothing is left */
}

static void a_file_without_format_is_a_script(void **state)
{
	char path[] = "/tmp/forerun-spawn.XXXXXX", *argv[] = {(char *)"script", (char *)"x", NULL};
	struct fr_spawn s = shell(argv);
	int fd = mkstemp(path), status;

	(void)state;
	assert_int_equal(write(fd, "echo script $1\n", 15), 15);
	fchmod(fd, 0700);
	close(fd);
	s.path = path;
	assert_string_equal(output(&s, &status), "script x\n");
	unlink(path);
}

/* The streams may be given by each other's numbers, and closed streams are closed. */
static void streams_are_placed(void **state)
{
	char *argv[] = {(char *)"sh", (char *)"-c",
			(char *)"for i in 0 1 2; do test -e /proc/$$/fd/$i && echo $i; done", NULL};
	struct fr_spawn s = shell(argv);
	int status;

	(void)state;
	assert_string_equal(output(&s, &status), "1\n2\n");
	s.stream[2] = -1;
	s.stream[0] = STDERR_FILENO;
	assert_string_equal(output(&s, &status), "0\n1\n");
}

/* The descriptors with which the streams are placed do not remain open. */
static void no_other_descriptor_remains(void **state)
{
	char *argv[] = {(char *)"sh", (char *)"-c",
			(char *)"i=0; while [ $i -lt 64 ]; do test ! -e /proc/$$/fd/$i || echo $i; "
				"i=$((i + 1)); done",
			NULL};
	struct fr_spawn s = shell(argv);
	int status;

	(void)state;
	for (int fd = 3; fd < 64; fd++) /* those that this test inherited */
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	s.stream[0] = STDERR_FILENO;
	assert_string_equal(output(&s, &status), "0\n1\n2\n");
}

static void nothing(int sig)
{
	(void)sig;
}

/* The bits of signals 1 to 64 in a line of /proc/PID/status. */
static uint64_t bits(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	assert_non_null(at);
	return strtoull(at + strlen(name), NULL, 16);
}

static bool has(uint64_t bits, int sig)
{
	return bits >> (sig - 1) & 1;
}

static void signals_are_set(void **state)
{
	char *argv[] = {(char *)"cat", (char *)"/proc/self/status", NULL};
	struct fr_spawn s = shell(argv);
	const char *text;
	int status;

	(void)state;
	signal(SIGUSR1, nothing);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	sigaddset(&s.mask, SIGUSR2);
	sigaddset(&s.ignored, SIGCHLD);
	sigaddset(&s.defaults, SIGTERM);
	s.path = "/bin/cat";
	text = output(&s, &status);
	assert_true(bits(text, "SigBlk:") == UINT64_C(1) << (SIGUSR2 - 1));
	assert_true(has(bits(text, "SigIgn:"), SIGCHLD) && has(bits(text, "SigIgn:"), SIGHUP));
	assert_false(has(bits(text, "SigIgn:"), SIGTERM) || has(bits(text, "SigIgn:"), SIGUSR1));
	signal(SIGUSR1, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

static void the_group_is_its_own_if_asked_for(void **state)
{
	char *argv[] = {(char *)"sh", (char *)"-c",
			(char *)"read a b c d e f </proc/self/stat; echo $e $$", NULL};
	struct fr_spawn s = shell(argv);
	char mine[32];
	int status;
	const char *text;

	(void)state;
	snprintf(mine, sizeof(mine), "%d ", (int)getpgrp());
	assert_true(strncmp(output(&s, &status), mine, strlen(mine)) == 0);
	s.group = true;
	text = output(&s, &status);
	assert_true(atoi(text) > 0 && atoi(text) == atoi(strchr(text, ' ')));
}

static void a_setting_replaces_the_entry_of_its_name(void **state)
{
	char *env[] = {(char *)"AB=1", (char *)"A=2", (char *)"C=3", NULL};
	char **v = fr_spawn_env(env, (char *)"A=x");

	(void)state;
	assert_string_equal(v[0], "AB=1");
	assert_string_equal(v[1], "A=x");
	assert_string_equal(v[2], "C=3");
	assert_null(v[3]);
	free(v);
	v = fr_spawn_env(env, (char *)"D=x");
	assert_string_equal(v[3], "D=x");
	assert_null(v[4]);
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(arguments_folder_and_status),
	    cmocka_unit_test(the_error_of_exec_is_returned),
	    cmocka_unit_test(a_file_without_format_is_a_script),
	    cmocka_unit_test(streams_are_placed),
	    cmocka_unit_test(no_other_descriptor_remains),
	    cmocka_unit_test(signals_are_set),
	    cmocka_unit_test(the_group_is_its_own_if_asked_for),
	    cmocka_unit_test(a_setting_replaces_the_entry_of_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
