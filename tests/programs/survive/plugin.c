/*
 * A module: with its own state and lock, and one variable of the program's. Built twice under two
 * names.
 */
#include "plugin.h"
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long plugin_count;
char *plugin_memory;

long plugin_step(long n)
{
	long r;

	pthread_mutex_lock(&lock);
	plugin_count += n;
	r = plugin_count;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&host_lock);
	host_count += n;
	pthread_mutex_unlock(&host_lock);
	return r;
}

__attribute__((constructor)) static void on_load(void)
{
	plugin_memory = malloc(100);
	plugin_memory[0] = 1;
}

__attribute__((destructor)) static void on_unload(void)
{
	free(plugin_memory);
}
