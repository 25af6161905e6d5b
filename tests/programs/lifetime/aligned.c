/*
 * A block from posix_memalign is freed while another thread copies out of it.
 * order: creation
 * expect: use-after-free
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void *block;
static atomic_int busy, stop;

static void *copy(void *arg)
{
	char to[64];

#ifdef FIXED
	atomic_store(&busy, 1);
#endif
	if (!atomic_load(&stop))
		memcpy(to, (char *)block + 64, sizeof(to));
	atomic_store(&busy, 0);
	return to[0] ? arg : NULL;
}

static void *release(void *arg)
{
	atomic_store(&stop, 1);
	while (atomic_load(&busy))
		;
	free(block);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	if (posix_memalign(&block, 64, 256))
		return 1;
	memset(block, 0, 256);
	pthread_create(&a, NULL, copy, NULL);
	pthread_create(&b, NULL, release, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
