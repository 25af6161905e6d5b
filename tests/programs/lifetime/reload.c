/*
 * A reload frees the old settings at once, although a reader may still use them: there is no grace
 * period.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>
#include <stdlib.h>

struct settings {
	int level, limit;
};
static struct settings *_Atomic current;
static atomic_int readers;

static void *reader(void *arg)
{
	long sum = 0;

	for (int i = 0; i < 3; i++) {
		struct settings *s;

#ifdef FIXED
		atomic_fetch_add(&readers, 1);
#endif
		s = atomic_load(&current);
		sum += s->level + s->limit;
#ifdef FIXED
		atomic_fetch_sub(&readers, 1);
#endif
	}
	return sum ? NULL : arg;
}

static void *reload(void *arg)
{
	struct settings *s = malloc(sizeof(*s)), *old;

	*s = (struct settings){2, 20};
	old = atomic_exchange(&current, s);
	while (atomic_load(&readers))
		sched_yield();
	free(old);
	return arg;
}

int main(void)
{
	struct settings *s = malloc(sizeof(*s));
	pthread_t a, b;

	*s = (struct settings){1, 10};
	atomic_init(&current, s);
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, reload, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
