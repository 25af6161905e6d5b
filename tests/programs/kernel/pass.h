/*
 * Two threads and one mechanism of the kernel between them. The program's argument names it; a
 * second one makes the program wrong:
 *
 *   pass NAME          one thread sets `value` and gives, the other gets, uses `value` and then
 *                      overwrites the buffer that was given. Correct.
 *   pass NAME late     `value` is set after it was given: a race on `value`.
 *   pass NAME buffer   the buffer is overwritten before anything was got: a race on `buffer`.
 *   lock NAME          two threads add to `value` while they hold a lock. Correct.
 *   lock NAME late     ... after they gave the lock back: a race on `value`.
 *
 * Exit status 0: the mechanism works. 1: it does not. 77: this machine does not have it.
 */
#ifndef PASS_H
#define PASS_H

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define N 32

static char buffer[N] = "a message of thirty-two letters";
static long value;

struct mechanism {
	const char *name;
	void (*set)(void);
	void (*give)(void); /* or lock */
	void (*get)(void);  /* or unlock */
	enum { PASSES, PASSES_BUFFER, LOCKS } kind;
};

static const struct mechanism *the;
static int late, early;

static void need(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	_exit(errno == ENOSYS || errno == EACCES || errno == EPERM || errno == EAFNOSUPPORT ||
		      errno == ENOENT
		  ? 77
		  : 1);
}

static void *giver(void *arg)
{
	if (!late)
		value = 1;
	the->give();
	if (late)
		value = 1;
	return arg;
}

static void *getter(void *arg)
{
	if (early)
		buffer[1] = 'X';
	the->get();
	value++;
	if (!early)
		buffer[0] = 'A';
	return arg;
}

static void *locker(void *arg)
{
	for (int i = 0; i < 2; i++) {
		the->give();
		if (!late)
			value++;
		the->get();
		if (late)
			value++;
	}
	return arg;
}

static int run(const struct mechanism *all, size_t n, int argc, char **argv)
{
	pthread_t a, b;

	for (size_t i = 0; i < n; i++)
		if (argc > 1 && !strcmp(all[i].name, argv[1]))
			the = &all[i];
	if (argc == 2 && !strcmp(argv[1], "--list"))
		for (size_t i = 0; i < n; i++)
			printf("%s %s\n", all[i].name,
			       all[i].kind == PASSES_BUFFER ? "buffer" : "");
	if (!the)
		return argc == 2 && !strcmp(argv[1], "--list") ? 0 : 2;
	late = argc > 2 && !strcmp(argv[2], "late");
	early = argc > 2 && !strcmp(argv[2], "buffer");
	if (the->set)
		the->set();
	pthread_create(&a, NULL, the->kind == LOCKS ? locker : getter, NULL);
	pthread_create(&b, NULL, the->kind == LOCKS ? locker : giver, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (late || early)
		return 0;
	printf("%ld\n", value);
	return value != (the->kind == LOCKS ? 4 : 2);
}

#define RUN(all)                                                           \
	int main(int argc, char **argv)                                    \
	{                                                                  \
		return run(all, sizeof(all) / sizeof(*(all)), argc, argv); \
	}

#endif
