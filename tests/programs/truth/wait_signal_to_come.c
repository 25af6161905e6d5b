/*
 * A thread waits for a semaphore that only its own signal handler posts; another thread sends the
 * signals.
 */
#include "truth.h"
#include <semaphore.h>
static sem_t s, handled;
static void handler(int sig)
{
	(void)sig;
	sem_post(&s);
	sem_post(&handled);
}
static void *waiter(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++)
		while (sem_wait(&s))
			assert(errno == EINTR);
	tick();
	return NULL;
}
int main(void)
{
	struct sigaction a = {.sa_handler = handler};
	pthread_t t;

	sigaction(SIGUSR1, &a, NULL);
	sem_init(&s, 0, 0);
	sem_init(&handled, 0, 0);
	pthread_create(&t, NULL, waiter, NULL);
	for (int i = 0; i < 2; i++) {
		tick();
		assert(!pthread_kill(t, SIGUSR1));
		while (sem_wait(&handled))
			assert(errno == EINTR);
	}
	pthread_join(t, NULL);
	assert(truth_count == 3);
	return 0;
}
