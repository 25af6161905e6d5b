/* The program executes itself with another argument, with threads before and after. */
#include "truth.h"

static void *work(void *unused)
{
	tick();
	tick();
	return unused;
}

int main(int argc, char **argv)
{
	beside_look(work);
	if (argc == 1 && !getenv("TRUTH_AGAIN")) {
		char *again[] = {argv[0], NULL};

		setenv("TRUTH_AGAIN", "1", 1);
		execv("/proc/self/exe", again);
		return 1;
	}
	return 0;
}
