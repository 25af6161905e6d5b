/* eventfd in semaphore mode as a lock. */
#include "truth.h"
#include <sys/eventfd.h>

static int fd, x;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		eventfd_t v;

		assert(eventfd_read(fd, &v) == 0 && v == 1);
		x++;
		assert(eventfd_write(fd, 1) == 0);
	}
	return unused;
}

int main(void)
{
	fd = eventfd(1, EFD_SEMAPHORE);
	both(work, work, NULL);
	return x != 8;
}
