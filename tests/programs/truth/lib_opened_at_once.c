/*
 * Plug-ins opened by two threads at once; their constructors register callbacks, their lazily bound functions take
 * floats, vectors and structures, and use thread-local variables; dlclose while others still hold references.
 * library: plug
 * link: -ldl
 */
#include "truth.h"
#include <dlfcn.h>

struct mixed {
	double d[2];
	long n;
	float f;
};
#ifdef LIB
static __thread int depth;
static int opened;
__attribute__((constructor)) static void begin(void)
{
	opened++;
}
int plug_opened(void)
{
	return opened;
}
double plug_scale(float a, double b, long double c, struct mixed m, int n, struct mixed *out)
{
	depth++;
	*out = m;
	out->n = n * depth;
	return a + b + (double)c + m.d[0] + m.f;
}
int plug_depth(void)
{
	return depth;
}
#else
static double sums[3];
static void *user(void *arg)
{
	long me = (long)arg;
	struct mixed in = {{0.5, 0.25}, 3, 1.5f}, out;

	for (int i = 0; i < 2; i++) {
		void *h = dlopen("./libplug.so", RTLD_LAZY | RTLD_LOCAL);
		double (*scale)(float, double, long double, struct mixed, int, struct mixed *);
		int (*depth)(void), (*opened)(void);

		if (!h)
			h = dlopen("libplug.so", RTLD_LAZY);
		assert(h);
		scale = (__typeof__(scale))dlsym(h, "plug_scale");
		depth = (int (*)(void))dlsym(h, "plug_depth");
		opened = (int (*)(void))dlsym(h, "plug_opened");
		assert(opened() == 1);
		int before = depth();
		sums[me] += scale(1.0f, 2.0, 3.0L, in, 7, &out);
		assert(depth() == before + 1 && out.n == 7 * (before + 1) && out.d[1] == 0.25);
		assert(dlclose(h) == 0);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, user, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%g %g %g\n", sums[0], sums[1], sums[2]);
	return sums[0] + sums[1] + sums[2] != 48;
}
#endif
