/*
 * Handles carry a generation: an old handle of a recycled slot is refused.
 */
#include "truth.h"
static struct {
	unsigned generation;
	int value;
} slot[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned renew(int i, int value)
{
	unsigned g;

	pthread_mutex_lock(&m);
	g = ++slot[i].generation;
	slot[i].value = value;
	pthread_mutex_unlock(&m);
	return g;
}
static int get(int i, unsigned g, int *ret)
{
	int ok;

	pthread_mutex_lock(&m);
	ok = slot[i].generation == g;
	if (ok)
		*ret = slot[i].value;
	pthread_mutex_unlock(&m);
	return ok;
}
static void *other(void *arg)
{
	for (int i = 0; i < 3; i++)
		renew(i % 2, -1);
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, other, NULL));
	for (int i = 0; i < 4; i++) {
		unsigned g = renew(i % 2, i);
		int v;

		if (get(i % 2, g, &v))
			assert(v == i);
	}
	pthread_join(t, NULL);
	return 0;
}
