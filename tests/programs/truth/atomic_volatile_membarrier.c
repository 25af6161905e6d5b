/* Asymmetric fences: volatile accesses beside __atomic fences, all accesses atomic. */
#include "truth.h"

static int flag[2], x;

static int enter(int me)
{
	__atomic_store_n(&flag[me], 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (__atomic_load_n(&flag[1 - me], __ATOMIC_RELAXED)) {
		__atomic_store_n(&flag[me], 0, __ATOMIC_RELEASE);
		return 0;
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return 1;
}

static void *work(void *arg)
{
	int me = arg != NULL;

	for (int i = 0; i < 3;) {
		if (!enter(me)) {
			usleep(me ? 300 : 700);
			continue;
		}
		x++;
		__atomic_store_n(&flag[me], 0, __ATOMIC_RELEASE);
		i++;
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, &x);
	work(NULL);
	pthread_join(t, NULL);
	return x != 6;
}
