/* Uses plugin.c as an ordinary shared library. */
#include "survive.h"
#include "plugin.h"

long host_count;
pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	for (int i = 0; i < 100; i++)
		plugin_step(1);
	return arg;
}

int main(void)
{
	pthread_t t = start(worker, NULL);

	worker(NULL);
	pthread_join(t, NULL);
	printf("%ld %ld\n", host_count, plugin_step(0));
	return 0;
}
