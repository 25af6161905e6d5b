/*
 * Sessions with ids made of the time, random numbers and the process's id, in a table that is
 * hashed by them. A session's owner is noted after the session can be found. What the ids are
 * decides where everything is, and how often the table is probed.
 *
 * expect: data-race table[].owner write@note read@check
 * harm: assert
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 16

static struct {
	unsigned id;
	int owner;
} table[SLOTS];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned last;

static unsigned new_id(void)
{
	unsigned noise;
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	if (getrandom(&noise, sizeof(noise), 0) != sizeof(noise))
		abort();
	return (noise ^ (unsigned)rand() ^ (unsigned)getpid() ^ (unsigned)ts.tv_nsec) | 1;
}

static int find(unsigned id, int make)
{
	unsigned i = id % SLOTS;

	while (table[i].id != id && (!make || table[i].id))
		i = (i + 1) % SLOTS;
	table[i].id = id;
	return (int)i;
}

static void *login(void *arg)
{
	int slot = 0;

	for (int k = 1; k <= 10; k++) {
		unsigned id = new_id();

		pthread_mutex_lock(&m);
		slot = find(id, 1);
		last = id;
#ifdef FIXED
		table[slot].owner = k;
#endif
		pthread_mutex_unlock(&m);
	}
#ifndef FIXED
	table[slot].owner = 10; /* @note */
#endif
	return arg;
}

static void *request(void *arg)
{
	pthread_mutex_lock(&m);
	assert(!last || table[find(last, 0)].owner); /* @check */
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	srand((unsigned)time(NULL));
	pthread_create(&t1, NULL, login, NULL);
	pthread_create(&t2, NULL, request, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
