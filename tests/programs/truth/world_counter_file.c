/* A counter in a file: every run finds the number of earlier runs and adds one. */
#include "truth.h"

static int before, after;

static int get(void)
{
	FILE *f = fopen("runs", "r");
	int n = 0;

	if (f) {
		if (fscanf(f, "%d", &n) != 1)
			n = 0;
		fclose(f);
	}
	return n;
}

static void *work(void *unused)
{
	FILE *f;

	tick();
	before = get();
	f = fopen("runs", "w");
	fprintf(f, "%d\n", before + 1);
	fclose(f);
	tick();
	after = get();
	assert(after == before + 1);
	return unused;
}

int main(void)
{
	beside_look(work);
	printf("run %d\n", after);
	return 0;
}
