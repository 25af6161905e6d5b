/* A cache miss is filled outside the lock; both threads compute the same value. */
#include "truth.h"

static int cache[4];
static char have[4];

static int get(int k)
{
	int v, hit;

	pthread_mutex_lock(&truth_lock);
	hit = have[k];
	v = cache[k];
	pthread_mutex_unlock(&truth_lock);
	if (hit)
		return v;
	v = k * 7;
	pthread_mutex_lock(&truth_lock);
	cache[k] = v;
	have[k] = 1;
	pthread_mutex_unlock(&truth_lock);
	return v;
}

static void *work(void *unused)
{
	for (int k = 0; k < 4; k++)
		assert(get(k) == k * 7);
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
