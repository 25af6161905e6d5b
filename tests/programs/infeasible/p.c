#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t s;
static long x, y, z;

static void *first(void *arg)
{
	pthread_mutex_lock(&m); /* @lock1 */
	x = 1; /* @x1 */
	pthread_mutex_unlock(&m); /* @unlock1 */
	y = 1; /* @y1 */
	z = 1; /* @z1 */
	sem_post(&s); /* @post */
	pthread_mutex_lock(&a); /* @a1 */
	pthread_mutex_lock(&b); /* @b1 */
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&m); /* @lock2 */
	long v = x; /* @x2 */
	pthread_mutex_unlock(&m);
	if (v)
		y = 2; /* @y2 */
	sem_wait(&s); /* @wait */
	pthread_mutex_lock(&b); /* @b2 */
	pthread_mutex_lock(&a); /* @a2 */
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, first, NULL); /* @create1 */
	pthread_create(&u, NULL, second, NULL); /* @create2 */
	pthread_join(t, NULL); /* @join1 */
	pthread_join(u, NULL);
	printf("%ld %ld\n", y, z);
	return 0;
}
