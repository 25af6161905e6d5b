/*
 * A function says whether a session is valid, with several returns. A thread ends the program if it
 * is not. Another thread closes the session.
 * The twin waits with that until the first thread has ended.
 *
 * order: creation
 * harm: exit
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct session {
	int id, users;
} * session;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool valid(const struct session *s)
{
	if (!s->id)
		return false;
	if (s->users > 10)
		return false;
	return true;
}

static void *use(void *arg)
{
	pthread_mutex_lock(&lock);
	if (!valid(session))
		exit(5); /* @fails */
	session->users++;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *close_session(void *arg)
{
#ifdef FIXED
	pthread_join(*(pthread_t *)arg, NULL);
#endif
	pthread_mutex_lock(&lock);
	session->id = 0;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	session = calloc(1, sizeof(*session));
	session->id = 7;
	pthread_create(&a, NULL, use, NULL);
	pthread_create(&b, NULL, close_session, &a);
#ifndef FIXED
	pthread_join(a, NULL);
#endif
	pthread_join(b, NULL);
	free(session);
	return 0;
}
