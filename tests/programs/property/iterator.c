/*
 * A listener list that one thread iterates over while another adds to it (GPredict figures 2, 3 and
 * 9). A lock protects each operation, so there is no race.
 * order: creation
 * spec: iterator.spec
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct list {
	int value[8], n, changes;
};
struct iter {
	struct list *of;
	int at, changes;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, whole = PTHREAD_MUTEX_INITIALIZER;
static struct list *listeners;

void list_add(struct list *l, int v)
{
	pthread_mutex_lock(&mutex);
	l->value[l->n++] = v;
	l->changes++;
	pthread_mutex_unlock(&mutex);
}

struct iter *list_iter(struct list *l)
{
	struct iter *i = malloc(sizeof(*i));

	pthread_mutex_lock(&mutex);
	*i = (struct iter){l, 0, l->changes};
	pthread_mutex_unlock(&mutex);
	return i;
}

int iter_next(struct iter *i)
{
	int v = -1;

	pthread_mutex_lock(&mutex);
	if (i->changes != i->of->changes) {
		fprintf(stderr, "the list changed\n");
		abort();
	}
	if (i->at < i->of->n)
		v = i->of->value[i->at++];
	pthread_mutex_unlock(&mutex);
	return v;
}

static void *notify(void *arg)
{
	struct iter *i;

	(void)arg;
#ifdef FIXED
	pthread_mutex_lock(&whole);
#endif
	i = list_iter(listeners);
	while (iter_next(i) >= 0)
		;
	free(i);
#ifdef FIXED
	pthread_mutex_unlock(&whole);
#endif
	return NULL;
}

static void *add(void *arg)
{
	(void)arg;
#ifdef FIXED
	pthread_mutex_lock(&whole);
#endif
	list_add(listeners, 3);
#ifdef FIXED
	pthread_mutex_unlock(&whole);
#endif
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	(void)whole;
	listeners = calloc(1, sizeof(*listeners));
	list_add(listeners, 1);
	list_add(listeners, 2);
	pthread_create(&a, NULL, notify, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(listeners);
	return 0;
}
