/* The annotations. */
#define _GNU_SOURCE
#include "forerun.h"
#include <stdatomic.h>
#include <stdio.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int shared;

int main(void)
{
	int evaluated = 0;

	FORERUN_EVENT("start");
	FORERUN_EVENT("values", 1, -2, &shared, 'c', 5u, 6LL);
	FORERUN_EVENT("side", ++evaluated);
	FORERUN_ATOMIC_BEGIN();
	while (atomic_flag_test_and_set(&lock))
		;
	FORERUN_LOCK(&lock);
	shared++;
	FORERUN_UNLOCK(&lock);
	atomic_flag_clear(&lock);
	FORERUN_ATOMIC_END();
	FORERUN_TRYLOCK(&lock, 0);
	FORERUN_BENIGN(&shared, sizeof(shared));
#ifdef __FORERUN__
	printf("evaluated %d\n", evaluated);
#else
	printf("evaluated %d\n", evaluated + 1);
#endif
	return 0;
}
