/* A pid file as daemons write it: an old one with a dead pid is replaced. */
#include "truth.h"

static void *work(void *unused)
{
	FILE *f = fopen("daemon.pid", "r");
	int pid = 0, fd;
	char text[32];

	tick();
	if (f) {
		if (fscanf(f, "%d", &pid) != 1)
			pid = 0;
		fclose(f);
		assert(pid == 0 || pid == getpid() || kill(pid, 0) == 0 || errno == ESRCH);
	}
	fd = open("daemon.pid", O_CREAT | O_TRUNC | O_RDWR, 0600);
	snprintf(text, sizeof(text), "%d\n", (int)getpid());
	assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	tick();
	memset(text, 0, sizeof(text));
	assert(pread(fd, text, sizeof(text) - 1, 0) > 0 && atoi(text) == getpid());
	close(fd);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
