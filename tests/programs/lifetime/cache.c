/*
 * A reader uses an entry of a cache after it has left the read lock. A writer evicts the entry.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	struct entry *next;
	int key;
	char value[32];
};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct entry *entries;

static struct entry *find(int key)
{
	struct entry *e = entries;

	while (e && e->key != key)
		e = e->next;
	return e;
}

static void *reader(void *arg)
{
	char copy[32] = "";
	struct entry *e;

	pthread_rwlock_rdlock(&lock);
	e = find(2);
#ifdef FIXED
	if (e)
		memcpy(copy, e->value, sizeof(copy));
	pthread_rwlock_unlock(&lock);
#else
	pthread_rwlock_unlock(&lock);
	if (e)
		memcpy(copy, e->value, sizeof(copy));
#endif
	return copy[0] == 'z' ? arg : NULL;
}

static void *evict(void *arg)
{
	struct entry **at = &entries, *e;

	pthread_rwlock_wrlock(&lock);
	while (*at && (*at)->key != 2)
		at = &(*at)->next;
	e = *at;
	if (e)
		*at = e->next;
	pthread_rwlock_unlock(&lock);
	free(e);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 4; i++) {
		struct entry *e = calloc(1, sizeof(*e));

		e->key = i;
		e->next = entries;
		entries = e;
		snprintf(e->value, sizeof(e->value), "value %d", i);
	}
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, evict, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
