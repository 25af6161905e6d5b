/*
 * A login server in one process: a client asks about a session that another client may end.
 * The twin answers that there is none.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct session {
	int user;
	int requests;
};
struct session *session[2];

static void login(int k, int user)
{
	struct session *s = calloc(1, sizeof(*s));

	s->user = user;
	pthread_mutex_lock(&lock);
	session[k] = s;
	pthread_mutex_unlock(&lock);
}

static int request(int k)
{
	int user = -1;

	pthread_mutex_lock(&lock);
#ifdef FIXED
	if (session[k])
#endif
	{
		session[k]->requests++; /* @use */
		user = session[k]->user;
	}
	pthread_mutex_unlock(&lock);
	return user;
}

static void logout(int k)
{
	pthread_mutex_lock(&lock);
	session[k] = NULL;
	pthread_mutex_unlock(&lock);
}

static void *first(void *arg)
{
	request(1);
	return arg;
}

static void *second(void *arg)
{
	logout(1);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	login(1, 17);
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
