/* A reference count: the last owner frees the object. */
#include "truth.h"
#include <stdatomic.h>

struct obj {
	atomic_int refs;
	int a, b;
};

static void put(struct obj *o)
{
	if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) {
		atomic_thread_fence(memory_order_acquire);
		o->a = o->b = -1;
		free(o);
	}
}

static void *left(void *p)
{
	struct obj *o = p;

	o->a = 1;
	put(o);
	return NULL;
}

static void *right(void *p)
{
	struct obj *o = p;

	o->b = 2;
	put(o);
	return NULL;
}

int main(void)
{
	struct obj *o = malloc(sizeof(*o));
	pthread_t a, b;

	atomic_init(&o->refs, 2);
	pthread_create(&a, NULL, left, o);
	pthread_create(&b, NULL, right, o);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
