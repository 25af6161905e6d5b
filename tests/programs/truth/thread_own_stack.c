/* A stack that the program provides, used by two threads one after the other. */
#include "truth.h"
#include <sys/mman.h>

static int x;

static void *work(void *unused)
{
	char room[4096];

	memset(room, 1, sizeof(room));
	x += room[100];
	return unused;
}

int main(void)
{
	size_t n = 1 << 18;
	void *stack = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t a;
	pthread_t t;

	pthread_attr_init(&a);
	assert(pthread_attr_setstack(&a, stack, n) == 0);
	for (int i = 0; i < 2; i++) {
		assert(pthread_create(&t, &a, work, NULL) == 0);
		pthread_join(t, NULL);
	}
	munmap(stack, n);
	return x != 2;
}
