/* A process that nobody may trace, in the root folder. */
#include "truth.h"
#include <sys/prctl.h>

static void *work(void *unused)
{
	tick();
	tick();
	return unused;
}

int main(void)
{
	assert(prctl(PR_SET_DUMPABLE, 0) == 0 && chdir("/") == 0);
	return beside_look(work);
}
