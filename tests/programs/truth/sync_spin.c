/* pthread_spin_lock() and trylock loops. */
#include "truth.h"

static pthread_spinlock_t s;
static int x;

static void *work(void *unused)
{
	for (int i = 0; i < 5; i++) {
		if (i % 2)
			pthread_spin_lock(&s);
		else
			while (pthread_spin_trylock(&s) != 0)
				sched_yield();
		x++;
		pthread_spin_unlock(&s);
	}
	return unused;
}

int main(void)
{
	pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
	both(work, work, NULL);
	return x != 10;
}
