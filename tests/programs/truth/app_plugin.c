/* A plug-in loaded by dlopen() while another thread runs. */
/* library: plugin */
/* link: -ldl */
#include "truth.h"
#ifdef LIB
static int calls;

int plugin_run(int v)
{
	pthread_mutex_lock(&truth_lock);
	calls++;
	pthread_mutex_unlock(&truth_lock);
	return v + 100;
}
#else
#include <dlfcn.h>

static void *work(void *unused)
{
	void *h = dlopen("./libplugin.so", RTLD_LAZY);
	int (*run)(int);

	assert(h);
	tick();
	run = (int (*)(int))dlsym(h, "plugin_run");
	assert(run && run(5) == 105 && run(6) == 106);
	tick();
	dlclose(h);
	return unused;
}

int main(void)
{
	return both(work, work, NULL);
}
#endif
