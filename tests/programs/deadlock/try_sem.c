/*
 * Both threads try in loops: for a read-write lock and for a semaphore, in members of a structure.
 * order: creation
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static struct account {
	pthread_rwlock_t lock;
	sem_t permit;
	int sum;
} account;

static void add(struct account *a, int n)
{
	a->sum += n;
	sem_post(&a->permit);
	pthread_rwlock_unlock(&a->lock);
}

static void *deposit(void *arg)
{
	struct account *a = arg;

	while (pthread_rwlock_trywrlock(&a->lock) == EBUSY)
		;
	while (sem_trywait(&a->permit) == -1)
		sched_yield();
	add(a, 1);
	return NULL;
}

static void *withdraw(void *arg)
{
	struct account *a = arg;
	int r;

#ifdef FIXED
	do
		r = pthread_rwlock_trywrlock(&a->lock);
	while (r != 0);
	sem_wait(&a->permit);
#else
	sem_wait(&a->permit);
	do
		r = pthread_rwlock_trywrlock(&a->lock);
	while (r != 0);
#endif
	add(a, -1);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_rwlock_init(&account.lock, NULL);
	sem_init(&account.permit, 0, 1);
	pthread_create(&t[0], NULL, deposit, &account);
	pthread_create(&t[1], NULL, withdraw, &account);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return account.sum;
}
