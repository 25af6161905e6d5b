/*
 * The main thread frees the argument of a thread without waiting until the thread has read it.
 * order: 0+,1,0
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

struct task {
	int first, last;
};
static long sum;

static void *run(void *arg)
{
	struct task *t = arg;

	for (int i = t->first; i < t->last; i++)
		sum += i;
	return NULL;
}

int main(void)
{
	struct task *t = malloc(sizeof(*t));
	pthread_t thread;

	*t = (struct task){1, 4};
	pthread_create(&thread, NULL, run, t);
#ifdef FIXED
	pthread_join(thread, NULL);
	free(t);
#else
	free(t);
	pthread_join(thread, NULL);
#endif
	return 0;
}
