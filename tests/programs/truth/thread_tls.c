/* Thread-local variables of one name are different objects. */
#include "truth.h"

static __thread int mine;
static __thread char line[32];

static void *work(void *unused)
{
	for (int i = 0; i < 10; i++)
		mine += i;
	snprintf(line, sizeof(line), "%d", mine);
	assert(strcmp(line, "45") == 0);
	return unused;
}

int main(void)
{
	mine = -1;
	both(work, work, NULL);
	return mine != -1;
}
