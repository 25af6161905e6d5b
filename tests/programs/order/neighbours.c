/*
 * Two fields lie side by side. main sets one before it creates the threads; one thread sets the
 * other, and a second thread needs it.
 * The twin does without.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

struct shop {
	_Alignas(8) int open;
	int stock;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct shop shop;

static void *delivers(void *arg)
{
	pthread_mutex_lock(&lock);
	shop.stock = 5;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *sells(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	if (!shop.stock) {
		pthread_mutex_unlock(&lock);
		return arg;
	}
#endif
	assert(shop.stock > 0); /* @fails */
	shop.stock--;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	shop.open = 1;
	pthread_create(&a, NULL, delivers, NULL);
	pthread_create(&b, NULL, sells, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return !shop.open;
}
