/* The target is built anew only if the source is newer. */
#include "truth.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int builds;

static void touch(const char *n)
{
	int fd = open(n, O_CREAT | O_WRONLY | O_TRUNC, 0600);

	write(fd, "x", 1);
	close(fd);
}

static int newer(const char *a, const char *b)
{
	struct stat x, y;

	assert(!stat(a, &x));
	if (stat(b, &y))
		return 1;
	return x.st_mtim.tv_sec > y.st_mtim.tv_sec ||
	       (x.st_mtim.tv_sec == y.st_mtim.tv_sec && x.st_mtim.tv_nsec > y.st_mtim.tv_nsec);
}

static void *work(void *unused)
{
	pthread_mutex_lock(&m);
	if (newer("src", "obj")) {
		usleep(10000);
		touch("obj");
		builds++;
	}
	pthread_mutex_unlock(&m);
	tick();
	assert(look());
	return unused;
}

int main(void)
{
	unlink("obj");
	touch("src");
	both(work, work, 0);
	assert(builds == 1);
	usleep(20000);
	touch("src");
	both(work, work, 0);
	unlink("src");
	unlink("obj");
	return builds != 2;
}
