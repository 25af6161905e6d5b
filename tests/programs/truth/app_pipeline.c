/* Three stages connected by semaphores and single slots. */
#include "truth.h"
#include <semaphore.h>

static struct slot {
	sem_t full, empty;
	int v;
} s[2];
static int out;

static void put(struct slot *p, int v)
{
	sem_wait(&p->empty);
	p->v = v;
	sem_post(&p->full);
}

static int get(struct slot *p)
{
	int v;

	sem_wait(&p->full);
	v = p->v;
	sem_post(&p->empty);
	return v;
}

static void *source(void *unused)
{
	for (int i = 1; i <= 4; i++)
		put(&s[0], i);
	put(&s[0], 0);
	return unused;
}

static void *middle(void *unused)
{
	int v;

	while ((v = get(&s[0])))
		put(&s[1], v * v);
	put(&s[1], 0);
	return unused;
}

int main(void)
{
	pthread_t a, b;
	int v;

	for (int i = 0; i < 2; i++) {
		sem_init(&s[i].full, 0, 0);
		sem_init(&s[i].empty, 0, 1);
	}
	pthread_create(&a, NULL, source, NULL);
	pthread_create(&b, NULL, middle, NULL);
	while ((v = get(&s[1])))
		out += v;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return out != 30;
}
