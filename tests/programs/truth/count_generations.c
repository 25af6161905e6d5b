/* A cache entry has a generation; a reader that sees it change reads again and counts that. */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int gen, value, again;
static void *update(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		gen++;
		value = gen * 10;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static int get(int *g)
{
	int v;

	pthread_mutex_lock(&lock);
	*g = gen;
	v = value;
	pthread_mutex_unlock(&lock);
	return v;
}

static void *use(void *unused)
{
	int g, v = get(&g), now;

	pthread_mutex_lock(&lock);
	now = gen;
	pthread_mutex_unlock(&lock);
	if (now != g) {
		again++;
		v = get(&g);
	}
	assert(v == g * 10);
	return unused;
}

int main(void)
{
	both(use, update, NULL);
	printf("read again: %d\n", again);
	return 0;
}
