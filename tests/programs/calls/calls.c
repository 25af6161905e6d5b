/* Calls in C for --forerun-calls: inlined, recursive, variadic, void, indirect, in a library. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

struct list {
	int n;
};
struct big {
	long a[5];
};
struct two {
	long a, b;
};
struct small {
	int a, b;
};

static struct list all;

static inline int list_add(struct list *l, int v)
{
	l->n += v;
	return l->n;
}

static int fact(int n)
{
	return n < 2 ? 1 : n * fact(n - 1);
}

static int sum(int n, ...)
{
	va_list a;
	int s = 0;

	va_start(a, n);
	while (n--)
		s += va_arg(a, int);
	va_end(a);
	return s;
}

static double mixed(float f, double d, struct big b, struct two p, struct small s, char c, const char *str, _Bool t,
		    unsigned u)
{
	return f + d + (double)(b.a[0] + p.a) + s.a + c + str[0] + t + u;
}

static struct big make_big(short x)
{
	return (struct big){{x}};
}

static void nothing(void)
{
}

static void many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o,
		 int p, int q)
{
	all.n = a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q;
}

static jmp_buf out;
static void jumps(int v)
{
	longjmp(out, v);
}

static int other(int v)
{
	return v + 1;
}
int (*volatile pointer)(int) = other;

static void *run(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;
	char *end;

	list_add(&all, -3);
	fact(3);
	sum(3, 1, -2, 3);
	mixed(1.5f, -2.25, (struct big){{1}}, (struct two){1, 2}, (struct small){3, 4}, 'c', "s", 1, 4000000000u);
	make_big(-7);
	nothing();
	many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
	if (!setjmp(out))
		jumps(1);
	pointer(1);
	strtol("-12x", &end, 10);
	pthread_create(&t, 0, run, 0);
	pthread_join(t, 0);
	all.n = pthread_equal(0, 0);
	return abs(-2) - 2;
}
