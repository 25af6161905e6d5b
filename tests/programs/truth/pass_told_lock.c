/*
 * One thread releases a lock, a second one sends a message about it, and a third one checks for the
 * message and then tries the lock. With the message it must get the lock. Without, the lock may be
 * taken.
 */
#include "truth.h"
#include <semaphore.h>
#include <stdatomic.h>

enum { MUTEX, TIMED, SPIN, WRITE, READ, COND, JOIN, KINDS };

static int kind;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, cm = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t s;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t taken, given, looked;
static pthread_t holder_thread;
static _Atomic int told, done;

static void *holder(void *unused)
{
	switch (kind) {
	case MUTEX:
	case TIMED:
		pthread_mutex_lock(&m);
		break;
	case SPIN:
		pthread_spin_lock(&s);
		break;
	case WRITE:
	case READ:
		pthread_rwlock_wrlock(&rw);
		break;
	default:
		break;
	}
	sem_post(&taken);
	tick();
	switch (kind) {
	case MUTEX:
	case TIMED:
		pthread_mutex_unlock(&m);
		break;
	case SPIN:
		pthread_spin_unlock(&s);
		break;
	case WRITE:
	case READ:
		pthread_rwlock_unlock(&rw);
		break;
	case COND:
		pthread_mutex_lock(&cm);
		done = 1;
		pthread_cond_broadcast(&c);
		pthread_mutex_unlock(&cm);
		break;
	default:
		break;
	}
	if (kind != JOIN)
		sem_post(&given);
	return unused;
}

static void *teller(void *unused)
{
	if (kind == JOIN)
		pthread_join(holder_thread, NULL);
	else
		sem_wait(&given);
	told = 1;
	return unused;
}

static int gets_it(void)
{
	struct timespec soon;
	int r = 1;

	clock_gettime(CLOCK_REALTIME, &soon);
	switch (kind) {
	case MUTEX:
		if ((r = !pthread_mutex_trylock(&m)))
			pthread_mutex_unlock(&m);
		break;
	case TIMED:
		if ((r = !pthread_mutex_timedlock(&m, &soon)))
			pthread_mutex_unlock(&m);
		break;
	case SPIN:
		if ((r = !pthread_spin_trylock(&s)))
			pthread_spin_unlock(&s);
		break;
	case WRITE:
		if ((r = !pthread_rwlock_trywrlock(&rw)))
			pthread_rwlock_unlock(&rw);
		break;
	case READ:
		if ((r = !pthread_rwlock_tryrdlock(&rw)))
			pthread_rwlock_unlock(&rw);
		break;
	case COND:
		pthread_mutex_lock(&cm);
		if (!done)
			pthread_cond_timedwait(&c, &cm, &soon);
		r = done;
		pthread_mutex_unlock(&cm);
		break;
	default:
		r = kill(getpid(), 0) == 0;
		break;
	}
	return r;
}

static void *looker(void *unused)
{
	int was_told;

	sem_wait(&taken);
	was_told = told;
	assert(gets_it() || !was_told);
	assert(look());
	return unused;
}

int main(void)
{
	pthread_spin_init(&s, 0);
	for (kind = 0; kind < KINDS; kind++) {
		pthread_t t, l;

		told = done = 0;
		assert(sem_init(&taken, 0, 0) == 0 && sem_init(&given, 0, 0) == 0 && sem_init(&looked, 0, 0) == 0);
		pthread_create(&l, NULL, looker, NULL);
		pthread_create(&holder_thread, NULL, holder, NULL);
		pthread_create(&t, NULL, teller, NULL);
		pthread_join(l, NULL);
		pthread_join(t, NULL);
		if (kind != JOIN)
			pthread_join(holder_thread, NULL);
	}
	return 0;
}
