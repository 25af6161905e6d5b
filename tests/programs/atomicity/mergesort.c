/*
 * Merge sort by a limited number of threads. Before it sorts two halves, a thread checks for a free
 * slot and takes it, in two atomic steps. So the threads can take more slots than there are.
 * Nothing races.
 *
 * The sorters of the two halves check at the same time. Between one sorter's check and its update,
 * the other can take a slot, or take one and give it back: two interleavings, whichever sorter is
 * the first.
 *
 * expect: atomicity-violation idle read@ask write@take
 * between: write@take write@give
 * harm: assert mergesort.c:@enough: Assertion `left >= 0' failed
 * order: 0+,1,2,1,0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define N 16
#define LEAST 4 /* fewer are not worth a thread */

struct part {
	int *v, n;
};

static atomic_int idle = 2; /* threads that may yet be made */
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static bool get_thread(void)
{
	bool ok = false;
	int left;

#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	if (atomic_load(&idle) > 0) {		       /* @ask */
		left = atomic_fetch_sub(&idle, 1) - 1; /* @take */
		assert(left >= 0);		       /* @enough */
		ok = true;
	}
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
	return ok;
}

static void give_thread(void)
{
#ifdef FIXED
	pthread_mutex_lock(&lock);
#endif
	atomic_fetch_add(&idle, 1); /* @give */
#ifdef FIXED
	pthread_mutex_unlock(&lock);
#endif
}

static void merge(int *v, int half, int n)
{
	int out[N], a = 0, b = half, k = 0;

	while (a < half || b < n)
		out[k++] = b == n || (a < half && v[a] <= v[b]) ? v[a++] : v[b++];
	memcpy(v, out, (size_t)n * sizeof(*v));
}

static void *sort(void *arg);

static void sort_halves(const struct part *p)
{
	struct part left = {p->v, p->n / 2}, right = {p->v + p->n / 2, p->n - p->n / 2};
	pthread_t t;

	if (p->n >= 2 * LEAST && get_thread()) {
		pthread_create(&t, NULL, sort, &left);
		sort(&right);
		pthread_join(t, NULL);
		give_thread();
	} else {
		sort(&left);
		sort(&right);
	}
	merge(p->v, left.n, p->n);
}

static void *sort(void *arg)
{
	const struct part *p = arg;

	if (p->n > 1)
		sort_halves(p);
	return NULL;
}

int main(void)
{
	int v[N];
	struct part all = {v, N};

	for (int i = 0; i < N; i++)
		v[i] = i * 7 % N;
	sort(&all);
	for (int i = 0; i < N; i++)
		printf("%d%c", v[i], i + 1 < N ? ' ' : '\n');
	return atomic_load(&idle) != 2;
}
