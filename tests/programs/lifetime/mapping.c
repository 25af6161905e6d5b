/*
 * A thread unmaps a buffer that another one still fills.
 * order: creation
 * expect: use-after-free
 * harm: crash
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#define SIZE (1 << 16)
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;
static int open = 1;

static void *writer(void *arg)
{
	for (int i = 0; i < 3; i++) {
		int is;

		pthread_mutex_lock(&lock);
		is = open;
#ifdef FIXED
		if (is)
			buffer[i * 4096] = 1;
		pthread_mutex_unlock(&lock);
#else
		pthread_mutex_unlock(&lock);
		if (is)
			buffer[i * 4096] = 1;
#endif
	}
	return arg;
}

static void *closer(void *arg)
{
	pthread_mutex_lock(&lock);
	open = 0;
	pthread_mutex_unlock(&lock);
	munmap(buffer, SIZE);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	buffer = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
