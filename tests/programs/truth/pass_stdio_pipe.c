/* fputs() and fgets() over a pipe. The receiver then owns the plain record. */
#include "truth.h"

static FILE *in, *out;
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	fputs("line\n", out);
	fflush(out);
	return unused;
}

static void *receiver(void *unused)
{
	char line[16];

	assert(fgets(line, sizeof(line), in));
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	int p[2];

	assert(pipe(p) == 0);
	in = fdopen(p[0], "r");
	out = fdopen(p[1], "w");
	both(receiver, sender, NULL);
	return record[0];
}
