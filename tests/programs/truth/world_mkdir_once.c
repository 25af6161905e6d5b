/* The program makes its folder and fails if it exists. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	assert(mkdir("work", 0700) == 0);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
