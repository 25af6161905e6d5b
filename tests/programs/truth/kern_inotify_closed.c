/*
 * A thread waits with inotify until the other one has closed a file that it wrote, and then reads
 * file and variable.
 */
#include "truth.h"
#include <sys/inotify.h>
static char dir[] = "truth-XXXXXX";
static int length, in;
static void *writer(void *unused)
{
	char path[64];
	FILE *f;

	(void)unused;
	length = 6;
	snprintf(path, sizeof(path), "%s/file", dir);
	f = fopen(path, "w");
	assert(f);
	fputs("lines\n", f);
	fclose(f);
	return NULL;
}
static void *reader(void *unused)
{
	char event[512] __attribute__((aligned(8))), path[64], line[16];
	FILE *f;

	(void)unused;
	assert(read(in, event, sizeof(event)) > 0);
	snprintf(path, sizeof(path), "%s/file", dir);
	f = fopen(path, "r");
	assert(f);
	assert(fgets(line, sizeof(line), f));
	assert((int)strlen(line) == length);
	fclose(f);
	unlink(path);
	return NULL;
}
int main(void)
{
	assert(mkdtemp(dir));
	in = inotify_init1(IN_CLOEXEC);
	assert(inotify_add_watch(in, dir, IN_CLOSE_WRITE) >= 0);
	both(reader, writer, NULL);
	return rmdir(dir);
}
