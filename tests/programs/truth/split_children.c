/* Two lock regions with a child's whole life in between; the exit status carries a value. */
#include "truth.h"

static int total;

static void *work(void *arg)
{
	pid_t c;
	int st, before;

	pthread_mutex_lock(&truth_lock);
	before = total;
	pthread_mutex_unlock(&truth_lock);
	c = fork();
	if (c == 0)
		_exit(5);
	assert(c > 0 && waitpid(c, &st, 0) == c && WIFEXITED(st) && WEXITSTATUS(st) == 5);
	pthread_mutex_lock(&truth_lock);
	assert(total >= before);
	total += WEXITSTATUS(st);
	pthread_mutex_unlock(&truth_lock);
	return arg;
}

int main(void)
{
	both(work, work, NULL);
	return total != 10;
}
