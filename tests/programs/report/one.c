/*
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int *p;
int plain;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void take(void)
{
#ifdef LOCKED
	pthread_mutex_lock(&lock);
#endif
}
static void give(void)
{
#ifdef LOCKED
	pthread_mutex_unlock(&lock);
#endif
}
static void *use(void *arg)
{
	take();
	plain += *p;
	give();
	return arg;
}
static void *end(void *arg)
{
	take();
	p = NULL;
#ifdef OTHER
	plain = 0;
#endif
	give();
	return arg;
}
int main(void)
{
	pthread_t a, b;
	p = malloc(sizeof(*p));
	*p = 1;
	pthread_create(&a, NULL, use, NULL);
	pthread_create(&b, NULL, end, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", plain);
	return 0;
}
