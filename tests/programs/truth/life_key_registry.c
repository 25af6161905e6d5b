/*
 * Each thread's object is in a registry; the destructor of its key takes it out under the lock and
 * frees it.
 */
#include "truth.h"
struct entry {
	struct entry *next;
	int count;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static struct entry *all;
static int gone;
static void leave(void *arg)
{
	struct entry *e = arg, **p;

	pthread_mutex_lock(&m);
	for (p = &all; *p != e; p = &(*p)->next)
		;
	*p = e->next;
	gone += e->count;
	pthread_mutex_unlock(&m);
	free(e);
}
static void count(void)
{
	struct entry *e = pthread_getspecific(key);

	if (!e) {
		e = calloc(1, sizeof(*e));
		pthread_setspecific(key, e);
		pthread_mutex_lock(&m);
		e->next = all;
		all = e;
		pthread_mutex_unlock(&m);
	}
	pthread_mutex_lock(&m);
	e->count++;
	pthread_mutex_unlock(&m);
}
static int total(void)
{
	int s;

	pthread_mutex_lock(&m);
	s = gone;
	for (struct entry *e = all; e; e = e->next)
		s += e->count;
	pthread_mutex_unlock(&m);
	return s;
}
static void *worker(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		count();
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	int s;

	pthread_key_create(&key, leave);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	s = total();
	assert(s >= 0 && s <= 6);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(total() == 6 && !all);
	return 0;
}
