/*
 * A stack with atomic operations: two threads check whether it is empty, and then pop. Pop does not
 * check, and returns null from an empty stack. The twin pops and then checks the result.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct item {
	int value;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct item *data[8];
int n;
long sum;

static void push(struct item *item)
{
	pthread_mutex_lock(&lock);
	data[n++] = item;
	pthread_mutex_unlock(&lock);
}

static bool is_empty(void)
{
	bool empty;

	pthread_mutex_lock(&lock);
	empty = n == 0;
	pthread_mutex_unlock(&lock);
	return empty;
}

static struct item *pop(void)
{
	struct item *item = NULL;

	pthread_mutex_lock(&lock);
	if (n) {
		item = data[--n];
		data[n] = NULL;
	}
	pthread_mutex_unlock(&lock);
	return item;
}

static void *take(void *arg)
{
	struct item *item;

	while (!is_empty()) {
		item = pop();
#ifdef FIXED
		if (!item)
			break;
#endif
		__atomic_add_fetch(&sum, item->value, __ATOMIC_RELAXED); /* @fails */
		free(item);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	for (int i = 0; i < 3; i++) {
		struct item *item = malloc(sizeof(*item));

		item->value = i;
		push(item);
	}
	pthread_create(&a, NULL, take, NULL);
	pthread_create(&b, NULL, take, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
