/* A process that started as root gives that up before it starts threads. */
#include "truth.h"
#include <grp.h>

static void *work(void *unused)
{
	tick();
	tick();
	return unused;
}

int main(void)
{
	if (getuid() == 0)
		assert(setgroups(0, NULL) == 0 && setresgid(65534, 65534, 65534) == 0 &&
		       setresuid(65534, 65534, 65534) == 0);
	beside_look(work);
	return geteuid() == 0;
}
