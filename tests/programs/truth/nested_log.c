/*
 * A log with two fields behind a lock of its own: accounts log under their locks, an auditor reads
 * the log without them.
 */
#include "truth.h"
struct account {
	pthread_mutex_t lock;
	int balance;
};
static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines, bytes;

static void note(int n)
{
	pthread_mutex_lock(&log_lock);
	lines++;
	bytes += n;
	pthread_mutex_unlock(&log_lock);
}

static void *work(void *arg)
{
	struct account *a = arg;

	pthread_mutex_lock(&a->lock);
	note(10);
	a->balance -= 5;
	if (a->balance < 100)
		note(10);
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

static void *audit(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&log_lock);
		assert(bytes == 10 * lines);
		pthread_mutex_unlock(&log_lock);
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, work, &accounts[0]);
	pthread_create(&t[1], NULL, work, &accounts[1]);
	pthread_create(&t[2], NULL, audit, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(lines == 4 && bytes == 40);
}
