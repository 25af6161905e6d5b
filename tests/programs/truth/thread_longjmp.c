/* setjmp() and longjmp() inside each thread, over a lock that the thread releases first. */
#include "truth.h"
#include <setjmp.h>

static int x;

static void deep(jmp_buf *env, int n)
{
	pthread_mutex_lock(&truth_lock);
	x++;
	pthread_mutex_unlock(&truth_lock);
	if (n == 0)
		longjmp(*env, 1);
	deep(env, n - 1);
}

static void *work(void *unused)
{
	jmp_buf env;

	if (setjmp(env) == 0)
		deep(&env, 2);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return x != 6;
}
