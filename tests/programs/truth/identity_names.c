/* A thread's name, nice value, scheduling class and limits read back as set. */
#include "truth.h"
#include <sys/prctl.h>
#include <sys/resource.h>

static void *work(void *unused)
{
	char name[16];
	struct rlimit l, m;
	struct sched_param sp;
	int policy;

	tick();
	pthread_setname_np(pthread_self(), "worker-1");
	assert(pthread_getname_np(pthread_self(), name, sizeof(name)) == 0);
	assert(strcmp(name, "worker-1") == 0);
	assert(prctl(PR_GET_NAME, name) == 0 && strcmp(name, "worker-1") == 0);
	tick();
	getrlimit(RLIMIT_NOFILE, &l);
	m = l;
	m.rlim_cur = l.rlim_cur > 256 ? 256 : l.rlim_cur;
	assert(setrlimit(RLIMIT_NOFILE, &m) == 0);
	getrlimit(RLIMIT_NOFILE, &m);
	assert(m.rlim_cur <= 256 || m.rlim_cur == l.rlim_cur);
	setrlimit(RLIMIT_NOFILE, &l);
	assert(pthread_getschedparam(pthread_self(), &policy, &sp) == 0);
	assert(policy == sched_getscheduler(0));
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
