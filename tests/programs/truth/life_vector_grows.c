/* An array grows under the lock; users read its address again in every lock section. */
#include "truth.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *items, n, room;
static void push(int x)
{
	pthread_mutex_lock(&lock);
	if (n == room) {
		room = room ? 2 * room : 1;
		items = realloc(items, room * sizeof(*items));
	}
	items[n++] = x;
	pthread_mutex_unlock(&lock);
}
static int sum(void)
{
	int s = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < n; i++)
		s += items[i];
	pthread_mutex_unlock(&lock);
	return s;
}
static void *pusher(void *unused)
{
	(void)unused;
	for (int i = 0; i < 6; i++)
		push(1);
	return NULL;
}
static void *summer(void *unused)
{
	int last = 0;

	(void)unused;
	for (int i = 0; i < 4; i++) {
		int s = sum();

		assert(s >= last && s <= 6);
		last = s;
	}
	return NULL;
}
int main(void)
{
	both(pusher, summer, NULL);
	assert(sum() == 6);
	free(items);
	return 0;
}
