/*
 * A server counts requests and errors together. A reporter asks for each by a separate function and
 * prints a rate. A reset by the reporter keeps the earlier counts.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int requests, errors, reported;

static void *serve(void *unused)
{
	for (int i = 0; i < 6; i++) {
		pthread_mutex_lock(&lock);
		requests++;
		errors += i & 1;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

static int get(const int *what)
{
	int v;

	pthread_mutex_lock(&lock);
	v = *what;
	pthread_mutex_unlock(&lock);
	return v;
}

static void *report(void *unused)
{
	for (int i = 0; i < 3; i++) {
		int e = get(&errors), r = get(&requests), old;

		pthread_mutex_lock(&lock);
		old = reported;
		reported = r > old ? r : old;
		pthread_mutex_unlock(&lock);
		assert(r >= e);
		printf("%d of %d failed, %d are new\n", e, r, r - old);
	}
	return unused;
}

int main(void)
{
	both(serve, report, NULL);
	return requests != 6 || errors != 3;
}
