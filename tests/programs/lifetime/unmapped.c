/*
 * A thread unmaps a shared table while another one looks something up in it, each under the lock.
 * The twin checks that the table is still mapped.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table, sum, gone;

static void *reader(void *arg)
{
	for (int i = 0; i < 4; i++) {
		pthread_mutex_lock(&lock);
#ifdef FIXED
		if (!gone)
#endif
			sum += table[i * 100];
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *closer(void *arg)
{
	pthread_mutex_lock(&lock);
	gone = 1;
	munmap(table, 1 << 16);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	table = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 1000; i++)
		table[i] = i;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
