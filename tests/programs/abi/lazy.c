/*
 * A library whose every function holds more live values than a call of ordinary convention keeps,
 * while a hook is the first to call its slow path. With a lazily bound call the loader's resolver
 * would run there.
 */
#include "lazy.h"

#define MIX(h, v) (h = (h ^ (unsigned long)(v)) * 0x9e3779b97f4a7c15ul + (h >> 29))

/* Twelve values of which the compiler knows nothing: they stay in registers across the accesses. */
#define LOAD(s, n)                                                                           \
	long a = n + 1, b = a * 3, c = b ^ 0x55, d = c + a, e = d * 5, f = e - b, g = f ^ c, \
	     i = g + d, j = i * 7, k = j - e, l = k ^ f, m = l + g;                          \
	__asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));                  \
	__asm__("" : "+r"(g), "+r"(i), "+r"(j), "+r"(k), "+r"(l), "+r"(m))
#define SUM(h)                                                                                   \
	(MIX(h, a), MIX(h, b), MIX(h, c), MIX(h, d), MIX(h, e), MIX(h, f), MIX(h, g), MIX(h, i), \
	 MIX(h, j), MIX(h, k), MIX(h, l), MIX(h, m))

unsigned long lazy_first_write(struct lazy *s, long n)
{
	unsigned long h = 1;
	LOAD(s, n);

	s->a[0] = a;
	s->half[1] = (short)b;
	s->bytes[3] = (char)c;
	SUM(h);
	s->a[1] = d;
	SUM(h);
	return h;
}

unsigned long lazy_first_read(struct lazy *s, long n)
{
	unsigned long h = 2;
	LOAD(s, n);

	MIX(h, s->a[2]);
	MIX(h, s->half[2]);
	SUM(h);
	MIX(h, s->a[3]);
	SUM(h);
	return h;
}

unsigned long lazy_first_branch(struct lazy *s, long n)
{
	unsigned long h = 3;
	LOAD(s, n);

	if (s->a[4] > n)
		s->a[4] = n;
	else if (s->bytes[0])
		MIX(h, s->a[0]);
	SUM(h);
	return h;
}

unsigned long lazy_doubles(struct lazy *s, long n)
{
	double x = (double)n, y = x * 1.5, z = y + 0.25, v = z * x, w = v - y, u = w * 2, t = u + z;
	unsigned long h = 4;
	LOAD(s, n);

	s->d[0] = x + y;
	MIX(h, s->d[1]);
	h += (unsigned long)(long)(x + y * 2 + z * 3 + v * 4 + w * 5 + u * 6 + t * 7);
	SUM(h);
	s->d[2] = t;
	return h;
}

static __attribute__((noinline)) long helper(struct lazy *s, long a, long b, long c, long d, long e,
					     long f, long g, long i)
{
	s->a[5] += a;
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * i + s->a[5];
}

unsigned long lazy_calls(struct lazy *s, long n)
{
	unsigned long h = 5;
	LOAD(s, n);

	MIX(h, helper(s, a, b, c, d, e, f, g, i));
	SUM(h);
	return h;
}

/* Only one access, and a value in every register that the hook before it leaves alone. */
unsigned long lazy_one_write(struct lazy *s, long n)
{
	unsigned long h = 6;
	LOAD(s, n);

	s->a[6] = n;
	SUM(h);
	return h;
}

unsigned long lazy_one_read(struct lazy *s, long n)
{
	unsigned long h;
	LOAD(s, n);

	h = (unsigned long)s->a[7];
	SUM(h);
	return h;
}
