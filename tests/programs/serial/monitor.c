/*
 * A worker counts under a lock, and a monitor looks at the count twice. It prints one look; BOTH:
 * both, which may differ. MARK, STATUS: it prints the worker's mark and sets its own, or returns
 * the first look; both as if the worker's step came before both looks or after both. BUGGY: it
 * takes both looks for one, and returns 3 (1) or fails (2) if they are not.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ALL 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, mark, status;

static void *work(void *arg)
{
	for (int i = 0; i < ALL; i++) {
		pthread_mutex_lock(&lock);
		count++;
#ifdef MARK
		mark = count;
#endif
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *watch(void *arg)
{
	int done, left;

	pthread_mutex_lock(&lock);
#ifdef MARK
	done = mark;
#else
	done = count;
#endif
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	left = ALL - count;
#ifdef MARK
	mark = 9;
#endif
	pthread_mutex_unlock(&lock);
#if BUGGY == 1
	status = done + left == ALL ? 0 : 3;
#elif defined(BOTH)
	printf("%d done, %d left\n", done, left);
#elif BUGGY == 2
	assert(done + left == ALL);
	printf("%d done\n", done);
#elif defined(STATUS)
	status = left < 0 ? 1 : ALL - done;
#else
	printf("%d done%s\n", done, left < 0 ? ", too many" : "");
#endif
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, watch, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("all %d\n", count);
	return status;
}
