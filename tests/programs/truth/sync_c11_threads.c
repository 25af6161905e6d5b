/* C11 threads, mutexes, conditions and call_once(). */
#include "truth.h"
#include <threads.h>

static mtx_t m;
static cnd_t c;
static once_flag flag = ONCE_FLAG_INIT;
static int turn, made;

static void make(void)
{
	made++;
}

static int player(void *arg)
{
	int me = (int)(long)arg;

	call_once(&flag, make);
	for (int i = 0; i < 3; i++) {
		mtx_lock(&m);
		while (turn % 2 != me)
			cnd_wait(&c, &m);
		turn++;
		cnd_broadcast(&c);
		mtx_unlock(&m);
	}
	return made;
}

int main(void)
{
	thrd_t a, b;
	int x, y;

	mtx_init(&m, mtx_plain);
	cnd_init(&c);
	thrd_create(&a, player, (void *)0);
	thrd_create(&b, player, (void *)1);
	thrd_join(a, &x);
	thrd_join(b, &y);
	return turn != 6 || x != 1 || y != 1;
}
