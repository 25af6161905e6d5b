/*
 * The condition variables of C11; a wait without a flag.
 * order: creation
 */
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int waits(void *arg)
{
	mtx_lock(&m);
#ifdef FIXED
	while (!ready)
#endif
		cnd_wait(&c, &m); /* @wait */
	mtx_unlock(&m);
	return arg != 0;
}

static int signals(void *arg)
{
	mtx_lock(&m);
	ready = 1;
	cnd_signal(&c); /* @signal */
	mtx_unlock(&m);
	return arg != 0;
}

int main(void)
{
	thrd_t a, b;

	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&a, waits, 0);
	thrd_create(&b, signals, 0);
	thrd_join(a, 0);
	thrd_join(b, 0);
	return 0;
}
