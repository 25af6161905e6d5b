/*
 * A monitor that sleeps between its looks, until the workers are done. BUGGY: it returns 1 if the
 * two counts of one look, which the workers change in one region, do not fit together.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define WORKERS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items, bytes, torn;
static atomic_int over;

static void *work(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		items++;
		bytes += 10;
		pthread_mutex_unlock(&lock);
		usleep(100);
	}
	atomic_fetch_add(&over, 1);
	return arg;
}

static void look(void)
{
	int now, size = 0;

	pthread_mutex_lock(&lock);
	now = items;
	pthread_mutex_unlock(&lock);
	if (now >= 0) {
		pthread_mutex_lock(&lock);
#ifdef BUGGY
		size = bytes;
#else
		now = items;
		size = bytes;
#endif
		pthread_mutex_unlock(&lock);
	}
	printf("%d items\n", now);
	torn |= size != 10 * now;
}

static void *watch(void *arg)
{
	do {
		look();
		usleep(200);
	} while (atomic_load(&over) < WORKERS);
	return arg;
}

int main(void)
{
	pthread_t t[WORKERS + 1];

	pthread_create(&t[0], NULL, watch, NULL);
	for (int i = 1; i <= WORKERS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i <= WORKERS; i++)
		pthread_join(t[i], NULL);
	printf("all %d\n", items);
	return torn;
}
