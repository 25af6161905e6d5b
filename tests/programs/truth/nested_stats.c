/*
 * A function with its own lock counts operations. Threads call it inside and outside regions of
 * another lock.
 */
#include "truth.h"
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER, stats_lock = PTHREAD_MUTEX_INITIALIZER;
static int table[4], hits;

static void hit(void)
{
	pthread_mutex_lock(&stats_lock);
	hits++;
	pthread_mutex_unlock(&stats_lock);
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&table_lock);
	hit();
	table[0]++;
	hit();
	pthread_mutex_unlock(&table_lock);
	return arg;
}

static void *reader(void *arg)
{
	int sum = 0;

	hit();
	pthread_mutex_lock(&table_lock);
	for (int i = 0; i < 4; i++)
		sum += table[i];
	pthread_mutex_unlock(&table_lock);
	hit();
	assert(sum <= 1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(hits == 4);
}
