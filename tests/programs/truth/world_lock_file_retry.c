/*
 * Two threads use a lock file made with O_EXCL, and try again until the other one has removed it.
 */
#include "truth.h"
static int counter;
static void *worker(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++) {
		int fd;

		while ((fd = open("truth.lock", O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0) {
			assert(errno == EEXIST);
			sched_yield();
		}
		tick();
		counter = truth_count;
		close(fd);
		unlink("truth.lock");
	}
	return NULL;
}
int main(void)
{
	both(worker, worker, NULL);
	assert(counter == 4);
	return 0;
}
