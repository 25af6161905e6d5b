/*
 * A driver: its registers under a spin lock, its queue under a mutex, taken in two orders. Before
 * that: barriers with four threads, whose serial thread is counted.
 *
 * expect: deadlock registers,queue acquire@submit acquire@interrupt
 * harm: hang
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t registers;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t power;
static int pending, serial;

static void power_up(void)
{
	for (int i = 0; i < 3; i++)
		if (pthread_barrier_wait(&power) == PTHREAD_BARRIER_SERIAL_THREAD) {
			pthread_mutex_lock(&queue);
			serial++;
			pthread_mutex_unlock(&queue);
		}
}

static void *submit(void *arg)
{
	power_up();
	pthread_mutex_lock(&queue);
	pthread_spin_lock(&registers); /* @submit */
	pending++;
	pthread_spin_unlock(&registers);
	pthread_mutex_unlock(&queue);
	return arg;
}

static void *interrupt(void *arg)
{
	power_up();
#ifdef FIXED
	pthread_mutex_lock(&queue);
	pthread_spin_lock(&registers);
#else
	pthread_spin_lock(&registers);
	pthread_mutex_lock(&queue); /* @interrupt */
#endif
	pending--;
	pthread_mutex_unlock(&queue);
	pthread_spin_unlock(&registers);
	return arg;
}

static void *idle(void *arg)
{
	power_up();
	return arg;
}

int main(void)
{
	pthread_t t[4];

	pthread_spin_init(&registers, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&power, NULL, 4);
	pthread_create(&t[0], NULL, submit, NULL);
	pthread_create(&t[1], NULL, interrupt, NULL);
	pthread_create(&t[2], NULL, idle, NULL);
	pthread_create(&t[3], NULL, idle, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%d %d\n", pending, serial);
	return 0;
}
