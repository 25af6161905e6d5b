/*
 * Locks with an order (acquired_before, acquired_after). One thread takes them in the wrong order;
 * no deadlock can follow, because a gate lock is always held. `gate` and `table` are as far apart as
 * the two locks of the queue.
 *
 * order: creation
 */
#include <pthread.h>

#define CAPABILITY(x) __attribute__((capability(x)))
#define ACQUIRED_BEFORE(...) __attribute__((acquired_before(__VA_ARGS__)))
#define ACQUIRED_AFTER(...) __attribute__((acquired_after(__VA_ARGS__)))

typedef struct CAPABILITY("mutex") lock {
	pthread_mutex_t m;
} lock_t;

static lock_t gate = {PTHREAD_MUTEX_INITIALIZER};
static lock_t table = {PTHREAD_MUTEX_INITIALIZER};
static lock_t list ACQUIRED_BEFORE(table) = {PTHREAD_MUTEX_INITIALIZER};
struct queue {
	int n;
	lock_t tail, head ACQUIRED_AFTER(tail);
} queue = {0, {PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}};

static void both(lock_t *a, lock_t *b)
{
	pthread_mutex_lock(&gate.m);
	pthread_mutex_lock(&a->m);
	pthread_mutex_lock(&b->m);
	queue.n++;
	pthread_mutex_unlock(&b->m);
	pthread_mutex_unlock(&a->m);
	pthread_mutex_unlock(&gate.m);
}

static void in_queue(struct queue *q)
{
	pthread_mutex_lock(&gate.m);
	pthread_mutex_lock(&q->tail.m);
	pthread_mutex_lock(&q->head.m);
	q->n++;
	pthread_mutex_unlock(&q->head.m);
	pthread_mutex_unlock(&q->tail.m);
	pthread_mutex_unlock(&gate.m);
}

static void *worker(void *arg)
{
	both(&list, &table);
	in_queue(&queue);
	return arg;
}

static void *other(void *arg)
{
#ifdef FIXED
	both(&list, &table);
#else
	both(&table, &list);
	pthread_mutex_lock(&gate.m);
	pthread_mutex_lock(&queue.head.m);
	pthread_mutex_lock(&queue.tail.m);
	queue.n++;
	pthread_mutex_unlock(&queue.tail.m);
	pthread_mutex_unlock(&queue.head.m);
	pthread_mutex_unlock(&gate.m);
#endif
	in_queue(&queue);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, worker, NULL);
	pthread_create(&t[1], NULL, other, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
