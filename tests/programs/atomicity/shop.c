/*
 * A shop with suppliers and customers, as in IBM's collection of concurrent bugs. A customer asks
 * two questions under the lock: is the shop empty, and which item is the first? Another customer
 * can take the last item between the two.
 *
 * Two suppliers, two customers. Between a customer's two reads of the count, a supplier's write can
 * come, or the other customer's: two interleavings. The first does no harm.
 *
 * expect: atomicity-violation shop.count read@empty read@first
 * between: write@put write@get
 * harm: assert shop.c:@first: Assertion `shop.count > 0' failed
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SHELF 4

static struct {
	pthread_mutex_t lock;
	int count;
	const char *shelf[SHELF];
} shop = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void put_item(const char *item)
{
	pthread_mutex_lock(&shop.lock);
	if (shop.count < SHELF) {
		shop.shelf[shop.count] = item;
		shop.count++; /* @put */
	}
	pthread_mutex_unlock(&shop.lock);
}

#ifndef FIXED
static bool is_empty(void)
{
	bool r;

	pthread_mutex_lock(&shop.lock);
	r = shop.count == 0; /* @empty */
	pthread_mutex_unlock(&shop.lock);
	return r;
}
#endif

static const char *get_item(void)
{
	const char *item;

	pthread_mutex_lock(&shop.lock);
#ifdef FIXED
	if (shop.count == 0) {
		pthread_mutex_unlock(&shop.lock);
		return NULL;
	}
#endif
	assert(shop.count > 0); /* @first */
	shop.count--;		/* @get */
	item = shop.shelf[shop.count];
	pthread_mutex_unlock(&shop.lock);
	return item;
}

static void *supplier(void *arg)
{
	put_item(arg);
	return NULL;
}

static void *customer(void *arg)
{
	const char **bought = arg;

#ifdef FIXED
	*bought = get_item();
#else
	if (!is_empty())
		*bought = get_item();
#endif
	return NULL;
}

int main(void)
{
	static char item[] = "tea";
	const char *bought[2] = {NULL, NULL};
	pthread_t ts[2], tc[2];
	int sold = 0;

	for (int i = 0; i < 2; i++) {
		pthread_create(&ts[i], NULL, supplier, item);
		pthread_create(&tc[i], NULL, customer, &bought[i]);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(ts[i], NULL);
		pthread_join(tc[i], NULL);
		sold += bought[i] && !strcmp(bought[i], item);
	}
	printf("%d sold, %d left\n", sold, shop.count);
	return 0;
}
