/*
 * The user waits for the lock that the maker holds, and so comes after it. It may also come first,
 * and finds no table then. The looks at the taken lock belong to the recorded run alone. The
 * program defines take() and leave().
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

int *table;

static void *maker(void *unused)
{
	take();
	sched_yield(); /* the user looks */
	table = (int *)calloc(2, sizeof(*table));
	leave();
	return unused;
}

static void *user(void *unused)
{
	int *p;

	take();
	p = table;
#ifdef FIXED
	while (!p) {
		leave();
		sched_yield();
		take();
		p = table;
	}
#endif
	printf("%d\n", *p);
	leave();
	return unused;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, maker, NULL);
	pthread_create(&t[1], NULL, user, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
