/* close_range() over everything, then descriptors in order from 3. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	return unused;
}

int main(void)
{
	assert(close_range(3, ~0u, 0) == 0);
	beside_look(work);
	assert(open("/dev/null", O_RDONLY) == 3 && open("/dev/null", O_RDONLY) == 4);
	return 0;
}
