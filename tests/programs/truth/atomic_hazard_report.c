/*
 * Hazard pointers: a writer frees the nodes that no reader protects, and keeps the others for
 * later. It prints the number of kept nodes.
 *
 * options: --order creation
 */
#include "truth.h"
#include <stdatomic.h>

#define READERS 2

static _Atomic(int *) head, hazard[READERS];
static atomic_int next;

static void *reader(void *unused)
{
	int me = atomic_fetch_add(&next, 1);

	for (int i = 0; i < 3; i++) {
		int *p;

		do {
			p = atomic_load(&head);
			atomic_store(&hazard[me], p);
		} while (p != atomic_load(&head));
		assert(*p > 0);
		atomic_store(&hazard[me], NULL);
	}
	return unused;
}

static int is_used(const int *p)
{
	for (int i = 0; i < READERS; i++)
		if (atomic_load(&hazard[i]) == p)
			return 1;
	return 0;
}

int main(void)
{
	int *kept[8], nkept = 0, freed = 0;
	pthread_t t[READERS];

	atomic_store(&head, malloc(sizeof(int)));
	*atomic_load(&head) = 1;
	for (int i = 0; i < READERS; i++)
		pthread_create(&t[i], NULL, reader, NULL);
	for (int i = 2; i < 6; i++) {
		int *p = malloc(sizeof(*p)), *old;

		*p = i;
		old = atomic_exchange(&head, p);
		if (is_used(old)) {
			kept[nkept++] = old;
		} else {
			free(old);
			freed++;
		}
	}
	for (int i = 0; i < READERS; i++)
		pthread_join(t[i], NULL);
	printf("%d freed at once, %d kept\n", freed, nkept);
	for (int i = 0; i < nkept; i++)
		free(kept[i]);
	free(atomic_load(&head));
	return freed + nkept != 4;
}
