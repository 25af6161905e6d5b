/*
 * An array of pointers under one lock: a thread uses an element, another clears all of them.
 * The twin checks the element for null.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdlib.h>

#define SLOTS 4

struct slot {
	int uses;
};

struct slot *slots[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *arg)
{
	struct slot *s;

	pthread_mutex_lock(&lock);
	s = slots[2];
#ifdef FIXED
	if (s)
#endif
		s->uses++; /* @use */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *clear(void *arg)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < SLOTS; i++)
		slots[i] = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < SLOTS; i++)
		slots[i] = calloc(1, sizeof(**slots));
	pthread_create(&a, NULL, use, NULL);
	pthread_create(&b, NULL, clear, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
