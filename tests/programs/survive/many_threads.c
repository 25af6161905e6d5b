/*
 * N threads (2000), all alive at once; then as many one after the other. Each adds to the shared
 * counter.
 */
#include "survive.h"

static pthread_barrier_t all_here;
static long in_turn;

static void *at_once(void *arg)
{
	shared_add(1);
	pthread_barrier_wait(&all_here);
	shared_add(1);
	return arg;
}

static void *one(void *arg)
{
	in_turn++;
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2000;
	pthread_t *t = malloc((size_t)n * sizeof(*t));
	pthread_attr_t a;

	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, 65536);
	pthread_barrier_init(&all_here, NULL, (unsigned)n);
	for (int i = 0; i < n; i++) {
		int r = pthread_create(&t[i], &a, at_once, NULL);

		if (r) {
			fprintf(stderr, "thread %d: %s\n", i, strerror(r));
			return 99;
		}
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < n; i++) {
		if (pthread_create(&t[0], &a, one, NULL))
			return 99;
		pthread_join(t[0], NULL);
	}
	printf("%ld %ld\n", shared_count, in_turn);
	free(t);
	return 0;
}
