/*
 * A bank lock makes a transfer one unit; each access also takes the lock of the account. A deposit
 * takes only the lock of the account, so it can come into the transfer, which then writes over it.
 * FIXED: the deposit takes the bank lock, too.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t bank = PTHREAD_MUTEX_INITIALIZER, account = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int get(void)
{
	int ret;

	pthread_mutex_lock(&account);
	ret = balance;
	pthread_mutex_unlock(&account);
	return ret;
}

static void set(int to)
{
	pthread_mutex_lock(&account);
	balance = to;
	pthread_mutex_unlock(&account);
}

static void *transfer(void *arg)
{
	int old;

	pthread_mutex_lock(&bank);
	old = get();
	set(old - 10);
	pthread_mutex_unlock(&bank);
	return arg;
}

static void *deposit(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&bank);
#endif
	pthread_mutex_lock(&account);
	balance += 50;
	pthread_mutex_unlock(&account);
#ifdef FIXED
	pthread_mutex_unlock(&bank);
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, transfer, NULL);
	pthread_create(&t[1], NULL, deposit, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(balance == 140);
}
