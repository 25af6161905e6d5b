/*
 * Loads modules with dlopen, in main and in a thread, calls them from threads, unloads them and
 * loads again.
 */
#include "survive.h"
#include "plugin.h"
#include <dlfcn.h>

long host_count;
pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;

static long (*step[2])(long);

static void *load(const char *path, int which)
{
	void *h = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!h) {
		fprintf(stderr, "%s\n", dlerror());
		exit(99);
	}
	*(void **)&step[which] = dlsym(h, "plugin_step");
	return h;
}

static void *worker(void *arg)
{
	for (int i = 0; i < 100; i++) {
		step[0](1);
		step[1](2);
	}
	return arg;
}

struct loading {
	const char *path;
	void *handle;
};

static void *loader(void *arg)
{
	struct loading *l = arg;

	l->handle = load(l->path, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 99;
	for (int round = 0; round < 5; round++) {
		struct loading l = {.path = argv[2]};
		void *h = load(argv[1], 0);
		pthread_t t = start(loader, &l);

		pthread_join(t, NULL);
		t = start(worker, NULL);
		worker(NULL);
		pthread_join(t, NULL);
		printf("%ld %ld %ld\n", host_count, step[0](0), step[1](0));
		dlclose(l.handle);
		dlclose(h);
	}
	return 0;
}
