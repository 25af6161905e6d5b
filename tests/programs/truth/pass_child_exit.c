/* A child carries the order: the one thread ends it, the other one waits for it. The receiver then
 * owns the plain record. */
#include "truth.h"
#include <sys/wait.h>

static int go[2];
static pid_t child;
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(go[1], "g", 1) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	int st;

	assert(waitpid(child, &st, 0) == child && st == 0);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(pipe(go) == 0);
	child = fork();
	if (child == 0) {
		char c;

		_exit(read(go[0], &c, 1) != 1);
	}
	both(receiver, sender, NULL);
	return record[0];
}
