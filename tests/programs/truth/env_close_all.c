/* The program closes every descriptor that it does not know, as daemons do. */
#include "truth.h"

static int x;

static void *work(void *unused)
{
	tick();
	pthread_mutex_lock(&truth_lock);
	x++;
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	assert(open("/dev/null", O_RDONLY) == 3);
	both(work, work, NULL);
	return x != 2;
}
