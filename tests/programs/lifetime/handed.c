/*
 * A producer puts an item into a queue and then still counts its size. The consumer frees items.
 * The twin counts before.
 *
 * order: creation
 * expect: use-after-free
 */
#include <stdlib.h>
#include <threads.h>

struct item {
	struct item *next;
	int size;
};
static mtx_t lock;
static cnd_t filled;
static struct item *head;
static long produced, consumed;

static void push(struct item *i)
{
	mtx_lock(&lock);
	i->next = head;
	head = i;
	cnd_signal(&filled);
	mtx_unlock(&lock);
}

static int produce(void *arg)
{
	for (int k = 1; k <= 3; k++) {
		struct item *i = malloc(sizeof(*i));

		i->size = k;
#ifdef FIXED
		produced += i->size;
		push(i);
#else
		push(i);
		produced += i->size;
#endif
	}
	return arg != NULL;
}

static int consume(void *arg)
{
	for (int k = 0; k < 3; k++) {
		struct item *i;

		mtx_lock(&lock);
		while (!head)
			cnd_wait(&filled, &lock);
		i = head;
		head = i->next;
		mtx_unlock(&lock);
		consumed += i->size;
		free(i);
	}
	return arg != NULL;
}

int main(void)
{
	thrd_t a, b;

	mtx_init(&lock, mtx_plain);
	cnd_init(&filled);
	thrd_create(&a, produce, NULL);
	thrd_create(&b, consume, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return produced != consumed;
}
