/* Nice values and scheduling parameters read back as set. */
#include "truth.h"
#include <sys/resource.h>

static void *work(void *unused)
{
	int p;

	tick();
	errno = 0;
	p = getpriority(PRIO_PROCESS, 0);
	assert(errno == 0);
	assert(setpriority(PRIO_PROCESS, 0, p < 19 ? p + 1 : p) == 0);
	tick();
	assert(getpriority(PRIO_PROCESS, 0) == (p < 19 ? p + 1 : p));
	return unused;
}

int main(void)
{
	return beside_look(work);
}
