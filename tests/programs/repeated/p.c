#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, spare = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t other = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long there, sum, turn;

static void wait_for(long t)
{
	pthread_mutex_lock(&m);
	while (turn != t)
		pthread_cond_wait(&c, &m);
	turn++;
	pthread_cond_broadcast(&c);
	sum += there;
	pthread_mutex_unlock(&m);
}

static void *run(void *arg)
{
	for (long t = (long)arg; t < 6; t += 2)
		wait_for(t);
#ifdef TAIL
	if (arg && access("new", F_OK) == 0) /* @tail */
		pthread_mutex_destroy(&spare);
	else
		pthread_rwlock_destroy(&other); /* @destroy */
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;

#ifdef VALUE
	there = access("new", F_OK) == 0; /* @there */
#endif
	pthread_create(&t, NULL, run, (void *)0);
	pthread_create(&u, NULL, run, (void *)1);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
#ifdef LAST
	if (access("new", F_OK) == 0) /* @look */
		pthread_mutex_destroy(&spare);
	else
		pthread_rwlock_destroy(&other); /* @last */
#endif
#ifdef LEFT
	if (access("new", F_OK) != 0) /* @alone */
		pthread_rwlock_destroy(&other); /* @left */
#endif
	printf("%ld\n", turn);
	return 0;
}
