/* fwrite() and fprintf() to a pipe: flushed data may be read, and then the buffer changed. */
#include "truth.h"

static char line[16] = "line\n";
static FILE *out;
static int p[2];

static void *writer(void *unused)
{
	assert(fwrite(line, 1, 5, out) == 5);
	fflush(out);
	return unused;
}

static void *reader(void *unused)
{
	char got[8];

	assert(read(p[0], got, 5) == 5);
	line[0] = 'w';
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0);
	out = fdopen(p[1], "w");
	both(reader, writer, NULL);
	fclose(out);
	return line[0] != 'w';
}
