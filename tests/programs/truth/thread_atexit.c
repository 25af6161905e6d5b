/* An atexit handler and a destructor read what the joined threads wrote. */
#include "truth.h"

static int x, order;

static void last(void)
{
	assert(x == 2 && order++ == 0);
}

__attribute__((destructor)) static void very_last(void)
{
	assert(order == 1);
}

static void *work(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	x++;
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	atexit(last);
	return both(work, work, NULL);
}
