/* A structure copy beside a field that another thread uses: the copies are field by field. */
#include "truth.h"

struct rec {
	int a, b, c;
	int other;
};

static struct rec from = {1, 2, 3, 0}, to;

static void *copier(void *unused)
{
	to.a = from.a;
	to.b = from.b;
	to.c = from.c;
	return unused;
}

static void *owner(void *unused)
{
	for (int i = 0; i < 4; i++) {
		from.other = i;
		to.other = -i;
	}
	return unused;
}

int main(void)
{
	both(copier, owner, NULL);
	return to.a + to.b + to.c != 6 || to.other != -3;
}
