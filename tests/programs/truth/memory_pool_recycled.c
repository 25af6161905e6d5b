/*
 * Blocks come from a free list or else from malloc; the program prints the number of recycled
 * blocks and the maximum length of the list.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block {
	struct block *next;
	int owner, value;
} *spare;
static int recycled, fresh, length, longest;

static struct block *get(int me)
{
	struct block *b;

	pthread_mutex_lock(&lock);
	b = spare;
	if (b) {
		spare = b->next;
		length--;
		recycled++;
	} else {
		fresh++;
	}
	pthread_mutex_unlock(&lock);
	if (!b)
		b = malloc(sizeof(*b));
	b->owner = me;
	return b;
}

static void put(struct block *b)
{
	pthread_mutex_lock(&lock);
	b->next = spare;
	spare = b;
	length++;
	longest = length > longest ? length : longest;
	pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
	int me = arg != NULL;

	for (int i = 0; i < 4; i++) {
		struct block *a = get(me), *b = get(me);

		a->value = b->value = i;
		assert(a->owner == me && b->owner == me && a != b);
		put(a);
		put(b);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, &length);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d recycled, %d fresh, at most %d spare\n", recycled, fresh, longest);
	while (spare) {
		struct block *x = spare;

		spare = x->next;
		free(x);
	}
	return recycled + fresh != 16;
}
