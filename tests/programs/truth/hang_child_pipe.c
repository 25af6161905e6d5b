/* A child answers through a pipe; main waits with a deadline for the worker that reads it. */
#include "truth.h"

static int p[2], answer;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *work(void *unused)
{
	char ch;

	tick();
	assert(read(p[0], &ch, 1) == 1);
	pthread_mutex_lock(&truth_lock);
	answer = ch;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	struct timespec ts;
	pthread_t a, b;
	pid_t child;
	int r = 0;

	assert(pipe(p) == 0);
	child = fork();
	if (child == 0) {
		usleep(30000);
		_exit(write(p[1], "k", 1) != 1);
	}
	pthread_create(&b, NULL, truth_looker, NULL);
	pthread_create(&a, NULL, work, NULL);
	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_sec += 20;
	pthread_mutex_lock(&truth_lock);
	while (!answer && r == 0)
		r = pthread_cond_timedwait(&c, &truth_lock, &ts);
	assert(answer == 'k');
	pthread_mutex_unlock(&truth_lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	waitpid(child, NULL, 0);
	return 0;
}
