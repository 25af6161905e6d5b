/*
 * A child outlives the program and sends a signal to its new parent, if that is forerun, which must
 * go on.
 */
#include "truth.h"
#include <sys/prctl.h>
static void parent_ended(int sig)
{
	char path[64], name[16] = "";
	int fd;

	(void)sig;
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)getppid());
	fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, name, sizeof(name) - 1) > 0 && !strncmp(name, "forerun", 7)) {
		kill(getppid(), SIGUSR1);
		kill(getppid(), SIGTERM);
		kill(getppid(), SIGRTMIN + 2);
	}
	_exit(0);
}
static void *worker(void *unused)
{
	(void)unused;
	tick();
	tick();
	return NULL;
}
int main(void)
{
	int p[2];
	char c;

	assert(!pipe(p));
	if (!fork()) {
		signal(SIGHUP, parent_ended);
		prctl(PR_SET_PDEATHSIG, SIGHUP);
		assert(write(p[1], "r", 1) == 1);
		sleep(2);
		_exit(0);
	}
	assert(read(p[0], &c, 1) == 1);
	return beside_look(worker);
}
