/*
 * A recursive mutex protects a tree that a function walks by itself.
 */
#include "truth.h"
struct tree {
	struct tree *l, *r;
	int v;
};
static pthread_mutex_t m;
static struct tree *root;
static void put(struct tree **t, int v)
{
	pthread_mutex_lock(&m);
	if (!*t) {
		*t = calloc(1, sizeof(**t));
		(*t)->v = v;
	} else {
		put(v < (*t)->v ? &(*t)->l : &(*t)->r, v);
	}
	pthread_mutex_unlock(&m);
}
static int size(struct tree *t)
{
	int n;

	pthread_mutex_lock(&m);
	n = t ? 1 + size(t->l) + size(t->r) : 0;
	pthread_mutex_unlock(&m);
	return n;
}
static void *run(void *arg)
{
	for (int i = 0; i < 3; i++)
		put(&root, i * 7 % 5 + *(int *)arg);
	return NULL;
}
int main(void)
{
	int a = 1, b = 2;
	pthread_mutexattr_t x;
	pthread_t t[2];

	pthread_mutexattr_init(&x);
	pthread_mutexattr_settype(&x, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &x);
	assert(!pthread_create(&t[0], NULL, run, &a));
	assert(!pthread_create(&t[1], NULL, run, &b));
	pthread_mutex_lock(&m);
	assert(size(root) <= 6);
	pthread_mutex_unlock(&m);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(size(root) == 6);
	return 0;
}
