/*
 * Readers take a reference under the lock and use the object outside; the writer swaps it and drops
 * the old one.
 */
#include "truth.h"
#include <stdatomic.h>
struct object {
	atomic_int refs;
	int a, b;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *current;
static struct object *make(int a)
{
	struct object *o = malloc(sizeof(*o));

	atomic_init(&o->refs, 1);
	o->a = a;
	o->b = -a;
	return o;
}
static void drop(struct object *o)
{
	if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) == 1)
		free(o);
}
static void *reader(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		struct object *o = current;
		atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
		pthread_mutex_unlock(&lock);
		assert(o->a + o->b == 0);
		drop(o);
	}
	return NULL;
}
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 1; i < 4; i++) {
		struct object *n = make(i), *old;

		pthread_mutex_lock(&lock);
		old = current;
		current = n;
		pthread_mutex_unlock(&lock);
		drop(old);
	}
	return NULL;
}
int main(void)
{
	current = make(0);
	both(reader, writer, NULL);
	assert(current->a == 3);
	drop(current);
	return 0;
}
