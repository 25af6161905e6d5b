/*
 * A library that the program opens while threads run counts its calls; the program prints what each
 * thread saw.
 *
 * library: counts
 * link: -ldl
 * options: --order creation
 */
#include "truth.h"
#include <dlfcn.h>

#ifdef LIB
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls, first;

int plugin_call(int me)
{
	int n;

	pthread_mutex_lock(&lock);
	n = ++calls;
	if (!first)
		first = me;
	pthread_mutex_unlock(&lock);
	return n;
}

int plugin_first(void)
{
	int v;

	pthread_mutex_lock(&lock);
	v = first;
	pthread_mutex_unlock(&lock);
	return v;
}
#else
static void *work(void *arg)
{
	int me = arg ? 2 : 1, seen = 0;
	void *lib = dlopen("./libcounts.so", RTLD_NOW);
	int (*call)(int) = lib ? (int (*)(int))dlsym(lib, "plugin_call") : NULL;
	int (*first)(void) = lib ? (int (*)(void))dlsym(lib, "plugin_first") : NULL;

	assert(call && first);
	for (int i = 0; i < 2; i++)
		seen = call(me);
	printf("%d saw %d calls, the first by %d\n", me, seen, first());
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, &b);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
#endif
