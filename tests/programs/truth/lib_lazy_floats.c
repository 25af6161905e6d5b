/*
 * A lazily bound library with many float and integer arguments, a callback into the program, and a
 * constructor.
 * library: floats
 * link: -Wl,-z,lazy
 */
#include "truth.h"
typedef double visit(void *, double);
double floats_apply(visit *f, void *arg, const double *v, int n, double a, double b, double c, double d);
#ifdef LIB
static int factor;
__attribute__((constructor)) static void start(void)
{
	factor = 2;
}
double floats_apply(visit *f, void *arg, const double *v, int n, double a, double b, double c, double d)
{
	double s = a + b + c + d;

	for (int i = 0; i < n; i++)
		s += f(arg, v[i]) * factor;
	return s;
}
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static double total;
static double add(void *arg, double x)
{
	double *mine = arg;

	*mine += x;
	pthread_mutex_lock(&m);
	total += x;
	pthread_mutex_unlock(&m);
	return x;
}
static void *worker(void *unused)
{
	double v[3] = {1.5, 2.5, 3.5}, mine = 0;

	(void)unused;
	assert(floats_apply(add, &mine, v, 3, 1, 2, 3, 4) == 25);
	assert(mine == 7.5);
	return NULL;
}
int main(void)
{
	both(worker, worker, NULL);
	assert(total == 15);
	return 0;
}
#endif
