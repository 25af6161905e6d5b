/* A bounded queue with two conditions. */
#include "truth.h"

static pthread_cond_t more = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static int q[3], n, first, sum;

static void put(int v)
{
	pthread_mutex_lock(&truth_lock);
	while (n == 3)
		pthread_cond_wait(&room, &truth_lock);
	q[(first + n++) % 3] = v;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&truth_lock);
}

static int get(void)
{
	int v;

	pthread_mutex_lock(&truth_lock);
	while (n == 0)
		pthread_cond_wait(&more, &truth_lock);
	v = q[first];
	first = (first + 1) % 3;
	n--;
	pthread_cond_signal(&room);
	pthread_mutex_unlock(&truth_lock);
	return v;
}

static void *producer(void *unused)
{
	for (int i = 1; i <= 8; i++)
		put(i);
	put(0);
	return unused;
}

static void *consumer(void *unused)
{
	int v;

	while ((v = get()))
		sum += v;
	return unused;
}

int main(void)
{
	both(producer, consumer, NULL);
	return sum != 36;
}
