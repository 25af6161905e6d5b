/* A record of the process id under one lock region, checked in the next. */
#include "truth.h"

static struct {
	pid_t pid, tid;
	int n;
} owner;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&truth_lock);
		owner.pid = getpid();
		owner.tid = gettid();
		owner.n++;
		pthread_mutex_unlock(&truth_lock);
		pthread_mutex_lock(&truth_lock);
		assert(owner.pid == getpid() && owner.n >= i + 1);
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return owner.n != 6;
}
