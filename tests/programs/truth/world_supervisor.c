/*
 * A supervisor forks workers that exec nothing, write framed results to one pipe, and are reaped by a thread; a second
 * thread restarts those that failed. Children use pthread_atfork-protected state.
 */
#include "truth.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static struct {
	pid_t pid;
	int job, tries, done;
} slot[3];
static int out[2], failures, left = 3, prepared;

static void before(void)
{
	pthread_mutex_lock(&lock);
	prepared++;
}
static void after(void)
{
	pthread_mutex_unlock(&lock);
}

static void start(int i)
{
	int job, try;
	pid_t pid;

	pthread_mutex_lock(&lock);
	job = slot[i].job;
	try = slot[i].tries++;
	pthread_mutex_unlock(&lock);
	pid = fork();
	if (!pid) {
		int frame[2] = {job, job * job};

		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		if (job == 2 && try == 0)
			_exit(9);
		_exit(write(out[1], frame, sizeof(frame)) != sizeof(frame));
	}
	pthread_mutex_lock(&lock);
	slot[i].pid = pid;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&lock);
}

static void *reap(void *arg)
{
	int i = (int)(long)arg;

	for (;;) {
		pid_t pid;
		int st;

		pthread_mutex_lock(&lock);
		while (!slot[i].pid)
			pthread_cond_wait(&cond, &lock);
		pid = slot[i].pid;
		slot[i].pid = 0;
		pthread_mutex_unlock(&lock);
		assert(waitpid(pid, &st, 0) == pid);
		if (WIFEXITED(st) && !WEXITSTATUS(st)) {
			pthread_mutex_lock(&lock);
			slot[i].done = 1;
			left--;
			pthread_mutex_unlock(&lock);
			return NULL;
		}
		pthread_mutex_lock(&lock);
		failures++;
		pthread_mutex_unlock(&lock);
		start(i);
	}
}

static void *collect(void *unused)
{
	int frame[2];
	long sum = 0;

	for (int i = 0; i < 3; i++) {
		assert(read(out[0], frame, sizeof(frame)) == sizeof(frame));
		assert(frame[1] == frame[0] * frame[0]);
		sum += frame[1];
	}
	(void)unused;
	return (void *)sum;
}

int main(void)
{
	pthread_t t[3], c;
	void *sum;

	assert(pipe(out) == 0);
	assert(pthread_atfork(before, after, after) == 0);
	pthread_create(&c, NULL, collect, NULL);
	for (long i = 0; i < 3; i++) {
		slot[i].job = (int)i + 1;
		pthread_create(&t[i], NULL, reap, (void *)i);
		start((int)i);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	pthread_join(c, &sum);
	printf("sum %ld, failures %d, forks %d\n", (long)sum, failures, prepared);
	return (long)sum != 14 || failures != 1 || left;
}
