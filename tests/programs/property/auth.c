/*
 * Two threads that share nothing but two events: nothing orders the use after the authentication.
 * order: creation
 * spec: auth.spec
 */
#include <forerun.h>
#include <pthread.h>
static void *auth(void *a) { FORERUN_EVENT("auth"); return a; }
static void *use(void *a) { FORERUN_EVENT("use"); return a; }
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, auth, 0);
#ifdef FIXED
	pthread_join(a, 0);
#endif
	pthread_create(&b, 0, use, 0);
#ifndef FIXED
	pthread_join(a, 0);
#endif
	pthread_join(b, 0);
	return 0;
}
