/* A list grows at its head; readers walk it without a lock. */
#include "truth.h"
#include <stdatomic.h>

struct item {
	struct item *next;
	char name[8];
};

static struct item *_Atomic head;

static void add(const char *name)
{
	struct item *i = malloc(sizeof(*i));

	snprintf(i->name, sizeof(i->name), "%s", name);
	pthread_mutex_lock(&truth_lock);
	i->next = atomic_load_explicit(&head, memory_order_relaxed);
	atomic_store_explicit(&head, i, memory_order_release);
	pthread_mutex_unlock(&truth_lock);
}

static void *adder(void *unused)
{
	add("one");
	add("two");
	return unused;
}

static void *walker(void *unused)
{
	int n = 0;

	for (struct item *i = atomic_load_explicit(&head, memory_order_acquire); i; i = i->next) {
		assert(strlen(i->name) == 3);
		n++;
	}
	assert(n <= 2);
	return unused;
}

int main(void)
{
	both(walker, adder, NULL);
	for (struct item *i = atomic_load(&head), *next; i; i = next) {
		next = i->next;
		free(i);
	}
	return 0;
}
