/* What the pass knows about values that are read: tests/compile/marks.t has the marks by line. */
#include <assert.h>
#include <stdlib.h>

struct node {
	int v;
	struct node *next;
};
int a, b, mode, w;
unsigned u;
char flag;
long total;
struct node *head, *other, *third;
void *ptr;
void sink(void *p);
void fail(void);

void equal(void)
{
	assert(a == 1);
}
void range(void)
{
	if (a < 3 || b > 5)
		exit(2);
}
void is_set(void)
{
	if (flag)
		abort();
}
void cases(void)
{
	switch (mode) {
	case 1:
	case 2:
		return;
	case 7:
		sink(0);
		return;
	default:
		abort();
	}
}
void both(void)
{
	if (a > b)
		abort();
}
void odd(void)
{
	if (total & 1)
		exit(1);
	if (u > 10)
		exit(0); /* no failure */
}
static int get(void)
{
	return a;
}
void result(void)
{
	if (get() != 4)
		abort();
}
static int __attribute__((noinline)) valid(void)
{
	if (w < 1)
		return 0;
	if (total == 5)
		return 1;
	sink(0);
	return 2;
}
void constants(void)
{
	if (!valid())
		exit(6);
}
static void __attribute__((noinline)) fill(int *p)
{
	*p = mode;
}
void filled(void)
{
	int v;

	fill(&v);
	if (v > 6)
		exit(8);
}
static void __attribute__((noinline)) check(int v)
{
	if (v < 0)
		abort();
}
void argument(void)
{
	check(b);
}
static void __attribute__((noinline)) die(int status)
{
	sink(0);
	exit(status);
}
void named(void)
{
	if (u == 7)
		fail();
	if (w == 9)
		die(1);
}
int dereferenced(void)
{
	return head->v;
}
void checked(void)
{
	struct node *n = third;

	if (n)
		n->v = 1;
}
void passed(void)
{
	sink(ptr);
}
int early(void)
{
	struct node *n = other;

	if (!n)
		return 0;
	return n->v;
}
static int __attribute__((noinline)) first(const struct node *n)
{
	return n->v;
}
int through(void)
{
	return first(other);
}
