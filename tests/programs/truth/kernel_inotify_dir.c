/*
 * A watcher reads a file after inotify has told it that the writer closed it.
 */
#include "truth.h"
#include <sys/inotify.h>
static int in;
static int length;
static void *watcher(void *arg)
{
	char b[4096] __attribute__((aligned(8)));

	assert(read(in, b, sizeof(b)) > 0);
	assert(length == 5);
	return arg;
}
int main(void)
{
	char dir[] = "inotify-XXXXXX", name[64];
	pthread_t t;
	int fd;

	assert(mkdtemp(dir));
	in = inotify_init();
	assert(inotify_add_watch(in, dir, IN_CLOSE_WRITE) >= 0);
	assert(!pthread_create(&t, NULL, watcher, NULL));
	snprintf(name, sizeof(name), "%s/f", dir);
	fd = open(name, O_CREAT | O_WRONLY, 0600);
	length = 5;
	assert(write(fd, "hello", 5) == 5);
	close(fd);
	pthread_join(t, NULL);
	unlink(name);
	rmdir(dir);
	return 0;
}
