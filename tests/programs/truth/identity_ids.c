/*
 * Process, parent, group, session and thread ids do not change, and agree with one another. In the
 * recorded run, the thread that asks for them runs first. In a schedule with the looker first, it
 * runs after the targets, and must get the recorded ids too.
 *
 * options: --order 0+,0+,2,1
 */
#include "truth.h"
#include <sys/syscall.h>

static pid_t tid_of_main;

static void *work(void *unused)
{
	pid_t p = getpid(), pp = getppid(), g = getpgrp(), s = getsid(0), t = gettid();

	tick();
	assert(t != tid_of_main && t == syscall(SYS_gettid) && tid_of_main == p);
	assert(kill(p, 0) == 0 && syscall(SYS_tgkill, p, t, 0) == 0);
	tick();
	assert(getpid() == p && getppid() == pp && getpgrp() == g && getsid(0) == s &&
	       gettid() == t);
	assert(getpgid(0) == g && getsid(p) == s);
	return unused;
}

int main(void)
{
	tid_of_main = gettid();
	return beside_look(work);
}
