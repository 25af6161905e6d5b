/*
 * A thread writes, and loses its turn; the other thread reads the value, and ends the program. The trace has the write,
 * although the writer never gets another turn. Argument: plain, wide or atomic.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef long wide __attribute__((vector_size(16)));
static int plain, other;
static wide two;
static atomic_int counter;
static const char *kind;

static void *writer(void *arg)
{
	for (int i = 1; i < 10; i++) {
		other = i;
		if (*kind == 'p')
			plain = i;
		else if (*kind == 'w')
			two = (wide){i, i};
		else
			atomic_store(&counter, i);
	}
	return arg;
}

static void *reader(void *arg)
{
	int seen = *kind == 'p' ? plain : *kind == 'w' ? (int)two[1] : atomic_load(&counter);

	if (seen && seen < 9)
		abort();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	kind = argc > 1 ? argv[1] : "plain";
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
