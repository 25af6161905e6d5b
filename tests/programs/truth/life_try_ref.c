/*
 * A table keeps weak entries: a user increments the count only if it is not zero, and else makes a
 * new object.
 */
#include "truth.h"
#include <stdatomic.h>
#include <stdbool.h>
struct entry {
	atomic_int refs;
	int key;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entry;
static bool try_ref(struct entry *e)
{
	int n = atomic_load(&e->refs);

	while (n > 0)
		if (atomic_compare_exchange_weak(&e->refs, &n, n + 1))
			return true;
	return false;
}
static struct entry *get(int key)
{
	struct entry *e;

	pthread_mutex_lock(&lock);
	e = entry;
	if (!e || !try_ref(e)) {
		e = malloc(sizeof(*e));
		atomic_init(&e->refs, 1);
		e->key = key;
		entry = e;
	}
	pthread_mutex_unlock(&lock);
	return e;
}
static void put(struct entry *e)
{
	if (atomic_fetch_sub(&e->refs, 1) != 1)
		return;
	pthread_mutex_lock(&lock);
	if (entry == e)
		entry = NULL;
	pthread_mutex_unlock(&lock);
	e->key = -1;
	free(e);
}
static void *user(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		struct entry *e = get(42);

		assert(e->key == 42);
		put(e);
	}
	return NULL;
}
int main(void)
{
	both(user, user, NULL);
	assert(!entry);
	return 0;
}
