/*
 * A user's own function ends the program. The compiler cannot know that.
 * The twin waits until the account is open.
 *
 * order: creation
 * build: --forerun-fails=die
 * harm: exit
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
unsigned char is_open;
long balance;
void (*volatile ends)(int) = exit;

void die(const char *why)
{
	fprintf(stderr, "%s\n", why);
	ends(3);
}

static void *opens(void *arg)
{
	pthread_mutex_lock(&lock);
	is_open = 1;
	pthread_cond_broadcast(&opened);
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *deposit(void *arg)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	while (!is_open)
		pthread_cond_wait(&opened, &lock);
#endif
	if (!is_open)
		die("not open"); /* @fails */
	balance += 10;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, opens, NULL);
	pthread_create(&b, NULL, deposit, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
