/* Double-checked locking with an acquire load. */
#include "truth.h"
#include <stdatomic.h>

struct thing {
	int a, b;
};

static struct thing *_Atomic one;

static struct thing *get(void)
{
	struct thing *t = atomic_load_explicit(&one, memory_order_acquire);

	if (!t) {
		pthread_mutex_lock(&truth_lock);
		t = atomic_load_explicit(&one, memory_order_relaxed);
		if (!t) {
			t = malloc(sizeof(*t));
			t->a = 1;
			t->b = 2;
			atomic_store_explicit(&one, t, memory_order_release);
		}
		pthread_mutex_unlock(&truth_lock);
	}
	return t;
}

static void *work(void *unused)
{
	struct thing *t = get();

	assert(t->a + t->b == 3);
	assert(t == get());
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	free(atomic_load(&one));
	return 0;
}
