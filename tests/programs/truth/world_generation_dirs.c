/* Each run makes the next of numbered folders, and the threads write a file each into it. */
#include "truth.h"
static char dir[32];
static void *worker(void *arg)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, (char *)arg);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
	assert(fd >= 0 && write(fd, "x", 1) == 1);
	close(fd);
	tick();
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0;; i++) {
		snprintf(dir, sizeof(dir), "gen.%d", i);
		if (!mkdir(dir, 0700))
			break;
		assert(errno == EEXIST);
	}
	pthread_create(&t[0], NULL, worker, "a");
	pthread_create(&t[1], NULL, worker, "b");
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(look());
	return 0;
}
