/* Many locks, always taken in the order of their addresses. */
#include "truth.h"

static struct {
	pthread_mutex_t m;
	int v;
} cells[3] = {{PTHREAD_MUTEX_INITIALIZER, 10},
	      {PTHREAD_MUTEX_INITIALIZER, 10},
	      {PTHREAD_MUTEX_INITIALIZER, 10}};

static void move(int from, int to)
{
	int lo = from < to ? from : to, hi = from + to - lo;

	pthread_mutex_lock(&cells[lo].m);
	pthread_mutex_lock(&cells[hi].m);
	cells[from].v--;
	cells[to].v++;
	pthread_mutex_unlock(&cells[hi].m);
	pthread_mutex_unlock(&cells[lo].m);
}

static void *one(void *unused)
{
	move(0, 1);
	move(1, 2);
	move(2, 0);
	return unused;
}

static void *two(void *unused)
{
	move(1, 0);
	move(2, 1);
	move(0, 2);
	return unused;
}

int main(void)
{
	both(one, two, NULL);
	return cells[0].v + cells[1].v + cells[2].v != 30;
}
