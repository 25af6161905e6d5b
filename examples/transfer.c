/*
 * Two accounts, each with its lock; a transfer locks the one it takes from, then the one it gives
 * to. Two transfers in opposite directions at the same time block each other for ever. In an
 * ordinary run the second starts when the first is over, and nothing orders them but the clock.
 *
 *	forerun-cc -g -pthread transfer.c -o transfer
 *	forerun run ./transfer
 *	forerun replay forerun.d/transfer.1/1
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct account {
	pthread_mutex_t lock;
	long balance;
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 1000};
static struct account current = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, long amount)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *standing_order(void *arg)
{
	(void)arg;
	transfer(&savings, &current, 200);
	return NULL;
}

static void *end_of_month(void *arg)
{
	(void)arg;
	usleep(100000);
	transfer(&current, &savings, 50);
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, NULL, standing_order, NULL);
	pthread_create(&t2, NULL, end_of_month, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("savings %ld, current %ld\n", savings.balance, current.balance);
	return 0;
}
