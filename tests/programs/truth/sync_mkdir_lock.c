/* mkdir() as a lock: only one thread can make the folder. */
#include "truth.h"

static long x;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		while (mkdir("busy", 0700) != 0) {
			assert(errno == EEXIST);
			sched_yield();
		}
		x += 2;
		assert(rmdir("busy") == 0);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 12;
}
