#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int flag;
static __attribute__((noinline)) void add(void)
{
	pthread_mutex_lock(&m);
	counter++;
	pthread_mutex_unlock(&m);
}
static __attribute__((noinline)) void twice(void)
{
	add();
	add();
}
static void *worker(void *a)
{
	twice();
	atomic_fetch_add_explicit(&flag, 2, memory_order_release);
	return a;
}
int main(void)
{
	pthread_t t[2];
	char *p = malloc(100);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, worker, p);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	free(p);
	return counter != 4;
}
