/* Prints what the functions of lazy.c compute: of the library it is linked with, or of argv[1]. */
#include "lazy.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

typedef unsigned long function(struct lazy *s, long n);

static const char *const name[] = {
#define X(n) "lazy_" #n,
    LAZY_FUNCTIONS(X)
#undef X
};

static function *fn[sizeof(name) / sizeof(*name)];
static struct lazy data = {{1, -2, 3, -4, 5, -6, 7, -8}, {1, 2, 3, 4}, {5, 6, 7, 8}, "lazily"};
static unsigned long result[sizeof(name) / sizeof(*name)];

static void *work(void *p)
{
	for (unsigned i = 0; i < sizeof(name) / sizeof(*name); i++)
		for (long n = 0; n < 200; n++)
			result[i] = result[i] * 31 + fn[i](&data, n);
	return p;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1) {
		void *lib = dlopen(argv[1], RTLD_LAZY);

		for (unsigned i = 0; lib && i < sizeof(name) / sizeof(*name); i++)
			fn[i] = (function *)dlsym(lib, name[i]);
		if (!lib || !fn[0]) {
			puts(dlerror());
			return 2;
		}
	} else {
#ifdef LAZY_LINKED
		static function *const linked[] = {
#define X(n) lazy_##n,
		    LAZY_FUNCTIONS(X)
#undef X
		};
		for (unsigned i = 0; i < sizeof(name) / sizeof(*name); i++)
			fn[i] = linked[i];
#endif
	}
	/* Another thread: it alone calls the library, so all that is bound lazily is bound there.
	 */
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	for (unsigned i = 0; i < sizeof(name) / sizeof(*name); i++)
		printf("%s %lx\n", name[i], result[i]);
	return 0;
}
