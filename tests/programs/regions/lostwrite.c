/*
 * A printer. The job says that it prints, and then that the printer is ready; the operator takes it
 * off the net in between, and the job's second write wins: W-W-W. FIXED: the job leaves a printer
 * alone that is off the net. HARMLESS: nobody minds. ATOMIC: atomic accesses instead of a lock.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>

enum { READY, PRINTING, OFFLINE };

static int pages;
int last;
#ifdef ATOMIC
static _Atomic int state;
#define ENTER() ((void)0)
#define LEAVE() ((void)0)
#else
static int state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define ENTER() pthread_mutex_lock(&lock)
#define LEAVE() pthread_mutex_unlock(&lock)
#endif

static void *job(void *arg)
{
#if defined(FIXED) && defined(ATOMIC)
	int was = READY;

	if (!__atomic_compare_exchange_n((int *)&state, &was, PRINTING, 0, 5, 5))
		return arg;
	pages++;
	was = PRINTING;
	__atomic_compare_exchange_n((int *)&state, &was, READY, 0, 5, 5);
#elif defined(FIXED)
	ENTER();
	if (state == READY)
		state = PRINTING;
	LEAVE();
	pages++;
	ENTER();
	if (state == PRINTING)
		state = READY;
	LEAVE();
#else
	ENTER();
	state = PRINTING;
	LEAVE();
	pages++;
	ENTER();
	state = READY;
	LEAVE();
#endif
	return arg;
}

static void *operate(void *arg)
{
	ENTER();
	state = OFFLINE;
	LEAVE();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, job, NULL);
	pthread_create(&b, NULL, operate, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#ifdef HARMLESS
	last = state;
	assert(pages <= 1);
#else
	assert(state == OFFLINE && pages <= 1);
#endif
	return 0;
}
