/*
 * The locks of C11: a mutex and a once.
 * order: creation
 */
#include <threads.h>

static mtx_t m;
static once_flag once = ONCE_FLAG_INIT;
static int x;

static void init(void)
{
	mtx_lock(&m);
	x = 1;
	mtx_unlock(&m);
}

static int one(void *arg)
{
	call_once(&once, init);
	return arg != 0;
}

static int two(void *arg)
{
#ifdef FIXED
	call_once(&once, init);
	mtx_lock(&m);
#else
	mtx_lock(&m);
	call_once(&once, init);
#endif
	x++;
	mtx_unlock(&m);
	return arg != 0;
}

int main(void)
{
	thrd_t t, u;

	mtx_init(&m, mtx_plain);
	thrd_create(&t, one, NULL);
	thrd_create(&u, two, NULL);
	thrd_join(t, NULL);
	thrd_join(u, NULL);
	return 0;
}
