/* inotify tells the reader that the file exists. */
#include "truth.h"
#include <sys/inotify.h>

static int in, x;

static void *maker(void *unused)
{
	x = 1;
	close(open("watched/f", O_CREAT | O_WRONLY, 0600));
	return unused;
}

static void *watcher(void *unused)
{
	char buf[512] __attribute__((aligned(8)));

	assert(read(in, buf, sizeof(buf)) > 0);
	assert(x == 1);
	x = 2;
	return unused;
}

int main(void)
{
	mkdir("watched", 0700);
	unlink("watched/f");
	in = inotify_init1(0);
	if (in < 0 || inotify_add_watch(in, "watched", IN_CREATE) < 0)
		return 0; /* no watches left on this machine */
	both(watcher, maker, NULL);
	unlink("watched/f");
	rmdir("watched");
	return x != 2;
}
