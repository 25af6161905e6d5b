/*
 * One thread uses two locations together, another changes them one after the other, as one piece of
 * work:
 *   TEXT     a transfer debits under one lock and credits under another; the auditor holds both
 *            locks
 *   CALLS    likewise, in functions that lock by themselves
 *   SAME     likewise, by two calls of one function
 *   LOOP     likewise, in two iterations of a loop
 *   TURNS    likewise, in two iterations that go different ways, the first further down
 *   SEMS     likewise, with semaphores of one unit as locks
 *   COUNTERS a look-up counts itself and then its hit, both atomic; the reporter reads both
 *   GETTERS  likewise, in functions
 *   BUMPS    likewise, each count in a call of one function
 * FIXED: the transfer holds both locks; the reporter reads the counters in the order that makes
 * sense. HARMLESS: the auditor or reporter has no expectation.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define NOINLINE __attribute__((noinline))

int last;

#if defined(COUNTERS) || defined(GETTERS) || defined(BUMPS)
static atomic_int lookups, hits;

static inline void bump(atomic_int *c)
{
	atomic_fetch_add(c, 1);
}

static void *change(void *arg)
{
#ifdef BUMPS
	bump(&lookups);
	bump(&hits);
#else
	atomic_fetch_add(&lookups, 1);
	atomic_fetch_add(&hits, 1);
	(void)bump;
#endif
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
#ifdef SEMS
#define lock_t sem_t
#define LOCK sem_wait
#define UNLOCK sem_post
#else
#define lock_t pthread_mutex_t
#define LOCK pthread_mutex_lock
#define UNLOCK pthread_mutex_unlock
#endif
static lock_t lock[2];
static int giro = 100, savings;

static NOINLINE void debit(int n)
{
	LOCK(&lock[0]);
	giro -= n;
	UNLOCK(&lock[0]);
}

static NOINLINE void credit(int n)
{
	LOCK(&lock[1]);
	savings += n;
	UNLOCK(&lock[1]);
}

static NOINLINE void add(int *to, lock_t *guard, int n)
{
	LOCK(guard);
	*to += n;
	UNLOCK(guard);
}

static void *change(void *arg)
{
#ifdef FIXED
	LOCK(&lock[0]);
	LOCK(&lock[1]);
	giro -= 40;
	savings += 40;
	UNLOCK(&lock[1]);
	UNLOCK(&lock[0]);
#elif defined(TEXT) || defined(SEMS)
	LOCK(&lock[0]);
	giro -= 40;
	UNLOCK(&lock[0]);
	LOCK(&lock[1]);
	savings += 40;
	UNLOCK(&lock[1]);
#elif defined(CALLS)
	debit(40);
	credit(40);
#elif defined(LOOP)
	int *account[] = {&giro, &savings};

	for (int i = 0; i < 2; i++) {
		LOCK(&lock[i]);
		*account[i] += i ? 40 : -40;
		UNLOCK(&lock[i]);
	}
#elif defined(TURNS)
	for (int i = 0; i < 2; i++) {
		if (i) {
			LOCK(&lock[1]);
			savings += 40;
			UNLOCK(&lock[1]);
		} else {
			LOCK(&lock[0]);
			giro -= 40;
			UNLOCK(&lock[0]);
		}
	}
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

	LOCK(&lock[0]);
	LOCK(&lock[1]);
	sum = giro + savings;
	UNLOCK(&lock[1]);
	UNLOCK(&lock[0]);
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

#ifdef SEMS
	for (int i = 0; i < 2; i++)
		sem_init(&lock[i], 0, 1);
#elif defined(lock_t)
	for (int i = 0; i < 2; i++)
		pthread_mutex_init(&lock[i], NULL);
#endif
	pthread_create(&a, NULL, change, NULL);
	pthread_create(&b, NULL, watch, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
