/*
 * Accounts, as in IBM's collection of concurrent bugs. Each account has a lock. A transfer holds
 * only the lock of the account from which it takes money. So the amount that it adds to the other
 * account can be lost, or can undo a deposit or a withdrawal there. The auditor reads one account
 * after the other. It counts money twice if a transfer moves it from an account already read to one
 * not yet read.
 *
 * Accesses of savings.amount: the transfer reads and writes it (holding `giro`), deposit and
 * withdrawal do so too (holding `savings`), and the auditor reads it. There are three pairs of a
 * read and a write. In the transfer's pair, one write of each of the two others can come between.
 * In the other two pairs, only the transfer's write can. That makes two, one and one interleavings.
 * The audit has one: the whole transfer between its two reads.
 *
 * expect: atomicity-violation savings.amount read@credit write@credit
 * between: write@deposit write@withdraw
 * harm: assert accounts.c:
 * expect: atomicity-violation savings.amount read@deposit write@deposit
 * between: write@credit
 * harm: assert accounts.c:
 * expect: atomicity-violation savings.amount read@cover write@withdraw
 * between: write@credit
 * harm: assert accounts.c:
 * expect: atomic-set-violation giro.amount+savings.amount read@first read@second write@debit write@credit
 * harm: assert accounts.c:@books: Assertion `in_order(sum)' failed
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct account {
	pthread_mutex_t lock;
	long amount;
};

static struct account giro = {PTHREAD_MUTEX_INITIALIZER, 500};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 600};
static pthread_mutex_t audit = PTHREAD_MUTEX_INITIALIZER;

static void *transfer(void *arg)
{
	long n = 99;

	pthread_mutex_lock(&giro.lock);
#ifdef FIXED
	pthread_mutex_lock(&savings.lock);
#endif
	giro.amount -= n;    /* @debit */
	savings.amount += n; /* @credit */
#ifdef FIXED
	pthread_mutex_unlock(&savings.lock);
#endif
	pthread_mutex_unlock(&giro.lock);
	return arg;
}

static void *deposit(void *arg)
{
	pthread_mutex_lock(&savings.lock);
	savings.amount += 300; /* @deposit */
	pthread_mutex_unlock(&savings.lock);
	return arg;
}

static void *withdraw(void *arg)
{
	long n = 100, have;

	pthread_mutex_lock(&savings.lock);
	have = savings.amount; /* @cover */
	if (have >= n)
		savings.amount = have - n; /* @withdraw */
	pthread_mutex_unlock(&savings.lock);
	return arg;
}

/* Transfers leave the sum as it is; deposit and withdrawal may have been made or not. */
static bool in_order(long sum)
{
	return sum == 1100 || sum == 1400 || sum == 1000 || sum == 1300;
}

static void *auditor(void *arg)
{
	long sum;

	pthread_mutex_lock(&audit);
	pthread_mutex_lock(&giro.lock);
#ifdef FIXED
	pthread_mutex_lock(&savings.lock);
#endif
	sum = giro.amount; /* @first */
#ifndef FIXED
	pthread_mutex_unlock(&giro.lock);
	pthread_mutex_lock(&savings.lock);
#endif
	sum += savings.amount; /* @second */
	pthread_mutex_unlock(&savings.lock);
#ifdef FIXED
	pthread_mutex_unlock(&giro.lock);
#endif
	pthread_mutex_unlock(&audit);
	assert(in_order(sum)); /* @books */
	return arg;
}

int main(void)
{
	void *(*const job[])(void *) = {transfer, deposit, withdraw, auditor};
	pthread_t t[4];
	long total;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, job[i], NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	total = giro.amount + savings.amount;
	assert(total == 1300); /* @total */
	printf("%ld and %ld\n", giro.amount, savings.amount);
	return 0;
}
