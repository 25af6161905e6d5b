/* Stands between the program and libc: when readdir has seen the end of the folder, another thread makes a name in it.
   readdir returns after that, or when the other thread is kept waiting, in nanosleep. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int maker, listed, made;

void await_listing(void)
{
	maker = gettid();
	while (!listed)
		sched_yield();
}

int mkdir(const char *path, mode_t mode)
{
	int r = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);

	made = listed;
	return r;
}

static int waits(void)
{
	char path[64], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", maker);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
	if (syscall(SYS_read, fd, text, sizeof(text) - 1) < 0)
		abort();
	syscall(SYS_close, fd);
	return atoi(text) == SYS_nanosleep;
}

struct dirent *readdir(DIR *d)
{
	struct dirent *(*real)(DIR *) = (struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir");
	struct dirent *e = real(d);

	while (!e && !maker)
		sched_yield();
	listed = !e;
	while (!e && !made && !waits())
		sched_yield();
	return e;
}
