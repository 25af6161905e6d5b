/* A vector grows by mremap() under a lock. */
#include "truth.h"
#include <sys/mman.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *v;
static size_t cap = 1024, n;

static void push(int x)
{
	pthread_mutex_lock(&m);
	if (n == cap) {
		v = mremap(v, cap * 4, cap * 8, MREMAP_MAYMOVE);
		assert(v != MAP_FAILED);
		cap *= 2;
	}
	v[n++] = x;
	pthread_mutex_unlock(&m);
}

static void *work(void *unused)
{
	for (int i = 0; i < 900; i++)
		push(1);
	return unused;
}

int main(void)
{
	v = mmap(0, cap * 4, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	both(work, work, 0);
	long s = 0;
	for (size_t i = 0; i < n; i++)
		s += v[i];
	return s != 1800;
}
