/*
 * Java's TreeSet, of version 1.4, behind Collections.synchronizedSortedSet(). a.addAll(b) holds the
 * lock of a. If a is empty, it builds its tree from b: it asks b for its size, and then for each
 * element in turn, to build a balanced tree of that size. Each question locks b. If another thread
 * removes an element from b in between, the last element is missing. Nothing races.
 *
 * One pair of units: the whole removal comes between the question for the size and the read of the
 * link that the removal cuts.
 *
 * expect: atomic-set-violation b.size+* read@size read@down write@fewer write@cut
 * harm: exit exit status 4
 * order: creation
 */
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
	int key;
	struct node *child[2];
};

struct set {
	pthread_mutex_t lock;
	struct node *root;
	int size;
};

static struct node *node_new(int key)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		exit(9);
	n->key = key;
	return n;
}

static void set_lock(struct set *s, bool locked)
{
	if (!locked)
		pthread_mutex_lock(&s->lock);
}

static void set_unlock(struct set *s, bool locked)
{
	if (!locked)
		pthread_mutex_unlock(&s->lock);
}

static void set_add(struct set *s, int key)
{
	struct node **at;

	pthread_mutex_lock(&s->lock);
	for (at = &s->root; *at && (*at)->key != key; at = &(*at)->child[key > (*at)->key])
		;
	if (!*at) {
		*at = node_new(key);
		s->size++;
	}
	pthread_mutex_unlock(&s->lock);
}

/*
 * Leaves alone, here. A thread on its way through the set may still read it, so the caller frees
 * it.
 */
static struct node *set_remove(struct set *s, int key)
{
	struct node **at, *n;

	pthread_mutex_lock(&s->lock);
	for (at = &s->root; (n = *at) && n->key != key; at = &n->child[key > n->key])
		;
	if (n) {
		*at = NULL; /* @cut */
		s->size--;  /* @fewer */
	}
	pthread_mutex_unlock(&s->lock);
	return n;
}

static int set_size(struct set *s, bool locked)
{
	int n;

	set_lock(s, locked);
	n = s->size; /* @size */
	set_unlock(s, locked);
	return n;
}

/* The least key above this one. */
static int set_next(struct set *s, int above, bool locked)
{
	struct node *const *at = &s->root, *n;
	const struct node *best = NULL;
	int key;

	set_lock(s, locked);
	while ((n = *at)) { /* @down */
		bool right = n->key <= above;

		if (!right)
			best = n;
		at = &n->child[right];
	}
	if (!best) {
		fprintf(stderr, "no such element\n");
		exit(4);
	}
	key = best->key;
	set_unlock(s, locked);
	return key;
}

static struct node *build(struct set *from, int n, int *last, bool locked)
{
	struct node *left, *r;

	if (n == 0)
		return NULL;
	left = build(from, n / 2, last, locked);
	*last = set_next(from, *last, locked);
	r = node_new(*last);
	r->child[0] = left;
	r->child[1] = build(from, n - n / 2 - 1, last, locked);
	return r;
}

static void set_add_all(struct set *to, struct set *from)
{
	int n, last = INT_MIN;
	bool locked = false;

	pthread_mutex_lock(&to->lock);
#ifdef FIXED
	pthread_mutex_lock(&from->lock);
	locked = true;
#endif
	n = set_size(from, locked);
	to->root = build(from, n, &last, locked);
	to->size = n;
#ifdef FIXED
	pthread_mutex_unlock(&from->lock);
#endif
	pthread_mutex_unlock(&to->lock);
}

static struct set a = {.lock = PTHREAD_MUTEX_INITIALIZER}, b = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *copy(void *arg)
{
	set_add_all(&a, &b);
	return arg;
}

static void *removal(void *arg)
{
	*(struct node **)arg = set_remove(&b, 30);
	return NULL;
}

static void print(const struct node *n)
{
	if (!n)
		return;
	print(n->child[0]);
	printf("%d ", n->key);
	print(n->child[1]);
}

int main(void)
{
	struct node *removed = NULL;
	pthread_t t1, t2;

	set_add(&b, 20);
	set_add(&b, 10);
	set_add(&b, 30);
	pthread_create(&t1, NULL, copy, NULL);
	pthread_create(&t2, NULL, removal, &removed);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	print(a.root);
	print(b.root);
	printf("and %d\n", removed ? removed->key : 0);
	free(removed);
	return 0;
}
