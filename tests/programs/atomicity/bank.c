/*
 * A bank account, as the first of AVPredictor's subjects. A withdrawal looks at the balance in one
 * critical section and writes the new one in another; a deposit has one critical section for both;
 * the interest is credited without the lock.
 *
 * Three threads, one operation each, so there are three local pairs, read and write. Between the
 * two of the withdrawal come the other two's writes; between those of the deposit that of the
 * interest alone (the withdrawal's has the lock); between those of the interest the other two's.
 * Five interleavings; each loses an update.
 *
 * expect: atomicity-violation account.balance|a->balance read@seen write@pay
 * between: write@deposit write@interest
 * harm: assert bank.c:@sum: Assertion `account.balance == 95' failed
 * expect: atomicity-violation account.balance|a->balance read@deposit write@deposit
 * between: write@interest
 * harm: assert bank.c:@sum: Assertion `account.balance == 95' failed
 * expect: atomicity-violation account.balance|a->balance read@interest write@interest
 * between: write@pay write@deposit
 * harm: assert bank.c:@sum: Assertion `account.balance == 95' failed
 * only:
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ENTRIES 8

struct account {
	pthread_mutex_t lock;
	long balance;
	int number;
};

struct entry {
	const char *what;
	long amount;
};

static struct account account = {PTHREAD_MUTEX_INITIALIZER, 0, 4711};

/* The operations, for the statement at the end. */
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry journal[ENTRIES];
static int entries;

static void note(const char *what, long amount)
{
	pthread_mutex_lock(&journal_lock);
	journal[entries].what = what;
	journal[entries].amount = amount;
	entries++;
	pthread_mutex_unlock(&journal_lock);
}

static int withdraw(struct account *a, long amount)
{
	long seen;

	pthread_mutex_lock(&a->lock);
	seen = a->balance; /* @seen */
#ifndef FIXED
	pthread_mutex_unlock(&a->lock);
#endif
	if (seen < amount) {
#ifdef FIXED
		pthread_mutex_unlock(&a->lock);
#endif
		return -1;
	}
#ifndef FIXED
	pthread_mutex_lock(&a->lock);
#endif
	a->balance = seen - amount; /* @pay */
	pthread_mutex_unlock(&a->lock);
	note("withdrawal", -amount);
	return 0;
}

static void deposit(struct account *a, long amount)
{
	pthread_mutex_lock(&a->lock);
	a->balance += amount; /* @deposit */
	pthread_mutex_unlock(&a->lock);
	note("deposit", amount);
}

static void credit_interest(struct account *a, long amount)
{
#ifdef FIXED
	pthread_mutex_lock(&a->lock);
#endif
	a->balance += amount; /* @interest */
#ifdef FIXED
	pthread_mutex_unlock(&a->lock);
#endif
	note("interest", amount);
}

static void *customer(void *arg)
{
	int *refused = arg;

	*refused = withdraw(&account, 60) < 0;
	return NULL;
}

static void *employer(void *arg)
{
	deposit(&account, 50);
	return arg;
}

static void *night(void *arg)
{
	credit_interest(&account, 5);
	return arg;
}

/* What the balance should be. */
static long statement(void)
{
	long sum = 0;

	for (int i = 0; i < entries; i++)
		sum += journal[i].amount;
	return sum;
}

int main(void)
{
	pthread_t t[3];
	int refused = 0;

	account.balance = 100;
	note("opening", 100);
	pthread_create(&t[0], NULL, customer, &refused);
	pthread_create(&t[1], NULL, employer, NULL);
	pthread_create(&t[2], NULL, night, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(!refused);
	assert(statement() == 95);
	assert(account.balance == 95); /* @sum */
	printf("account %d, %d entries: %ld\n", account.number, entries, account.balance);
	return 0;
}
