/*
 * A thread closes a plugin while another one uses a table in it. The program is its own plugin:
 * with LIB it is the library.
 * order: creation
 * expect: use-after-free
 * harm: crash
 * library: plugin
 */
#ifdef LIB
int table[4096] = {1, 2, 3};
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *table, open = 1;
static void *handle;

static void *user(void *arg)
{
	int is;

	pthread_mutex_lock(&lock);
	is = open;
#ifdef FIXED
	if (is)
		table[2000]++;
	pthread_mutex_unlock(&lock);
#else
	pthread_mutex_unlock(&lock);
	if (is)
		table[2000]++;
#endif
	return arg;
}

static void *closer(void *arg)
{
	pthread_mutex_lock(&lock);
	open = 0;
	pthread_mutex_unlock(&lock);
	dlclose(handle);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	handle = dlopen("./libplugin.so", RTLD_NOW);
	if (!handle) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	table = dlsym(handle, "table");
	pthread_create(&a, NULL, user, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
#endif
