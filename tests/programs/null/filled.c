/*
 * A thread looks a session up, and uses it in a second lock region. Another clears the whole table
 * with memset in between. The twin looks again before it uses the session.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
	int id, uses;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct session *table[40];
int count = 1;

static void *serve(void *arg)
{
	int found;

	pthread_mutex_lock(&lock);
	found = count > 0;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#ifdef FIXED
	found = found && table[7];
#endif
	if (found)
		table[7]->uses++; /* @use */
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *reset(void *arg)
{
	pthread_mutex_lock(&lock);
	memset(table, 0, sizeof(table));
	count = 0;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	table[7] = calloc(1, sizeof(**table));
	pthread_create(&t[0], NULL, serve, NULL);
	pthread_create(&t[1], NULL, reset, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", count);
	return 0;
}
