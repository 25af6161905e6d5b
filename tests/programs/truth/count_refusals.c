/*
 * A thread gives up after some busy answers; the program prints which way it took.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int busy, gave_up, n;

static void *hold(void *unused)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		busy = 1;
		pthread_mutex_unlock(&lock);
		tick();
		pthread_mutex_lock(&lock);
		busy = 0;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static void *attempt(void *unused)
{
	for (int i = 0; i < 3; i++) {
		int now;

		pthread_mutex_lock(&lock);
		now = busy;
		n += !now;
		pthread_mutex_unlock(&lock);
		if (now && ++gave_up == 2)
			break;
	}
	return unused;
}

int main(void)
{
	both(hold, attempt, NULL);
	printf("%d successes, %d refusals\n", n, gave_up);
	return 0;
}
