/*
 * The session is used by a thread that nothing orders after the authentication.
 * order: creation
 * spec: authenticate
 */
#include <forerun.h>
#include <pthread.h>
#include <stdlib.h>

static void *session;

static void *authenticate(void *arg)
{
	FORERUN_EVENT("authenticate", session);
	return arg;
}

static void *use(void *arg)
{
	FORERUN_EVENT("use", session);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	session = malloc(8);
	pthread_create(&a, NULL, authenticate, NULL);
#ifdef FIXED
	pthread_join(a, NULL);
#endif
	pthread_create(&b, NULL, use, NULL);
#ifndef FIXED
	pthread_join(a, NULL);
#endif
	pthread_join(b, NULL);
	free(session);
	return 0;
}
