/*
 * Threads fork children and wait for them; the program prints the number of children that were
 * alive at once.
 *
 * options: --order creation
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int alive, most, sum;

static void *work(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int status, others;
		pid_t child;

		pthread_mutex_lock(&lock);
		others = alive++;
		most = alive > most ? alive : most;
		pthread_mutex_unlock(&lock);
		child = fork();
		if (!child)
			_exit(3);
		assert(child > 0 && waitpid(child, &status, 0) == child);
		pthread_mutex_lock(&lock);
		alive--;
		sum += WEXITSTATUS(status);
		pthread_mutex_unlock(&lock);
		printf("beside %d others\n", others);
	}
	return arg;
}

int main(void)
{
	both(work, work, NULL);
	printf("at most %d at once\n", most);
	return sum != 12;
}
