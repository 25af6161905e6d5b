/*
 * A worker drops its reference to a job, and then counts the job by its kind, which it reads from
 * the job. The twin reads the kind before.
 *
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct job {
	int refs, kind;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done[4];

static void drop(struct job *j)
{
	int left;

	pthread_mutex_lock(&lock);
	left = --j->refs;
	pthread_mutex_unlock(&lock);
	if (!left)
		free(j);
}

static void *work(void *arg)
{
	struct job *j = arg;

#ifdef FIXED
	int kind = j->kind;

	drop(j);
#else
	drop(j);
	int kind = j->kind;
#endif
	pthread_mutex_lock(&lock);
	done[kind]++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	struct job *j = malloc(sizeof(*j));
	pthread_t t;

	j->refs = 2;
	j->kind = 1;
	pthread_create(&t, NULL, work, j);
	sched_yield();
	drop(j);
	pthread_join(t, NULL);
	return 0;
}
