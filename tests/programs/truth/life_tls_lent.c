/*
 * A thread lends the address of its thread-local variable, and stays until the borrower has given
 * it back.
 */
#include "truth.h"
static _Thread_local int mine;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int *lent, returned;
static void *lender(void *unused)
{
	(void)unused;
	mine = 5;
	pthread_mutex_lock(&lock);
	lent = &mine;
	pthread_cond_broadcast(&changed);
	while (!returned)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	assert(mine == 6);
	return NULL;
}
static void *borrower(void *unused)
{
	int *p;

	(void)unused;
	mine = 1;
	pthread_mutex_lock(&lock);
	while (!lent)
		pthread_cond_wait(&changed, &lock);
	p = lent;
	pthread_mutex_unlock(&lock);
	*p += mine;
	pthread_mutex_lock(&lock);
	returned = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	for (int i = 0; i < 2; i++) {
		lent = NULL;
		returned = 0;
		both(lender, borrower, NULL);
	}
	return 0;
}
