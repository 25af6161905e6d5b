/* Each thread writes its half, and reads the other half in the next phase. */
#include "truth.h"

static pthread_barrier_t bar;
static int cells[2][2];

static void *half(void *which)
{
	long me = (long)which;

	for (int round = 0; round < 3; round++) {
		cells[round % 2][me] = round;
		pthread_barrier_wait(&bar);
		assert(cells[round % 2][1 - me] == round);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_barrier_init(&bar, NULL, 2);
	pthread_create(&a, NULL, half, (void *)0);
	pthread_create(&b, NULL, half, (void *)1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
