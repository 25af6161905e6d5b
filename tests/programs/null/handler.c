/*
 * A table of handlers in atomic pointers: the caller loads the handler twice, to look and to call.
 * The twin loads it once.
 *
 * order: creation
 */
#include <stdatomic.h>
#include <threads.h>

typedef void handler(int);
int handled;

static void handle(int v)
{
	handled = v;
}
static handler *_Atomic table[4] = {0, handle};

static int dispatch(void *arg)
{
#ifdef FIXED
	handler *h = atomic_load(&table[1]);

	if (h)
		h(7);
#else
	if (atomic_load(&table[1]))
		atomic_load(&table[1])(7); /* @use */
#endif
	return arg != NULL;
}

static int unregister(void *arg)
{
	atomic_store(&table[1], (handler *)0);
	return arg != NULL;
}

int main(void)
{
	thrd_t a, b;

	thrd_create(&a, dispatch, NULL);
	thrd_create(&b, unregister, NULL);
	thrd_join(a, NULL);
	thrd_join(b, NULL);
	return 0;
}
