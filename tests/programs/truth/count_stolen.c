/*
 * Workers with a queue each steal from each other when theirs is empty; the program prints what
 * each did and stole.
 *
 * options: --order creation
 */
#include "truth.h"

#define WORKERS 3

static struct queue {
	pthread_mutex_t lock;
	int item[8], n;
} q[WORKERS];

static int did[WORKERS], stole[WORKERS], sum[WORKERS];

static int take(struct queue *x, int *ret)
{
	int got;

	pthread_mutex_lock(&x->lock);
	got = x->n > 0;
	if (got)
		*ret = x->item[--x->n];
	pthread_mutex_unlock(&x->lock);
	return got;
}

static int size(struct queue *x)
{
	int n;

	pthread_mutex_lock(&x->lock);
	n = x->n;
	pthread_mutex_unlock(&x->lock);
	return n;
}

static void *work(void *arg)
{
	int me = (int)(intptr_t)arg, v = 0;

	for (;;) {
		int from = me;

		if (!take(&q[me], &v)) {
			for (from = 0; from < WORKERS; from++)
				if (from != me && size(&q[from]) && take(&q[from], &v))
					break;
			if (from == WORKERS)
				break;
			stole[me]++;
		}
		did[me]++;
		sum[me] += v;
	}
	return NULL;
}

int main(void)
{
	pthread_t t[WORKERS];
	int all = 0;

	for (int i = 0; i < WORKERS; i++) {
		pthread_mutex_init(&q[i].lock, NULL);
		for (int k = 0; k < 2 * i; k++)
			q[i].item[q[i].n++] = 1;
	}
	for (intptr_t i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < WORKERS; i++) {
		printf("worker %d did %d, stole %d\n", i, did[i], stole[i]);
		all += sum[i];
	}
	return all != 6;
}
