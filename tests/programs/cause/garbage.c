/*
 * A thread uses an object after another thread has freed it, and finds what the allocator has
 * stored there. Nothing crashes before the assertion. With KEY, that is a number which libc
 * chooses at random in each execution. FIXED: the user holds a reference, which it takes before the
 * owner can drop its own.
 *
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static struct object {
	long magic; /* the allocator links free blocks here */
	int users;  /* ... and stores its number here */
	char more[100];
} *object;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long got;

static void drop(struct object *o)
{
	int left;

	pthread_mutex_lock(&lock);
	left = --o->users;
	pthread_mutex_unlock(&lock);
	if (!left) {
		o->magic = 3;
		free(o);
	}
}

static void *own(void *arg)
{
	drop(object);
	return arg;
}

static void *use(void *arg)
{
	struct object *o;

	pthread_mutex_lock(&lock);
	o = object;
	pthread_mutex_unlock(&lock);
	usleep(1000);
#ifdef KEY
	got = o->users == 1 || o->users == 2 ? 7 : o->users;
#else
	got = o->magic;
#endif
#ifdef FIXED
	drop(o);
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];

	object = calloc(1, sizeof(*object));
	object->magic = 7;
	object->users = 1;
#ifdef FIXED
	object->users = 2;
#endif
	pthread_create(&t[0], NULL, use, NULL);
	pthread_create(&t[1], NULL, own, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(got == 7);
	return 0;
}
