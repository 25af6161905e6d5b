#include <pthread.h>
#include <stdlib.h>
struct account { long balance; pthread_mutex_t lock; };
static struct account *a, *b;
__attribute__((noinline)) static void take(pthread_mutex_t *m) { pthread_mutex_lock(m); }
static void forth(struct account *from, struct account *to)
{
	take(&from->lock);
	take(&to->lock);
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}
static void *f(void *p) { forth(a, b); return p; }
#ifdef SAME
static void *g(void *p) { forth(b, a); return p; }
#else
static void *g(void *p)
{
	struct account *other = b;
	take(&other->lock);
	take(&a->lock);
	pthread_mutex_unlock(&a->lock);
	pthread_mutex_unlock(&other->lock);
	return p;
}
#endif
int main(void)
{
	pthread_t s, t;
	a = calloc(1, sizeof(*a));
	b = calloc(1, sizeof(*b));
	pthread_mutex_init(&a->lock, 0);
	pthread_mutex_init(&b->lock, 0);
	pthread_create(&s, 0, f, 0);
	pthread_create(&t, 0, g, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return 0;
}
