/* A thread waits for a flag that the handler of SIGCHLD sets; the child ends after a while. */
#include "truth.h"
#include <semaphore.h>
static sem_t ended;
static void handler(int s)
{
	int e = errno;

	(void)s;
	sem_post(&ended);
	errno = e;
}
static void *waiter(void *unused)
{
	(void)unused;
	while (sem_wait(&ended))
		assert(errno == EINTR);
	tick();
	return NULL;
}
int main(void)
{
	struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
	pthread_t t;
	int status;
	pid_t c;

	sem_init(&ended, 0, 0);
	sigaction(SIGCHLD, &a, NULL);
	pthread_create(&t, NULL, waiter, NULL);
	c = fork();
	if (!c) {
		usleep(2000);
		_exit(3);
	}
	pthread_join(t, NULL);
	assert(waitpid(c, &status, 0) == c && WEXITSTATUS(status) == 3);
	assert(truth_count == 1);
	return 0;
}
