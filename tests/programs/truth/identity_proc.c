/* /proc agrees with getpid() and gettid(). */
#include "truth.h"

static void *work(void *unused)
{
	char link[64], path[64], line[256];
	ssize_t n;
	FILE *f;
	int pid = -1;

	tick();
	n = readlink("/proc/self", link, sizeof(link) - 1);
	assert(n > 0);
	link[n] = 0;
	assert(atoi(link) == getpid());
	tick();
	snprintf(path, sizeof(path), "/proc/%d/status", (int)getpid());
	f = fopen(path, "r");
	assert(f);
	while (fgets(line, sizeof(line), f))
		sscanf(line, "Pid: %d", &pid);
	fclose(f);
	assert(pid == getpid());
	snprintf(path, sizeof(path), "/proc/self/task/%d", (int)gettid());
	assert(access(path, F_OK) == 0);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
