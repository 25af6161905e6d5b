/*
 * Objects in a table have counts; a lookup takes a reference under the lock, and the last user
 * frees outside it.
 */
#include "truth.h"
#include <stdatomic.h>
struct obj {
	atomic_int refs;
	int value;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct obj *table[2];
static void put(struct obj *o)
{
	if (o && atomic_fetch_sub(&o->refs, 1) == 1)
		free(o);
}
static struct obj *get(int i)
{
	struct obj *o;

	pthread_mutex_lock(&m);
	o = table[i];
	if (o)
		atomic_fetch_add(&o->refs, 1);
	pthread_mutex_unlock(&m);
	return o;
}
static void *user(void *arg)
{
	for (int i = 0; i < 4; i++) {
		struct obj *o = get(i % 2);

		if (o)
			assert(o->value == 7);
		put(o);
	}
	return arg;
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++) {
		table[i] = malloc(sizeof(struct obj));
		atomic_init(&table[i]->refs, 1);
		table[i]->value = 7;
	}
	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, user, NULL));
	for (int i = 0; i < 2; i++) {
		struct obj *o;

		pthread_mutex_lock(&m);
		o = table[i];
		table[i] = NULL;
		pthread_mutex_unlock(&m);
		put(o);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
