/*
 * A worker looks a session up under the lock and uses it later. Another thread closes the session
 * in between, and a new session takes its place.
 * The twin uses it under the lock.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

struct session {
	int id, uses;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;
static int total;

static void *worker(void *arg)
{
	struct session *s;

	pthread_mutex_lock(&lock);
	s = current;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	s->uses++;
	total += s->id;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *closer(void *arg)
{
	pthread_mutex_lock(&lock);
	struct session *old = current, *s = malloc(sizeof(*s));

	s->id = 2;
	s->uses = 0;
	current = s;
	pthread_mutex_unlock(&lock);
	free(old);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	current = malloc(sizeof(*current));
	current->id = 1;
	current->uses = 0;
	pthread_create(&a, NULL, closer, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(current);
	return 0;
}
