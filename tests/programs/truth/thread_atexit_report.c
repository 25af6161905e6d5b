/*
 * A handler of atexit prints what threads did, while a detached thread may still count.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int n, begun;
static atomic_int beats;

static int get(const int *what)
{
	int v;

	pthread_mutex_lock(&lock);
	v = *what;
	pthread_mutex_unlock(&lock);
	return v;
}

static void report(void)
{
	int first = get(&n);

	printf("%s, then %s, %s\n", first == 8 ? "all" : "some", get(&n) == 8 ? "all" : "some",
	       get(&begun) ? "begun" : "not begun");
	printf("%s\n", atomic_load(&beats) ? "beats" : "silence");
}

static void *background(void *unused)
{
	pthread_mutex_lock(&lock);
	begun = 1;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 8; i++) {
		atomic_fetch_add(&beats, 1);
		pthread_mutex_lock(&lock);
		n++;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t t;

	assert(atexit(report) == 0);
	pthread_create(&t, NULL, background, NULL);
	pthread_detach(t);
	return get(&n) > 8;
}
