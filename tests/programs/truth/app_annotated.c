/* A statistics counter that the program declares to be a benign race. */
#include "truth.h"
#include "../../../include/forerun.h"

static int hits;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		FORERUN_BENIGN(&hits, sizeof(hits));
		__atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED);
		tick();
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return hits != 6;
}
