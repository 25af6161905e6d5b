/* See task.h. */
#include "process/task.h"
#include "base/assert.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

const char *fr_task_file(pid_t pid, uint32_t tid, const char *file, char to[FR_TASK_TEXT])
{
	char path[64];
	ssize_t n;
	int fd;

	fr_assert(file[0] != '/' && strlen(file) < 16);
	snprintf(path, sizeof(path), "/proc/%d/task/%" PRIu32 "/%s", (int)pid, tid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, to, FR_TASK_TEXT - 1);
	if (fd >= 0)
		close(fd);
	to[n > 0 ? n : 0] = 0;
	return to;
}

char fr_task_state(pid_t pid, uint32_t tid)
{
	char text[FR_TASK_TEXT];
	/* the name, in parentheses, may contain parentheses */
	const char *p = strrchr(fr_task_file(pid, tid, "stat", text), ')');

	return p && p[1] == ' ' ? p[2] : 0;
}

bool fr_task_asleep(pid_t pid, uint32_t tid)
{
	return fr_task_state(pid, tid) == 'S';
}

pid_t fr_task_child(const char *text, size_t *at)
{
	char *end;
	unsigned long id;

	fr_assert(*at <= strlen(text));
	id = strtoul(text + *at, &end, 10);
	*at = (size_t)(end - text);
	return (pid_t)id;
}

int fr_task_call(pid_t pid, uint32_t tid, struct fr_task_call *ret)
{
	char text[FR_TASK_TEXT];
	struct fr_task_call c;

	if (!*fr_task_file(pid, tid, "syscall", text))
		return -1;
	if (sscanf(text,
		   "%ld 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64
		   " 0x%" SCNx64,
		   &c.number, &c.arg[0], &c.arg[1], &c.arg[2], &c.arg[3], &c.arg[4],
		   &c.arg[5]) != 7)
		return 0; /* "running", or asleep without a call */
	fr_assert(c.number >= 0);
	*ret = c;
	return 1;
}

bool fr_task_memory(pid_t pid, uint64_t addr, void *to, size_t n)
{
	struct iovec here = {to, n}, there = {(void *)(uintptr_t)addr, n};

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}
