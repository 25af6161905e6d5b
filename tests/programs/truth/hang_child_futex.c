/* A child wakes a futex in shared memory. */
#include "truth.h"
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static _Atomic int *f;

static void *work(void *unused)
{
	tick();
	while (*f == 0)
		syscall(SYS_futex, f, FUTEX_WAIT, 0, 0, 0, 0);
	tick();
	return unused;
}

int main(void)
{
	f = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t c = fork();
	if (!c) {
		usleep(20000);
		*f = 1;
		syscall(SYS_futex, f, FUTEX_WAKE, 9, 0, 0, 0);
		_exit(0);
	}
	beside_look(work);
	waitpid(c, 0, 0);
	return 0;
}
