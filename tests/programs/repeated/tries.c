#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

void await_refused(int n);
void set_held(void);
void await_held(void);
void set_free(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t l;
static mtx_t c;
static sem_t s;
static int refused;

static void *holder(void *arg)
{
	pthread_mutex_lock(&m);
	mtx_lock(&c);
	pthread_spin_lock(&l);
	pthread_rwlock_wrlock(&r);
	pthread_rwlock_rdlock(&w);
	set_held();
	await_refused(6);
	sem_post(&s);
	pthread_rwlock_unlock(&w);
	pthread_rwlock_unlock(&r);
	pthread_spin_unlock(&l);
	mtx_unlock(&c);
	pthread_mutex_unlock(&m);
	set_free();
	return arg;
}

static void *trier(void *arg)
{
	int n;

	await_held();
	switch (*(int *)arg) {
	case 0: n = pthread_mutex_trylock(&m); break;
	case 1: n = mtx_trylock(&c); break;
	case 2: n = pthread_spin_trylock(&l); break;
	case 3: n = pthread_rwlock_tryrdlock(&r); break;
	case 4: n = pthread_rwlock_trywrlock(&w); break;
	default: n = sem_trywait(&s); break;
	}
	__atomic_add_fetch(&refused, n != 0, __ATOMIC_SEQ_CST);
	return NULL;
}

int main(void)
{
	pthread_t h, t[6];
	int which[6];

	pthread_spin_init(&l, 0);
	mtx_init(&c, mtx_plain);
	sem_init(&s, 0, 0);
	pthread_create(&h, NULL, holder, NULL);
	for (int i = 0; i < 6; i++) {
		which[i] = i;
		pthread_create(&t[i], NULL, trier, &which[i]);
	}
	pthread_join(h, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", refused);
	return 0;
}
