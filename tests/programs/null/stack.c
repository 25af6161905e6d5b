/*
 * A stack over an array: a thread takes the height in one lock region and reads the element below
 * it in the next. Another thread pops, which leaves null in the array.
 * The twin does both in one lock region.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int value;
};
struct stack {
	pthread_mutex_t lock;
	struct item **data;
	int height, changes;
};
static struct item items[3] = {{1}, {2}, {3}};
struct stack stack = {.lock = PTHREAD_MUTEX_INITIALIZER};
int top;

static int height(struct stack *s)
{
	int h;

	pthread_mutex_lock(&s->lock);
	h = s->height;
	pthread_mutex_unlock(&s->lock);
	return h;
}

static int peek(struct stack *s)
{
	int v = 0, h;

#ifdef FIXED
	pthread_mutex_lock(&s->lock);
	h = s->height;
#else
	h = height(s);
	pthread_mutex_lock(&s->lock);
#endif
	if (h)
		v = s->data[h - 1]->value; /* @use */
	pthread_mutex_unlock(&s->lock);
	return v;
}

static void *look(void *arg)
{
	top = peek(&stack);
	return arg;
}

static void *pop(void *arg)
{
	pthread_mutex_lock(&stack.lock);
	stack.changes++;
	stack.data[--stack.height] = NULL;
	pthread_mutex_unlock(&stack.lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	stack.data = calloc(3, sizeof(*stack.data));
	while (height(&stack) < 3) {
		stack.data[stack.height] = &items[stack.height];
		stack.height++;
	}
	pthread_create(&a, NULL, look, NULL);
	pthread_create(&b, NULL, pop, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(stack.data);
	return 0;
}
