/* Events with wall-clock times in a common list are in the order of their times. */
#include "truth.h"
#include <sys/time.h>

static struct timeval events[16];
static int n;

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&truth_lock);
		gettimeofday(&events[n], NULL);
		if (n)
			assert(!timercmp(&events[n], &events[n - 1], <));
		n++;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return n != 8;
}
