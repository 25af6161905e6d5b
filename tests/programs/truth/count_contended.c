/* A lock first tries; if that fails, it counts a contention and waits. */
#include "truth.h"
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int n;
static atomic_int contended;

static void enter(void)
{
	if (pthread_mutex_trylock(&lock)) {
		atomic_fetch_add(&contended, 1);
		pthread_mutex_lock(&lock);
	}
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		enter();
		n++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	printf("n = %d, contended %d times\n", n, atomic_load(&contended));
	return n != 8;
}
