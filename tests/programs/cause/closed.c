/*
 * A thread uses something after another thread took it away, in lock regions, and the recorded run
 * fails: FREED: a block that was freed; NOTHING: a pointer that is null; WOKEN: a wake-up that came
 * before the wait. Otherwise: a flag. FIXED: the user copes. UNRELATED: the user copes, and main
 * fails in every order.
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
int opened = 1, calls, *box, *volatile pointer;

static void *take_away(void *p)
{
	pthread_mutex_lock(&lock);
#if defined FREED
	free(box);
#elif defined NOTHING
	pointer = NULL;
#elif defined WOKEN
	calls++;
	pthread_cond_signal(&cond);
#else
	opened = 0;
#endif
	pthread_mutex_unlock(&lock);
	return p;
}

static void *use(void *p)
{
	int n = 7;

	pthread_mutex_lock(&lock);
#if defined FIXED || defined UNRELATED
	n = opened ? n : 7;
#elif defined FREED
	n = *box;
#elif defined NOTHING
	n = *pointer;
#elif defined WOKEN
	calls++;
	pthread_cond_wait(&cond, &lock);
#else
	n = opened ? n : 0;
#endif
	pthread_mutex_unlock(&lock);
	assert(n == 7);
	return p;
}

int main(void)
{
	pthread_t a, b;

	pointer = box = malloc(sizeof(*box));
	*box = 7;
	pthread_create(&a, NULL, take_away, NULL);
	pthread_create(&b, NULL, use, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#ifdef UNRELATED
	abort();
#endif
	return 0;
}
