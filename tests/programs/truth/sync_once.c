/* pthread_once() and its result. */
#include "truth.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *table;

static void make(void)
{
	table = calloc(4, sizeof(int));
	table[2] = 8;
}

static void *work(void *unused)
{
	pthread_once(&once, make);
	assert(table[2] == 8);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	free(table);
	return 0;
}
