/*
 * Memory that another thread unmaps between a write and the writer's next hook, told through a pipe
 * that the runtime does not see: correct without us, so it must live with us.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int to[2], back[2];
static int *volatile where;

/* Not instrumented, not even at entry, and by no function that could be wrapped. */
#ifdef __clang__
#define BARE __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define BARE __attribute__((noinline, no_sanitize("thread")))
#endif
static BARE long call(long nr, long a, long b, long c)
{
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "0"(nr), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return r;
}

static void *writer(void *arg)
{
	int *p = where, out = to[1], in = back[0];
	char c;

	(void)arg;
	*p = 42; /* GONE: the last hook before the function's end */
	call(SYS_write, out, (long)&"x", 1);
	call(SYS_read, in, (long)&c, 1); /* meanwhile it is unmapped */
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c;

	if (pipe(to) || pipe(back))
		return 1;
	where = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&t, NULL, writer, NULL);
	call(SYS_read, to[0], (long)&c, 1);
	call(SYS_munmap, (long)where, 4096, 0);
	call(SYS_write, back[1], (long)&"x", 1);
	pthread_join(t, NULL);
	puts("alive");
	return 0;
}
