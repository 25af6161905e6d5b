/*
 * Arguments and results of every class through shared memory: long double, __int128, complex, vectors, big structures,
 * variable arguments, ms_abi, preserve_most, regcall and a tail call. Each thread checks its own results.
 * build: -mavx2 -Wno-psabi
 */
#include "truth.h"
#include <complex.h>
#include <stdarg.h>
#include <immintrin.h>

struct big {
	long a[5];
	double d;
};
struct pair {
	double x;
	long y;
};

static long double ld = 1.25L;
static __int128 wide = ((__int128)1 << 70) + 5;
static double complex z = 1.0 + 2.0 * I;
static __m256d v = {1, 2, 3, 4};
static struct big b = {{1, 2, 3, 4, 5}, 0.5};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

__attribute__((noinline)) static long double twice(long double *p, int n)
{
	long double r = *p;

	while (n--)
		r += *p;
	return r;
}

__attribute__((noinline)) static __int128 shift(__int128 *p, int n)
{
	return (*p << n) | 1;
}

__attribute__((noinline)) static double complex turn(double complex *p)
{
	return *p * I;
}

__attribute__((noinline)) static __m256d add(__m256d x, __m256d *p)
{
	return _mm256_add_pd(x, *p);
}

__attribute__((noinline)) static struct big grow(struct big x, const struct big *y)
{
	for (int i = 0; i < 5; i++)
		x.a[i] += y->a[i];
	x.d += y->d;
	return x;
}

__attribute__((noinline, ms_abi)) static long ms(long x, double y, long *p, struct pair q)
{
	return x + (long)y + *p + (long)q.x + q.y;
}

__attribute__((noinline, preserve_most)) static void most(long *p, long n)
{
	pthread_mutex_lock(&lock);
	*p += n;
	pthread_mutex_unlock(&lock);
}

__attribute__((noinline, regcall)) static long reg(long a, long c, long d, long e, long f, long g,
						   long h, long *p)
{
	return a + c * 2 + d * 3 + e * 4 + f * 5 + g * 6 + h * 7 + *p;
}

__attribute__((noinline)) static double mixed(int n, ...)
{
	va_list ap, again;
	double r = 0;

	va_start(ap, n);
	va_copy(again, ap);
	for (int i = 0; i < n; i++) {
		r += va_arg(ap, int);
		r += va_arg(ap, double);
		r += (double)va_arg(ap, long double);
		r += va_arg(ap, struct pair).x;
	}
	r += va_arg(again, int);
	va_end(again);
	va_end(ap);
	return r;
}

__attribute__((noinline)) static long odd(long *p, long n);
__attribute__((noinline)) static long even(long *p, long n)
{
	if (!n)
		return *p;
	__attribute__((musttail)) return odd(p, n - 1);
}
static long odd(long *p, long n)
{
	if (!n)
		return -*p;
	__attribute__((musttail)) return even(p, n - 1);
}

static void *work(void *arg)
{
	long k = 3;
	struct pair q = {2.5, 7};
	struct big r = grow(b, &b);
	__m256d s = add((__m256d){10, 20, 30, 40}, &v);

	assert(twice(&ld, 3) == 5.0L);
	assert((long)(shift(&wide, 2) >> 72) == 1 && (long)shift(&wide, 2) == 21);
	assert(creal(turn(&z)) == -2 && cimag(turn(&z)) == 1);
	assert(s[0] == 11 && s[3] == 44);
	assert(r.a[4] == 10 && r.d == 1.0);
	assert(ms(1, 2.0, &k, q) == 1 + 2 + 3 + 2 + 7);
	most(&sum, k);
	assert(reg(1, 2, 3, 4, 5, 6, 7, &k) == 1 + 4 + 9 + 16 + 25 + 36 + 49 + 3);
	assert(mixed(2, 1, 2.0, 3.0L, q, 4, 5.0, 6.0L, q) == 1 + 2 + 3 + 2.5 + 4 + 5 + 6 + 2.5 + 1);
	assert(even(&k, 7) == -3 && even(&k, 1000) == 3);
	return arg;
}

int main(void)
{
	both(work, work, NULL);
	printf("sum %ld\n", sum);
	return sum != 6;
}
