/* Peterson's lock with sequentially consistent atomics. */
#include "truth.h"
#include <stdatomic.h>

static atomic_int want[2], turn;
static int x;

static void *work(void *arg)
{
	int me = (int)(long)arg;

	for (int i = 0; i < 5; i++) {
		atomic_store(&want[me], 1);
		atomic_store(&turn, 1 - me);
		while (atomic_load(&want[1 - me]) && atomic_load(&turn) == 1 - me)
			sched_yield();
		x++;
		atomic_store(&want[me], 0);
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, (void *)1);
	work((void *)0);
	pthread_join(t, NULL);
	return x != 10;
}
