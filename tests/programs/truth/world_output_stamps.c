/* Output with process id, time and addresses, which differ in every run. */
#include "truth.h"

static void *work(void *unused)
{
	struct timespec t;

	for (int i = 0; i < 3; i++) {
		clock_gettime(CLOCK_REALTIME, &t);
		tick();
		printf("%d %ld.%09ld %p\n", (int)getpid(), (long)t.tv_sec, t.tv_nsec, (void *)&t);
	}
	return unused;
}

int main(void)
{
	return beside_look(work);
}
