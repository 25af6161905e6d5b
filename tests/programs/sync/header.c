/* Compiles everywhere, evaluates nothing without forerun, and warns of nothing. */
#include "forerun.h"

static int never(void)
{
	return 1;
}

int main(void)
{
	int only_told = 3, lock = 0;
	long q[3];

	q[0] = 1;
	FORERUN_EVENT("a");
	FORERUN_EVENT("b", never());
	FORERUN_EVENT("c", only_told, &q, 3u, 'c', 5L, -1);
	FORERUN_ATOMIC_BEGIN();
	FORERUN_BENIGN(&lock, sizeof(lock));
	FORERUN_LOCK(&lock);
	FORERUN_TRYLOCK(&lock, never());
	FORERUN_UNLOCK(&lock);
	FORERUN_ATOMIC_END();
	if (q[0])
		FORERUN_EVENT("d");
	else
		FORERUN_LOCK(&lock);
	return 0;
}
