/*
 * The reader and the writer of a connection both end by an error, look whether the other has
 * destroyed the connection, and destroy it.
 * The twin looks and marks in one lock region.
 *
 * order: creation
 * expect: double-free
 * harm: crash
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct connection {
	char *input, *output;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection *connection;
static bool destroyed;

static bool is_destroyed(void)
{
	bool d;

	pthread_mutex_lock(&lock);
	d = destroyed;
#ifdef FIXED
	destroyed = true;
#endif
	pthread_mutex_unlock(&lock);
	return d;
}

static void destroy(void)
{
	if (is_destroyed())
		return;
	free(connection->input);
	free(connection->output);
	free(connection);
	pthread_mutex_lock(&lock);
	destroyed = true;
	pthread_mutex_unlock(&lock);
}

static void *reader(void *arg)
{
	destroy();
	return arg;
}

static void *writer(void *arg)
{
	destroy();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	connection = malloc(sizeof(*connection));
	connection->input = malloc(100);
	connection->output = malloc(200);
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
