/*
 * A timeout closes a connection between two requests of its worker. All accesses and the free are
 * under one lock.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct connection {
	int requests, open;
	char buffer[64];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection *connection;

static void serve(struct connection *c, const char *text)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	if (connection == c) {
#else
	{
#endif
		strcpy(c->buffer, text);
		c->requests++;
	}
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
	struct connection *c = arg;

	serve(c, "first");
	serve(c, "second");
	return NULL;
}

static void *timeout(void *arg)
{
	pthread_mutex_lock(&lock);
	connection = NULL;
	free(arg);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	connection = calloc(1, sizeof(*connection));
	pthread_create(&a, NULL, worker, connection);
	pthread_create(&b, NULL, timeout, connection);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
