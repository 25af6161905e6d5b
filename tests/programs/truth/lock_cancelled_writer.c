/*
 * A writer-preferring lock by hand (mutex + two conditions), a ticket semaphore, and priority-inheritance mutexes with
 * robust attribute; cancellation with cleanup handlers leaves all of them consistent.
 */
#include "truth.h"

static struct {
	pthread_mutex_t m;
	pthread_cond_t r, w;
	int readers, writers, waiting;
} rw = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
static pthread_mutex_t pi;
static int data[2], reads, cancelled, sleepers;
static pthread_key_t key;
static int destroyed;

static void unlock_m(void *m)
{
	pthread_mutex_unlock(m);
}

static void not_waiting(void *unused)
{
	(void)unused;
	rw.waiting--;
	pthread_cond_broadcast(&rw.r);
	pthread_mutex_unlock(&rw.m);
}

static void read_lock(void)
{
	pthread_mutex_lock(&rw.m);
	pthread_cleanup_push(unlock_m, &rw.m);
	while (rw.writers || rw.waiting)
		pthread_cond_wait(&rw.r, &rw.m);
	rw.readers++;
	pthread_cleanup_pop(1);
}

static void read_unlock(void)
{
	pthread_mutex_lock(&rw.m);
	if (--rw.readers == 0)
		pthread_cond_signal(&rw.w);
	pthread_mutex_unlock(&rw.m);
}

static void write_lock(void)
{
	pthread_mutex_lock(&rw.m);
	rw.waiting++;
	pthread_cleanup_push(not_waiting, NULL);
	while (rw.readers || rw.writers)
		pthread_cond_wait(&rw.w, &rw.m);
	rw.writers = 1;
	pthread_cleanup_pop(1);
}

static void write_unlock(void)
{
	pthread_mutex_lock(&rw.m);
	rw.writers = 0;
	pthread_cond_signal(&rw.w);
	pthread_cond_broadcast(&rw.r);
	pthread_mutex_unlock(&rw.m);
}

static void gone(void *p)
{
	pthread_mutex_lock(&pi);
	destroyed++;
	pthread_mutex_unlock(&pi);
	free(p);
}

static void *reader(void *unused)
{
	pthread_setspecific(key, malloc(8));
	for (int i = 0; i < 2; i++) {
		read_lock();
		assert(data[0] == data[1]);
		read_unlock();
		pthread_mutex_lock(&pi);
		reads++;
		pthread_mutex_unlock(&pi);
	}
	return unused;
}

static void *writer(void *unused)
{
	pthread_setspecific(key, malloc(8));
	for (int i = 0; i < 2; i++) {
		write_lock();
		data[0]++;
		data[1]++;
		write_unlock();
	}
	return unused;
}

static void *victim(void *unused)
{
	pthread_mutex_lock(&pi);
	sleepers++;
	pthread_mutex_unlock(&pi);
	write_lock();
	write_unlock();
	return unused;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t t[4], v;
	void *r;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	assert(pthread_mutex_init(&pi, &a) == 0);
	pthread_key_create(&key, gone);
	read_lock();
	pthread_create(&v, NULL, victim, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, i % 2 ? writer : reader, NULL);
	pthread_cancel(v);
	pthread_join(v, &r);
	cancelled = r == PTHREAD_CANCELED;
	read_unlock();
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert(rw.waiting == 0 && !rw.readers && !rw.writers);
	printf("data %d, reads %d, destroyed %d, cancelled %d\n", data[0], reads, destroyed,
	       cancelled);
	return data[0] != 4 || reads != 4 || destroyed != 4;
}
