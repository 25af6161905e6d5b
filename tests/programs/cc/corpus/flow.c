/*
 * Control flow that hooks must survive: longjmp, tail calls, computed goto, variadic functions,
 * asm.
 */
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf env;
static int depth, count, hits;
static volatile sig_atomic_t signalled;

__attribute__((noinline)) static void dive(int n)
{
	depth++;
	if (!n)
		longjmp(env, depth);
	dive(n - 1);
	depth--;
}

__attribute__((noinline)) static int even(int n);
__attribute__((noinline)) static int odd(int n)
{
	count++;
	if (!n)
		return 0;
	__attribute__((musttail)) return even(n - 1);
}
__attribute__((noinline)) static int even(int n)
{
	count += 2;
	if (!n)
		return 1;
	__attribute__((musttail)) return odd(n - 1);
}

static int sum(int n, ...)
{
	va_list ap, copy;
	int s = 0;

	va_start(ap, n);
	va_copy(copy, ap);
	for (int i = 0; i < n; i++)
		s += va_arg(ap, int);
	for (int i = 0; i < n; i++)
		s += (int)va_arg(copy, int) * 2;
	va_end(ap);
	va_end(copy);
	return s;
}

static int machine(const char *code)
{
	static void *const ops[] = {&&halt, &&inc, &&dec, &&twice};
	int acc = 1;

#define NEXT goto *ops[*code++ - '0']
	NEXT;
inc:
	acc++;
	NEXT;
dec:
	acc--;
	NEXT;
twice:
	acc *= 2;
	NEXT;
halt:
	return acc;
}

static int choose(int k)
{
	switch (k) {
	case 1 ... 5:
		return hits += k;
	case 7:
		hits ^= 1;
		/* fall through */
	case 9:
		return hits -= 3;
	default:
		return -1;
	}
}

static void clean(int *p)
{
	hits += *p;
}

static int scoped(int k)
{
	__attribute__((cleanup(clean))) int local = k;

	if (k > 3)
		return local;
	local *= 5;
	return local + 1;
}

static void on_signal(int s)
{
	signalled += s;
	hits++;
}

static int compare(const void *a, const void *b)
{
	hits++;
	return *(const int *)a - *(const int *)b;
}

static int resolved_impl(int x)
{
	return x + 40;
}
static int (*resolver(void))(int)
{
	return resolved_impl;
}
int resolved(int x) __attribute__((ifunc("resolver")));

__attribute__((constructor(101))) static void early(void)
{
	hits += 1000;
}
__attribute__((destructor)) static void late(void)
{
	printf("late %d\n", hits);
}
__attribute__((weak)) int weak_one(int x)
{
	return x * 2;
}
extern int aliased(int x) __attribute__((alias("weak_one")));
__attribute__((naked, noinline)) static int naked_one(void)
{
	__asm__("movl $7, %eax; ret");
}
__attribute__((disable_sanitizer_instrumentation, noinline)) static int left_alone(int x)
{
	hits += x;
	return hits;
}

int main(void)
{
	volatile int again = 0;
	int v[] = {5, 3, 9, 1, 7}, r, out;
	char *a;

	r = setjmp(env);
	if (!r)
		dive(6);
	printf("jump %d depth %d\n", r, depth);
	if (again++ < 2)
		longjmp(env, again + 100);
	printf("%d %d %d\n", odd(100001), even(10), count);
	printf("%d %d %d\n", sum(4, 1, 2, 3, 4), sum(7, 1, 2, 3, 4, 5, 6, 7), machine("113212310"));
	for (int i = 0; i < 11; i++)
		printf("%d ", choose(i));
	printf("%d %d\n", scoped(2), scoped(9));
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	qsort(v, 5, sizeof(*v), compare);
	printf("%d %d %d\n", v[0], v[4], signalled == SIGUSR1);
	__asm__ volatile("addl %1, %0" : "=r"(out) : "r"(hits), "0"(5) : "memory");
	a = alloca((size_t)out % 64 + 8);
	snprintf(a, 8, "%d", r);
	printf("%s %d %d %d %d %d %d\n", a, out, resolved(2), weak_one(4), aliased(5), naked_one(), left_alone(3));
	return 0;
}
