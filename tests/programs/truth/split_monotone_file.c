/* Two looks at a growing counter with file work in between. */
#include "truth.h"

static void *watch(void *unused)
{
	int a, b, fd;
	char text[16] = "";

	pthread_mutex_lock(&truth_lock);
	a = truth_count;
	pthread_mutex_unlock(&truth_lock);
	fd = open("seen", O_CREAT | O_RDWR | O_TRUNC, 0600);
	snprintf(text, sizeof(text), "%d", a);
	assert(fd >= 0 && write(fd, text, strlen(text)) > 0);
	pthread_mutex_lock(&truth_lock);
	b = truth_count;
	pthread_mutex_unlock(&truth_lock);
	memset(text, 0, sizeof(text));
	assert(pread(fd, text, 15, 0) > 0 && atoi(text) <= b);
	close(fd);
	unlink("seen");
	return unused;
}

static void *work(void *unused)
{
	for (int i = 0; i < 4; i++)
		tick();
	return unused;
}

int main(void)
{
	return both(watch, work, NULL);
}
