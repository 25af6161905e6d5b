/* The owner closes the object to new users, waits until none is left, and frees it. */
#include "truth.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t none = PTHREAD_COND_INITIALIZER;
static int *shared, users;
static int *get(void)
{
	int *p;

	pthread_mutex_lock(&lock);
	p = shared;
	if (p)
		users++;
	pthread_mutex_unlock(&lock);
	return p;
}
static void put(void)
{
	pthread_mutex_lock(&lock);
	if (--users == 0)
		pthread_cond_signal(&none);
	pthread_mutex_unlock(&lock);
}
static void *user(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		int *p = get();

		if (!p)
			return NULL;
		assert(p[0] == 7 && p[1] == 8);
		put();
	}
	return NULL;
}
static void *owner(void *unused)
{
	int *old;

	(void)unused;
	pthread_mutex_lock(&lock);
	old = shared;
	shared = NULL;
	while (users)
		pthread_cond_wait(&none, &lock);
	pthread_mutex_unlock(&lock);
	memset(old, 0, 2 * sizeof(*old));
	free(old);
	return NULL;
}
int main(void)
{
	shared = malloc(2 * sizeof(*shared));
	shared[0] = 7;
	shared[1] = 8;
	return both(user, owner, NULL);
}
