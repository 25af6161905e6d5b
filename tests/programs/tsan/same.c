/* Recorded by both front ends: what each thread does to the globals must come out the same. */
#include <pthread.h>
#include <stdatomic.h>

int counter;
long total;
short table[4];
struct point { int x, y; } point;
_Atomic int turn;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int n)
{
	pthread_mutex_lock(&lock);
	counter++;
	total += n;
	table[n & 3] = (short)n;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	int me = (int)(long)arg;

	if (atomic_load_explicit(&turn, memory_order_acquire) != me)
		return 0;
	add(me);
	point.x += 10;
	point.y = point.x - 1;
	add(me + 1);
	atomic_fetch_add(&turn, 1);
	return 0;
}

int main(void)
{
	pthread_t t;

	/* One after the other, so that both recordings see the same values. */
	for (long i = 0; i < 3; i++) {
		pthread_create(&t, 0, work, (void *)i);
		pthread_join(t, 0);
	}
	return counter == 6 && total == 9 && point.y == 29 ? 0 : 1;
}
