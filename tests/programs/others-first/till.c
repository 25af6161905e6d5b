#include <assert.h>
#include <forerun.h>
#include <pthread.h>
#include <stdio.h>

static long stock = 5, sold;
static int counting;

static void *count(void *arg)
{
	FORERUN_ATOMIC_BEGIN();
	__atomic_store_n(&counting, 1, __ATOMIC_SEQ_CST);
	sold += __atomic_load_n(&stock, __ATOMIC_SEQ_CST);
	sold += __atomic_load_n(&stock, __ATOMIC_SEQ_CST);
	__atomic_store_n(&counting, 0, __ATOMIC_SEQ_CST);
	FORERUN_ATOMIC_END();
	return arg;
}

static void *sell(void *arg)
{
	__atomic_store_n(&stock, 6, __ATOMIC_SEQ_CST);
	assert(HARMLESS || !__atomic_load_n(&counting, __ATOMIC_SEQ_CST));
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, count, NULL);
	pthread_create(&b, NULL, sell, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("done");
	return 0;
}
