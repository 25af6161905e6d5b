/* An alarm leaves a blocked read by siglongjmp(). */
#include "truth.h"
#include <setjmp.h>
#include <sys/time.h>

static sigjmp_buf jb;
static int p[2];

static void h(int n)
{
	siglongjmp(jb, 1);
}

static void *work(void *unused)
{
	sigset_t s;

	tick();
	sigemptyset(&s);
	sigaddset(&s, SIGALRM);
	struct sigaction sa = {.sa_handler = h};
	sigaction(SIGALRM, &sa, 0);
	if (!sigsetjmp(jb, 1)) {
		pthread_sigmask(SIG_UNBLOCK, &s, 0);
		struct itimerval it = {{0, 0}, {0, 5000}};
		setitimer(ITIMER_REAL, &it, 0);
		char c;
		read(p[0], &c, 1);
		assert(!"not reached");
	}
	tick();
	return unused;
}

int main(void)
{
	sigset_t s;

	sigemptyset(&s);
	sigaddset(&s, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &s, 0);
	assert(!pipe(p));
	return beside_look(work);
}
