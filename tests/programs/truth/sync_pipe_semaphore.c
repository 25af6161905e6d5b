/*
 * A pipe with two bytes is a semaphore: a thread reads one to enter, and writes it back. The
 * program prints the number of threads that were inside at once.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

#define THREADS 3

static int fd[2];
static atomic_int inside, most, full;

static void *work(void *unused)
{
	for (int i = 0; i < 2; i++) {
		int now, m = atomic_load(&most);
		char c;

		assert(read(fd[0], &c, 1) == 1);
		now = atomic_fetch_add(&inside, 1) + 1;
		assert(now <= 2);
		full += now == 2;
		while (now > m && !atomic_compare_exchange_weak(&most, &m, now))
			;
		atomic_fetch_sub(&inside, 1);
		assert(write(fd[1], &c, 1) == 1);
	}
	return unused;
}

int main(void)
{
	pthread_t t[THREADS];

	assert(pipe(fd) == 0 && write(fd[1], "ab", 2) == 2);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("at most %d inside, %d times full\n", atomic_load(&most), atomic_load(&full));
	return inside != 0;
}
