/*
 * Three stations hand parts on in a ring: each holds its own lock while it takes its neighbour's.
 * Before that: a spin lock, one of whose takers tries in vain.
 *
 * expect: deadlock * acquire@next acquire@next acquire@next
 * harm: hang
 * order: creation
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define N 3

static struct {
	pthread_mutex_t lock;
	int parts;
} station[N];
static pthread_spinlock_t spin;
static int moved, busy;

static void *probe(void *arg)
{
	busy += pthread_spin_trylock(&spin) == EBUSY;
	return arg;
}

static void *move(void *arg)
{
	int me = (int)(long)arg, next = (me + 1) % N, a = me, b = next;

	pthread_spin_lock(&spin);
	moved++;
	pthread_spin_unlock(&spin);
#ifdef FIXED
	if (b < a) {
		a = next;
		b = me;
	}
#endif
	pthread_mutex_lock(&station[a].lock);
	pthread_mutex_lock(&station[b].lock); /* @next */
	station[me].parts--;
	station[next].parts++;
	pthread_mutex_unlock(&station[b].lock);
	pthread_mutex_unlock(&station[a].lock);
	return NULL;
}

int main(void)
{
	pthread_t t[N];

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&spin);
	pthread_create(&t[0], NULL, probe, NULL);
	pthread_join(t[0], NULL);
	pthread_spin_unlock(&spin);
	for (int i = 0; i < N; i++)
		pthread_mutex_init(&station[i].lock, NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, move, (void *)(long)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	printf("%d %d\n", moved, busy);
	return 0;
}
