/* Read-copy-update in small: readers announce themselves, the writer waits for them before it
 * frees. */
#include "truth.h"
#include <stdatomic.h>

struct conf {
	int a, b;
};

static struct conf *_Atomic cur;
static atomic_int readers;

static void *reader(void *unused)
{
	for (int i = 0; i < 3; i++) {
		struct conf *c;

		atomic_fetch_add(&readers, 1);
		c = atomic_load(&cur);
		assert(c->a == c->b);
		atomic_fetch_sub(&readers, 1);
	}
	return unused;
}

static void *writer(void *unused)
{
	for (int i = 1; i <= 2; i++) {
		struct conf *c = malloc(sizeof(*c)), *old;

		c->a = c->b = i;
		old = atomic_exchange(&cur, c);
		while (atomic_load(&readers))
			sched_yield();
		old->a = -1; /* nobody can see it any more */
		free(old);
	}
	return unused;
}

int main(void)
{
	struct conf *c = calloc(1, sizeof(*c));

	atomic_init(&cur, c);
	both(reader, writer, NULL);
	free(atomic_load(&cur));
	return 0;
}
