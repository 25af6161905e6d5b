/* A state that only moves forward; the thread that comes first advances it. */
#include "truth.h"

enum state { COLD, WARM, HOT };
static enum state s;

static enum state get(void)
{
	enum state r;

	pthread_mutex_lock(&truth_lock);
	r = s;
	pthread_mutex_unlock(&truth_lock);
	return r;
}

static void advance(enum state from)
{
	pthread_mutex_lock(&truth_lock);
	if (s == from)
		s = from + 1;
	pthread_mutex_unlock(&truth_lock);
}

static void *work(void *unused)
{
	enum state a, b;

	while ((a = get()) != HOT) {
		advance(a);
		b = get();
		assert(b > a);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return s != HOT;
}
