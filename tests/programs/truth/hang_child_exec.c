/* A child program is read to its end; its exit status counts. */
#include "truth.h"

static void *work(void *unused)
{
	char line[64];
	int n = 0, st;
	FILE *f;

	tick();
	f = popen("for i in 1 2 3; do echo line $i; sleep 0.01; done", "r");
	assert(f);
	while (fgets(line, sizeof(line), f))
		n++;
	st = pclose(f);
	tick();
	assert(n == 3 && st == 0);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
