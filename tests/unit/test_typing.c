/* Typing the recorded input: at once, or when the program asks for it. */
#include "fixture.h"
#include "confirm/terminal_input.h"
#include "process/task.h"
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t line_of(const char *s)
{
	return fr_typing_next(s, strlen(s), true);
}

static size_t key_of(const char *s)
{
	return fr_typing_next(s, strlen(s), false);
}

static void input_is_split_into_lines(void **state)
{
	(void)state;
	assert_int_equal(line_of(""), 0);
	assert_int_equal(line_of("ab\ncd\n"), 3);
	assert_int_equal(line_of("ab"), 2);
	assert_int_equal(line_of("ab\4cd\n"), 3);
	assert_int_equal(line_of("\4\4"), 1);
	assert_int_equal(key_of(""), 0);
	assert_int_equal(key_of("ab"), 1);
	assert_int_equal(key_of("\303\244b"), 2);
	assert_int_equal(key_of("\33[Ax"), 3);
	assert_int_equal(key_of("\33[1;5Cx"), 6);
	assert_int_equal(key_of("\33OPx"), 3);
	assert_int_equal(key_of("\33xy"), 2);
	assert_int_equal(key_of("\33"), 1);
	assert_int_equal(key_of("\33[1;"), 4);
}

static size_t typed_after(struct fr_typing *t, int slave, int master, unsigned looks,
			  struct fr_typing_seen seen)
{
	while (looks--)
		fr_typing_check(t, slave, master, &seen);
	return t->at;
}

static void input_is_typed_when_asked_for(void **state)
{
	const struct fr_typing_seen no = {.asks = FR_ASKS_NO}, yes = {.asks = FR_ASKS_YES};
	const struct fr_typing_seen maybe = {.asks = FR_ASKS_MAYBE, .where = 1};
	const struct fr_typing_seen unread = {.asks = FR_ASKS_MAYBE, .where = 1, .unread = true};
	const struct fr_typing_seen on = {.asks = FR_ASKS_MAYBE, .where = 2};
	struct fr_typing t = {.s = "one\ntwo\nthree\nfour\n", .n = 19};
	int slave, master;

	(void)state;
	if (openpty(&master, &slave, NULL, NULL, NULL) < 0)
		skip();
	assert_int_equal(typed_after(&t, slave, master, 100, no), 0);
	assert_false(fr_typing_unread(slave));
	assert_int_equal(typed_after(&t, slave, master, 1, yes), 4);
	assert_true(fr_typing_unread(slave)); /* at once, however busy the machine is */
	assert_int_equal(typed_after(&t, slave, master, 100, unread), 4);
	assert_int_equal(typed_after(&t, slave, master, 1, maybe), 4);
	assert_int_equal(typed_after(&t, slave, master, 1, on), 4); /* it made progress */
	assert_int_equal(typed_after(&t, slave, master, 2, on), 8);
	assert_int_equal(typed_after(&t, slave, master, 1, no), 8);
	assert_int_equal(typed_after(&t, slave, master, 2, yes), 19);
	assert_false(t.over);
	assert_int_equal(typed_after(&t, slave, master, 1, yes), 19);
	assert_true(t.over);
	close(slave);
	close(master);
}

enum wait { READ, READV, POLL, SELECT, EPOLL, CHILD, OTHER_PIPE, SLEEP, FUTEX };

static void wait_so(enum wait how, int slave, int pipe)
{
	struct pollfd p[2] = {{.fd = pipe, .events = POLLIN}, {.fd = slave, .events = POLLIN}};
	struct epoll_event event = {.events = EPOLLIN};
	uint32_t word = 0;
	char c;
	struct iovec v = {&c, 1};
	fd_set set;
	int epoll;

	switch (how) {
	case READ:
		(void)!read(slave, &c, 1);
		break;
	case READV:
		(void)!readv(slave, &v, 1);
		break;
	case POLL:
		poll(p, 2, -1);
		break;
	case SELECT:
		FD_ZERO(&set);
		FD_SET(slave, &set);
		select(slave + 1, &set, NULL, NULL, NULL);
		break;
	case EPOLL:
		epoll = epoll_create1(0);
		epoll_ctl(epoll, EPOLL_CTL_ADD, slave, &event);
		epoll_wait(epoll, &event, 1, -1);
		break;
	case CHILD:
		if (!fork())
			poll(p, 2, -1);
		else
			waitpid(-1, NULL, 0);
		break;
	case OTHER_PIPE:
		(void)!read(pipe, &c, 1);
		break;
	case SLEEP:
		pause();
		break;
	case FUTEX:
		syscall(SYS_futex, &word, 0 /* FUTEX_WAIT */, 0, NULL, NULL, 0);
		break;
	}
	_exit(0);
}

/* Returns the observed state of a process that waits so, once it waits. */
static enum fr_asks seen_of(enum wait how, int slave, int fd)
{
	pid_t pid = fork();
	struct fr_task_call call;
	enum fr_asks asks;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		wait_so(how, slave, fd);
	}
	setpgid(pid, pid);
	while (fr_task_call(pid, (uint32_t)pid, &call) == 0)
		sched_yield();
	do
		asks = fr_thread_asks(pid, (uint32_t)pid, slave);
	while (how == CHILD && asks != FR_ASKS_YES); /* the child must come to its call */
	kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return asks;
}

static void a_question_is_a_state(void **state)
{
	int slave, master, p[2];
	struct fr_task_call call;

	(void)state;
	if (openpty(&master, &slave, NULL, NULL, NULL) < 0 ||
	    fr_task_call(getpid(), (uint32_t)getpid(), &call) < 0)
		skip();
	assert_int_equal(pipe(p), 0);
	for (enum wait how = READ; how <= CHILD; how++)
		assert_int_equal(seen_of(how, slave, p[0]), FR_ASKS_YES);
	assert_int_equal(seen_of(OTHER_PIPE, slave, p[0]), FR_ASKS_MAYBE);
	assert_int_equal(seen_of(SLEEP, slave, p[0]), FR_ASKS_MAYBE);
	assert_int_equal(seen_of(FUTEX, slave, p[0]), FR_ASKS_NO);
	assert_int_equal(seen_of(POLL, p[1], p[0]), FR_ASKS_MAYBE); /* it is no terminal */
	close(slave);
	close(master);
	close(p[0]);
	close(p[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(input_is_split_into_lines),
	    cmocka_unit_test(input_is_typed_when_asked_for),
	    cmocka_unit_test(a_question_is_a_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
