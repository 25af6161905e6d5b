/*
 * A thread switches on a mode. It does not expect the one that another thread sets later.
 * The twin knows this mode.
 *
 * order: creation
 * harm: exit
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { READ = 1, WRITE, APPEND, CLOSED = 9 };
atomic_int mode = READ;
int n;

static void fatal(int status)
{
	write(2, "mode\n", 5);
	_exit(status); /* @fails: inlined */
}

static void *use(void *arg)
{
	switch (atomic_load(&mode)) {
	case READ:
	case WRITE:
		n++;
		break;
	case APPEND:
		n += 2;
		break;
#ifdef FIXED
	case CLOSED:
		break;
#endif
	default:
		fatal(4); /* @fails */
	}
	return arg;
}

static void *change(void *arg)
{
	atomic_store(&mode, WRITE);
	atomic_store(&mode, APPEND);
	atomic_store(&mode, CLOSED);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, use, NULL);
	pthread_create(&b, NULL, change, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
