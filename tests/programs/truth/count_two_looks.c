/*
 * A monitor looks at a counter twice under its lock, and prints both looks side by side.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int n;

static void *work(void *unused)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&lock);
		n++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static int now(void)
{
	int v;

	pthread_mutex_lock(&lock);
	v = n;
	pthread_mutex_unlock(&lock);
	return v;
}

static void *watch(void *unused)
{
	int done, left;

	pthread_mutex_lock(&lock);
	done = n;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	left = 5 - n;
	pthread_mutex_unlock(&lock);
	printf("%d done, %d left\n", done, left);
	done = now();
	printf("%s, then %s\n", done == 5 ? "all" : "some", now() == 5 ? "all" : "some");
	return unused;
}

int main(void)
{
	both(work, watch, NULL);
	return n != 5;
}
