/*
 * A thread adds to a list while another walks over it: each call takes the lock, the walk does not.
 * order: creation
 * spec: iteration
 */
#include <pthread.h>
#include <stdlib.h>

struct list {
	pthread_mutex_t mutex;
	int n, v[8];
};
struct iter {
	struct list *list;
	int at;
};
static struct list *list;
static pthread_mutex_t walk = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void list_add(struct list *l, int x)
{
	pthread_mutex_lock(&l->mutex);
	l->v[l->n++] = x;
	pthread_mutex_unlock(&l->mutex);
}

__attribute__((noinline)) static struct iter *list_iter(struct list *l)
{
	struct iter *i = malloc(sizeof(*i));

	i->list = l;
	i->at = 0;
	return i;
}

__attribute__((noinline)) static int list_iter_next(struct iter *i)
{
	int x;

	pthread_mutex_lock(&i->list->mutex);
	x = i->at < i->list->n ? i->list->v[i->at++] : -1;
	pthread_mutex_unlock(&i->list->mutex);
	return x;
}

static void *adder(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&walk);
#endif
	list_add(list, 2);
#ifdef FIXED
	pthread_mutex_unlock(&walk);
#endif
	return arg;
}

static void *walker(void *arg)
{
	struct iter *i;

#ifdef FIXED
	pthread_mutex_lock(&walk);
#endif
	i = list_iter(list);
	while (list_iter_next(i) != -1)
		;
	free(i);
#ifdef FIXED
	pthread_mutex_unlock(&walk);
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	list = calloc(1, sizeof(*list));
	pthread_mutex_init(&list->mutex, NULL);
	pthread_mutex_lock(&walk);
	pthread_mutex_unlock(&walk);
	list_add(list, 1);
	pthread_create(&a, NULL, walker, NULL);
	pthread_create(&b, NULL, adder, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(list);
	return 0;
}
