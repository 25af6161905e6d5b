/* A record lock that main takes and the sender gives up. The receiver then owns the plain record.
 */
#include "truth.h"
#include <sys/file.h>

static int a, b;
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(flock(a, LOCK_UN) == 0);
	return unused;
}

static void *receiver(void *unused)
{
	assert(flock(b, LOCK_EX) == 0);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	a = open("handed", O_CREAT | O_RDWR, 0600);
	b = open("handed", O_RDWR);
	assert(a >= 0 && b >= 0 && flock(a, LOCK_EX) == 0);
	both(receiver, sender, NULL);
	unlink("handed");
	return record[0];
}
