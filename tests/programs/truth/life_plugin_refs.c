/*
 * Two threads open and close a library that stays loaded as long as one of them has it open; a call
 * goes through a lazily bound name.
 * library: refs
 * link: -ldl -Wl,-z,lazy
 */
#include "truth.h"
#include <dlfcn.h>
#ifdef LIB
static _Thread_local int calls;
double refs_scale(double x, int a, int b, int c, int d, int e, int f, int g)
{
	calls++;
	return x * (a + b + c + d + e + f + g) + calls;
}
#else
typedef double scale(double, int, int, int, int, int, int, int);
static void *user(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		void *h = dlopen("./librefs.so", RTLD_LAZY);
		scale *f;
		double d;

		assert(h);
		f = (scale *)dlsym(h, "refs_scale");
		assert(f);
		d = f(0.5, 1, 2, 3, 4, 5, 6, 7);
		assert(d >= 15);
		dlclose(h);
	}
	return NULL;
}
int main(void)
{
	void *keep = dlopen("./librefs.so", RTLD_LAZY);

	assert(keep);
	both(user, user, NULL);
	return dlclose(keep);
}
#endif
