/*
 * A reader takes a reference only after it has left the lock under which it found the session.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

struct session {
	int refs, hits;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session *current;

static void put(struct session *s)
{
	int last;

	pthread_mutex_lock(&lock);
	last = !--s->refs; /* @use */
	pthread_mutex_unlock(&lock);
	if (last)
		free(s); /* @free */
}

static void *reader(void *arg)
{
	struct session *s;

	pthread_mutex_lock(&lock);
	s = current;
#ifdef FIXED
	if (s)
		s->refs++;
	pthread_mutex_unlock(&lock);
#else
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	if (s)
		s->refs++;
	pthread_mutex_unlock(&lock);
#endif
	if (s) {
		pthread_mutex_lock(&lock);
		s->hits++;
		pthread_mutex_unlock(&lock);
		put(s);
	}
	return arg;
}

static void *closer(void *arg)
{
	struct session *s;

	pthread_mutex_lock(&lock);
	s = current;
	current = NULL;
	pthread_mutex_unlock(&lock);
	put(s);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	current = calloc(1, sizeof(*current));
	current->refs = 1;
	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, closer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
