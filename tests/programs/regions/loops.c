/*
 * The auditor adds up an array in a loop, which the trace has as one event. A transfer changes two
 * elements, one after the other:
 *   OWN    each account has a lock; the auditor holds all of them
 *   ONE    one lock guards all bins, several of which share eight bytes
 *   COPY   the auditor copies a struct of two fields under the lock
 *   FILL   a thread clears the array in a loop; the reader takes two elements in two regions
 * FIXED: the transfer, or the reader, is one region.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define N 12

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#if defined(OWN)
static struct account {
	pthread_mutex_t lock;
	long money;
} *account;

static void set_up(void)
{
	account = calloc(N, sizeof(*account));
	for (int i = 0; i < N; i++) {
		pthread_mutex_init(&account[i].lock, NULL);
		account[i].money = 10;
	}
}

static NOINLINE void transfer(int from, int to)
{
	pthread_mutex_lock(&account[from].lock);
#ifdef FIXED
	pthread_mutex_lock(&account[to].lock);
	account[from].money--;
	account[to].money++;
	pthread_mutex_unlock(&account[from].lock);
#else
	account[from].money--;
	pthread_mutex_unlock(&account[from].lock);
	pthread_mutex_lock(&account[to].lock);
	account[to].money++;
#endif
	pthread_mutex_unlock(&account[to].lock);
}

static NOINLINE void audit(void)
{
	long sum = 0;

	for (int i = 0; i < N; i++)
		pthread_mutex_lock(&account[i].lock);
	for (int i = 0; i < N; i++)
		sum += account[i].money;
	for (int i = 0; i < N; i++)
		pthread_mutex_unlock(&account[i].lock);
	if (sum != 10 * N)
		abort();
}
#elif defined(ONE)
static int bin[N];

static void set_up(void)
{
	bin[2] = 1;
}

static NOINLINE void transfer(int from, int to)
{
	pthread_mutex_lock(&lock);
	bin[to]--;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	bin[from]++;
	pthread_mutex_unlock(&lock);
}

static NOINLINE void audit(void)
{
	int sum = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < N; i++)
		sum += bin[i];
	pthread_mutex_unlock(&lock);
	if (sum != 1)
		abort();
}
#elif defined(COPY)
static struct span {
	long from, to, more[8];
} span;

static void set_up(void)
{
	span.to = 1;
}

static NOINLINE void transfer(int from, int to)
{
	pthread_mutex_lock(&lock);
	span.from += to;
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	span.to += to + from - from;
	pthread_mutex_unlock(&lock);
}

static NOINLINE void audit(void)
{
	struct span s;

	pthread_mutex_lock(&lock);
	memcpy(&s, &span, sizeof(s));
	pthread_mutex_unlock(&lock);
	if (s.to - s.from != 1)
		abort();
}
#else /* FILL */
static long price[N];

static void set_up(void)
{
	for (int i = 0; i < N; i++)
		price[i] = 7;
}

static NOINLINE void transfer(int from, int to)
{
	long a, b;

	pthread_mutex_lock(&lock);
	a = price[from];
#ifndef FIXED
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
#endif
	b = price[to];
	pthread_mutex_unlock(&lock);
	if (a != b)
		abort();
}

static NOINLINE void audit(void)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < N; i++)
		price[i] = 0;
	pthread_mutex_unlock(&lock);
}
#endif

static void *mover(void *arg)
{
	transfer(2, 7);
	return arg;
}

static void *auditor(void *arg)
{
	audit();
	return arg;
}

int main(void)
{
	pthread_t t[2];

	set_up();
	pthread_create(&t[0], NULL, mover, NULL);
	pthread_create(&t[1], NULL, auditor, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	(void)lock;
	return 0;
}
