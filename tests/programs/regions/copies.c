/* One function with a bug, inlined into two threads' first functions: still one bug. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static inline __attribute__((always_inline)) void bump(void)
{
	int n;

	pthread_mutex_lock(&m);
	n = x;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	x = n + 1;
	pthread_mutex_unlock(&m);
}

static void *work(void *arg)
{
	bump();
	return arg;
}

static void *play(void *arg)
{
	y++;
	bump();
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, work, NULL);
	pthread_create(&t[1], NULL, play, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(x + y == 3);
	return 0;
}
