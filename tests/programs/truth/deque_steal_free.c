/*
 * Work stealing under a lock per deque: stolen tasks are freed by the thief.
 */
#include "truth.h"
#include <stdatomic.h>
struct task {
	int n;
};
static struct {
	pthread_mutex_t m;
	struct task *t[8];
	int lo, hi;
} d[2] = {{.m = PTHREAD_MUTEX_INITIALIZER}, {.m = PTHREAD_MUTEX_INITIALIZER}};
static atomic_int sum;
static struct task *get(int q, int steal)
{
	struct task *t = NULL;

	pthread_mutex_lock(&d[q].m);
	if (d[q].lo < d[q].hi)
		t = steal ? d[q].t[d[q].lo++] : d[q].t[--d[q].hi];
	pthread_mutex_unlock(&d[q].m);
	return t;
}
static void *run(void *arg)
{
	int me = *(int *)arg;
	struct task *t;

	while ((t = get(me, 0)) || (t = get(1 - me, 1))) {
		atomic_fetch_add(&sum, t->n);
		free(t);
	}
	return NULL;
}
int main(void)
{
	int ids[2] = {0, 1};
	pthread_t t[2];

	for (int i = 0; i < 6; i++) {
		struct task *x = malloc(sizeof(*x));

		x->n = i;
		d[i > 3].t[d[i > 3].hi++] = x;
	}
	for (int i = 0; i < 2; i++)
		assert(!pthread_create(&t[i], NULL, run, &ids[i]));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(atomic_load(&sum) == 15);
	return 0;
}
