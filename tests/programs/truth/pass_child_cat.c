/* A child copies from one pipe to another. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/wait.h>

static int p[2], q[2];
static pid_t child;
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(p[1], "c", 1) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	char c;

	assert(read(q[0], &c, 1) == 1 && c == 'c');
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0 && pipe(q) == 0);
	child = fork();
	if (child == 0) {
		char c;

		_exit(read(p[0], &c, 1) != 1 || write(q[1], &c, 1) != 1);
	}
	both(receiver, sender, NULL);
	waitpid(child, NULL, 0);
	return record[0];
}
