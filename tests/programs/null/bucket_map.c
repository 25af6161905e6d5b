/*
 * A map with a lock for each bucket: a thread asks whether a key is present, and then increments
 * its value. Another thread removes the key between the two operations.
 * The twin does both under the lock of the bucket.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define BUCKETS 8
struct node {
	struct node *next;
	int key;
	int value;
};
struct bucket {
	pthread_mutex_t lock;
	struct node *head;
	int n;
};
static struct bucket bucket[BUCKETS];

__attribute__((noinline)) static struct node *find(struct bucket *b, int key)
{
	struct node *i;

	for (i = b->head; i; i = i->next)
		if (i->key == key)
			return i;
	return NULL;
}

static void put(int key, int value)
{
	struct bucket *b = &bucket[key % BUCKETS];
	struct node *i;

	pthread_mutex_lock(&b->lock);
	i = find(b, key);
	if (!i) {
		i = calloc(1, sizeof(*i));
		i->key = key;
		i->next = b->head;
		b->head = i;
		b->n++;
	}
	i->value = value;
	pthread_mutex_unlock(&b->lock);
}

static void drop(int key)
{
	struct bucket *b = &bucket[key % BUCKETS];
	struct node **p, *i;

	pthread_mutex_lock(&b->lock);
	for (p = &b->head; (i = *p); p = &i->next) {
		if (i->key == key) {
			*p = i->next;
			b->n--;
			free(i);
			break;
		}
	}
	pthread_mutex_unlock(&b->lock);
}

static bool contains(int key)
{
	struct bucket *b = &bucket[key % BUCKETS];
	bool found;

	pthread_mutex_lock(&b->lock);
	found = find(b, key);
	pthread_mutex_unlock(&b->lock);
	return found;
}

static void increment(int key)
{
	struct bucket *b = &bucket[key % BUCKETS];
	struct node *i;

	if (!contains(key))
		return;
	pthread_mutex_lock(&b->lock);
	i = find(b, key);
#ifdef FIXED
	if (i)
#endif
		i->value++; /* @use */
	pthread_mutex_unlock(&b->lock);
}

static void *incrementer(void *arg)
{
	for (int k = 0; k < 12; k += 5)
		increment(k);
	return arg;
}

static void *remover(void *arg)
{
	drop(5);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < BUCKETS; i++)
		pthread_mutex_init(&bucket[i].lock, NULL);
	for (int k = 0; k < 12; k++)
		put(k, k);
	pthread_create(&a, NULL, incrementer, NULL);
	pthread_create(&b, NULL, remover, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (int k = 0; k < 12; k++)
		drop(k);
	return 0;
}
