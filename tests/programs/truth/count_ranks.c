/*
 * Each thread gets a rank from an atomic counter when it ends and prints it.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

static atomic_int rank;

static void *work(void *arg)
{
	char line[40];

	tick();
	assert(look());
	snprintf(line, sizeof(line), "%s came in %d\n", (char *)arg, atomic_fetch_add(&rank, 1) + 1);
	fputs(line, stdout);
	return NULL;
}

int main(void)
{
	static char *name[] = {"ann", "bob", "cid"};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, name[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
