/*
 * An object holds its own mutex and count. The last one to drop it unlocks, destroys and frees it.
 */
#include "truth.h"
struct box {
	pthread_mutex_t lock;
	int users, sum;
};
static int result;
static void put(struct box *b)
{
	int left;

	pthread_mutex_lock(&b->lock);
	left = --b->users;
	if (!left)
		result = b->sum;
	pthread_mutex_unlock(&b->lock);
	if (!left) {
		pthread_mutex_destroy(&b->lock);
		free(b);
	}
}
static void *worker(void *arg)
{
	struct box *b = arg;

	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&b->lock);
		b->sum += 5;
		pthread_mutex_unlock(&b->lock);
	}
	put(b);
	return NULL;
}
int main(void)
{
	for (int round = 0; round < 2; round++) {
		struct box *b = malloc(sizeof(*b));
		pthread_t t[2];

		pthread_mutex_init(&b->lock, NULL);
		b->users = 3;
		b->sum = 0;
		for (int i = 0; i < 2; i++)
			pthread_create(&t[i], NULL, worker, b);
		put(b);
		for (int i = 0; i < 2; i++)
			pthread_join(t[i], NULL);
		assert(result == 20);
	}
	return 0;
}
