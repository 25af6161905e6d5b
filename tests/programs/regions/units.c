/*
 * One thread uses two locations together, another changes them one after the other, as one piece of work:
 *   TEXT     a transfer debits under one lock and credits under another; the auditor holds both locks
 *   CALLS    likewise, in functions that lock by themselves
 *   SAME     likewise, by two calls of one function
 *   COUNTERS a look-up counts itself and then its hit, both atomic; the reporter reads both
 *   GETTERS  likewise, in functions
 * FIXED: the transfer holds both locks; the reporter reads the counters in the order that makes sense.
 * HARMLESS: the auditor or reporter has no expectation.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NOINLINE __attribute__((noinline))

int last;

#if defined(COUNTERS) || defined(GETTERS)
static atomic_int lookups, hits;

static void *change(void *arg)
{
	atomic_fetch_add(&lookups, 1);
	atomic_fetch_add(&hits, 1);
	return arg;
}

static NOINLINE int get(const atomic_int *c)
{
	return atomic_load(c);
}

static void *watch(void *arg)
{
	int all, found;

#ifdef FIXED
	found = atomic_load(&hits);
	all = atomic_load(&lookups);
#elif defined(GETTERS)
	all = get(&lookups);
	found = get(&hits);
#else
	all = atomic_load(&lookups);
	found = atomic_load(&hits);
#endif
#ifdef HARMLESS
	last = all + found;
#else
	assert(found <= all);
#endif
	(void)get;
	return arg;
}
#else
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int giro = 100, savings;

static NOINLINE void debit(int n)
{
	pthread_mutex_lock(&lock[0]);
	giro -= n;
	pthread_mutex_unlock(&lock[0]);
}

static NOINLINE void credit(int n)
{
	pthread_mutex_lock(&lock[1]);
	savings += n;
	pthread_mutex_unlock(&lock[1]);
}

static NOINLINE void add(int *to, pthread_mutex_t *guard, int n)
{
	pthread_mutex_lock(guard);
	*to += n;
	pthread_mutex_unlock(guard);
}

static void *change(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&lock[0]);
	pthread_mutex_lock(&lock[1]);
	giro -= 40;
	savings += 40;
	pthread_mutex_unlock(&lock[1]);
	pthread_mutex_unlock(&lock[0]);
#elif defined(TEXT)
	pthread_mutex_lock(&lock[0]);
	giro -= 40;
	pthread_mutex_unlock(&lock[0]);
	pthread_mutex_lock(&lock[1]);
	savings += 40;
	pthread_mutex_unlock(&lock[1]);
#elif defined(CALLS)
	debit(40);
	credit(40);
#else
	add(&giro, &lock[0], -40);
	add(&savings, &lock[1], 40);
#endif
	(void)debit;
	(void)credit;
	(void)add;
	return arg;
}

static void *watch(void *arg)
{
	int sum;

	pthread_mutex_lock(&lock[0]);
	pthread_mutex_lock(&lock[1]);
	sum = giro + savings;
	pthread_mutex_unlock(&lock[1]);
	pthread_mutex_unlock(&lock[0]);
#ifdef HARMLESS
	last = sum;
#else
	assert(sum == 100);
#endif
	return arg;
}
#endif

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, change, NULL);
	pthread_create(&b, NULL, watch, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
