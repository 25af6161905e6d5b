/* A timer signals one thread, which waits with sigwaitinfo(). */
/* link: -lrt */
#include "truth.h"
#include <sys/syscall.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static void *work(void *unused)
{
	tick();
	sigset_t s;
	sigemptyset(&s);
	sigaddset(&s, SIGRTMIN);
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
	ev.sigev_notify_thread_id = gettid();
	timer_t t;
	assert(!timer_create(CLOCK_MONOTONIC, &ev, &t));
	struct itimerspec it = {{0, 0}, {0, 4000000}};
	timer_settime(t, 0, &it, 0);
	siginfo_t i;
	int r;
	while ((r = sigwaitinfo(&s, &i)) < 0)
		assert(errno == EINTR);
	assert(r == SIGRTMIN && i.si_code == SI_TIMER);
	struct timespec z = {0, 2000000};
	assert(sigtimedwait(&s, &i, &z) == -1 && errno == EAGAIN);
	timer_delete(t);
	tick();
	return unused;
}

int main(void)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGRTMIN);
	pthread_sigmask(SIG_BLOCK, &s, 0);
	return beside_look(work);
}
