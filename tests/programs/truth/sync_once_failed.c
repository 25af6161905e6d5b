/* A thread is cancelled inside pthread_once(): the next one starts the routine again. */
#include "truth.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tries, value;

static void gives_up(void)
{
	pthread_cancel(pthread_self());
	pthread_testcancel();
}

static void make(void)
{
	if (++tries == 1)
		gives_up();
	value = 4;
}

static void *work(void *unused)
{
	pthread_once(&once, make);
	assert(value == 4);
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return value != 4;
}
