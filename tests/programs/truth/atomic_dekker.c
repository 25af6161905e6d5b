/* Dekker's lock with sequentially consistent atomics. */
#include "truth.h"
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool want[2];
static atomic_int turn;
static int x;

static void enter(int me)
{
	want[me] = true;
	while (want[1 - me]) {
		if (turn != me) {
			want[me] = false;
			while (turn != me)
				sched_yield();
			want[me] = true;
		}
	}
}

static void *work(void *arg)
{
	int me = arg != NULL;

	for (int i = 0; i < 4; i++) {
		enter(me);
		x++;
		turn = 1 - me;
		want[me] = false;
	}
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, &x);
	work(NULL);
	pthread_join(t, NULL);
	return x != 8;
}
