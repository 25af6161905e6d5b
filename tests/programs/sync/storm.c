/* Signals and cancellations against locks, waits, allocation and creation; a fork now and then. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 20

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int stop, hits;
static int shared;

static void handler(int sig)
{
	int saved = errno;

	(void)sig;
	atomic_fetch_add(&hits, 1);
	shared++;
	errno = saved;
}

static void unlock(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void wait_a_little(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 100000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	pthread_cond_timedwait(&c, &m, &until);
	pthread_cleanup_pop(1);
}

static void *work(void *arg)
{
	for (int i = 0; !stop; i++) {
		pthread_mutex_lock(&m);
		shared++;
		pthread_mutex_unlock(&m);
		free(malloc((size_t)i % 1000 + 1));
		if (i % 16 == 0)
			pthread_cond_signal(&c);
		if (i % 64 == 0)
			wait_a_little();
	}
	return arg;
}

static int child(void)
{
	pthread_t t;

	stop = 1;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return 3;
}

int main(void)
{
	struct sigaction a = {.sa_handler = handler, .sa_flags = SA_RESTART};
	int cancelled = 0, children = 0;
	pthread_t t[4];

	sigaction(SIGUSR1, &a, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		stop = 0;
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, work, NULL);
		for (int i = 0; i < 100; i++) {
			pthread_kill(t[i % 4], SIGUSR1);
			if (i % 25 == 0)
				usleep(200);
		}
		if (round % 5 == 0) {
			pid_t pid = fork();
			int status = 0;

			if (!pid)
				_exit(child());
			waitpid(pid, &status, 0);
			children += WIFEXITED(status) && WEXITSTATUS(status) == 3;
		}
		pthread_cancel(t[0]);
		pthread_cancel(t[1]);
		pthread_join(t[0], NULL);
		pthread_join(t[1], NULL);
		stop = 1;
		for (int i = 2; i < 4; i++) {
			void *r;

			pthread_join(t[i], &r);
			cancelled += r == PTHREAD_CANCELED;
		}
	}
	printf("children %d, cancelled by mistake %d, hit %d\n", children, cancelled, hits > 0);
	return 0;
}
