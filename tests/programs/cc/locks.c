/* Calls that synchronise: what each is given stands behind it. */
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

struct own {
	pthread_mutex_t inner;
};
struct box {
	int n;
	pthread_mutex_t lock;
	struct own own;
	pthread_cond_t full;
	sem_t sem;
	pthread_rwlock_t rw;
	pthread_spinlock_t spin;
	pthread_barrier_t bar;
	mtx_t mtx;
};
struct first {
	pthread_mutex_t lock;
	int n;
};
struct box *b;
struct first savings, account[4], *table[3];
struct {
	int x;
	struct first f[3];
} bank;
pthread_mutex_t forks[5], one;
pthread_once_t once;

void init(void);

__attribute__((noinline)) static void given(pthread_mutex_t *m)
{
	pthread_mutex_lock(m); /* l *m */
}

__attribute__((noinline)) static void given_own(struct own *o)
{
	pthread_mutex_lock(&o->inner); /* l o->inner */
}

/* Not what the caller gave. */
__attribute__((noinline)) static void changed(pthread_mutex_t *m)
{
	m = m ? m : &one;
	pthread_mutex_lock(m); /* L *m */
}

static inline void inlined(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
}

void locks(struct box *c, void *p, int i)
{
	given(&b->lock);			/* L b->lock */
	given_own(&c->own);			/* L c->own */
	changed(&c->lock);			/* L c->lock */
	pthread_mutex_lock(&savings.lock);	/* L savings.lock */
	pthread_mutex_lock(&account[2].lock);	/* L48 account[].lock */
	pthread_mutex_lock(&forks[i]);		/* L40 forks[] */
	pthread_mutex_lock(&table[i]->lock);	/* L table[]->lock */
	pthread_mutex_lock(&bank.f[i].lock);	/* L bank.f[].lock */
	pthread_mutex_lock(&one);		/* L one */
	pthread_mutex_lock(&c->own.inner);	/* L c->own.inner */
	pthread_mutex_lock(p);			/* L */
	pthread_cond_wait(&c->full, &c->lock);	/* C c->full; L c->lock */
	sem_wait(&c->sem);			/* S c->sem */
	pthread_rwlock_rdlock(&c->rw);		/* L c->rw */
	pthread_spin_lock(&c->spin);		/* L c->spin */
	pthread_barrier_wait(&c->bar);		/* B c->bar */
	mtx_lock(&c->mtx);			/* L c->mtx */
	pthread_once(&once, init);		/* O once */
	inlined(&c[i].lock);			/* L c[].lock */
}
