/*
 * The bank account after an incomplete repair, as in AVPredictor's figure 1: the withdrawal has one
 * critical section now, so that the deposit, which has the lock, cannot come between. The interest,
 * still credited without the lock, can.
 *
 * Three threads, one operation each. The interest's write comes between read and write of the
 * withdrawal, and of the deposit; their writes come between its own. Four interleavings of the five
 * are left: the deposit's write in the withdrawal is gone.
 *
 * expect: atomicity-violation account.balance|a->balance read@seen write@pay
 * between: write@interest
 * harm: assert bankfix.c:@sum: Assertion `account.balance == 95' failed
 * expect: atomicity-violation account.balance|a->balance read@deposit write@deposit
 * between: write@interest
 * harm: assert bankfix.c:@sum: Assertion `account.balance == 95' failed
 * expect: atomicity-violation account.balance|a->balance read@interest write@interest
 * between: write@pay write@deposit
 * harm: assert bankfix.c:@sum: Assertion `account.balance == 95' failed
 * order: creation
 * only:
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
	if (seen < amount) {
		pthread_mutex_unlock(&a->lock);
		return -1;
	}
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
