/* Loads a C++ module; the C++ library comes with it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *h = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
	int (*plugin)(int);

	if (!h) {
		printf("%s\n", dlerror());
		return 1;
	}
	*(void **)&plugin = dlsym(h, "plugin");
	printf("plugin %d\n", plugin(2));
	printf("plugin %d\n", plugin(3));
	printf("no error %d\n", dlerror() == NULL);
	dlclose(h);
	return 0;
}
