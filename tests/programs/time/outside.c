/*
 * Another process ends a wait, or answers before a limit in time. In the case `gone` the process
 * ends without a word: then nothing is left that could end the wait, and the program hangs.
 */
#include "frame.h"
#include <sys/file.h>

static struct {
	sem_t sem;
	pthread_mutex_t m;
	pthread_cond_t c;
	pthread_barrier_t b;
	int ready;
} *shared;
static int end[2];
static pid_t child;
static const char *which;

static void nap(void)
{
	usleep(60000);
}

static void in_child(void)
{
	if (!strcmp(which, "posts"))
		nap(), sem_post(&shared->sem);
	if (!strcmp(which, "signals")) {
		nap();
		pthread_mutex_lock(&shared->m);
		shared->ready = 1;
		pthread_cond_signal(&shared->c);
		pthread_mutex_unlock(&shared->m);
	}
	if (!strcmp(which, "unlocks")) {
		pthread_mutex_lock(&shared->m);
		sem_post(&shared->sem);
		nap();
		pthread_mutex_unlock(&shared->m);
	}
	if (!strcmp(which, "arrives"))
		nap(), pthread_barrier_wait(&shared->b);
	if (!strcmp(which, "writes") || !strcmp(which, "answers"))
		nap(), (void)!write(end[1], "x", 1);
	if (!strcmp(which, "kills"))
		nap(), kill(getppid(), SIGUSR1);
	if (!strcmp(which, "exits") || !strcmp(which, "polled"))
		nap();
	_exit(0);
}

static sem_t died;

static void posts_died(int sig)
{
	(void)sig;
	sem_post(&died);
}

static void before(void)
{
	pthread_mutexattr_t ma;
	pthread_condattr_t ca;
	pthread_barrierattr_t ba;

	shared =
	    mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sem_init(&shared->sem, 1, 0);
	sem_init(&died, 0, 0);
	pthread_mutexattr_init(&ma);
	pthread_mutexattr_setpshared(&ma, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->m, &ma);
	pthread_condattr_init(&ca);
	pthread_condattr_setpshared(&ca, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared->c, &ca);
	pthread_barrierattr_init(&ba);
	pthread_barrierattr_setpshared(&ba, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&shared->b, &ba, 2);
	pipe(end);
	signal(SIGUSR1, posts_died);
	if (!strcmp(which, "exits"))
		signal(SIGCHLD, posts_died);
	child = fork();
	if (!child)
		in_child();
}

static void reap(void)
{
	assert(waitpid(child, NULL, 0) == child);
}

static void wait_for(sem_t *s)
{
	while (sem_wait(s))
		assert(errno == EINTR);
}

static void posts(void)
{
	wait_for(&shared->sem);
	reap();
}

static void timed(void)
{
	struct timespec ts = in_ms(CLOCK_REALTIME, 20000);

	assert(sem_timedwait(&shared->sem, &ts) == 0);
	reap();
}

static void signals(void)
{
	struct timespec ts = in_ms(CLOCK_REALTIME, 20000);

	pthread_mutex_lock(&shared->m);
	while (!shared->ready)
		assert(pthread_cond_timedwait(&shared->c, &shared->m, &ts) == 0);
	pthread_mutex_unlock(&shared->m);
	reap();
}

static void unlocks(void)
{
	wait_for(&shared->sem);
	pthread_mutex_lock(&shared->m);
	pthread_mutex_unlock(&shared->m);
	reap();
}

static void arrives(void)
{
	pthread_barrier_wait(&shared->b);
	reap();
}

static void writes(void)
{
	struct pollfd p = {.fd = end[0], .events = POLLIN};
	char c;

	assert(poll(&p, 1, 20000) == 1);
	assert(read(end[0], &c, 1) == 1);
	reap();
}

/* A thread waits for another one, which waits for the child. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int answer;

static void *asks(void *arg)
{
	char x;

	assert(read(end[0], &x, 1) == 1);
	pthread_mutex_lock(&m);
	answer = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return arg;
}

static void answers(void)
{
	struct timespec ts = in_ms(CLOCK_REALTIME, 20000);
	pthread_t t;

	pthread_create(&t, NULL, asks, NULL);
	pthread_mutex_lock(&m);
	while (!answer)
		assert(pthread_cond_timedwait(&c, &m, &ts) == 0);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	reap();
}

static void exits(void)
{
	wait_for(&died);
	reap();
}

static void polled(void)
{
	struct timespec start, now;

	clock_gettime(CLOCK_MONOTONIC, &start);
	while (waitpid(child, NULL, WNOHANG) != child) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		assert(now.tv_sec - start.tv_sec < 20);
		usleep(2000);
	}
}

/* ---- the bug: the second look may find the child's post taken ---- */

static int taken;

static void *steals(void *arg)
{
	if (!taken) {
		taken = 1;
		wait_for(&shared->sem);
	}
	return arg;
}

static void gone(void)
{
	pthread_t t;

	reap();
	sem_post(&shared->sem);
	pthread_create(&t, NULL, steals, NULL);
	if (!taken) {
		taken = 1;
		wait_for(&shared->sem);
	}
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	static const struct frame_case cases[] = {
	    {"posts", posts},	  {"timed", timed},   {"signals", signals}, {"unlocks", unlocks},
	    {"arrives", arrives}, {"writes", writes}, {"answers", answers}, {"kills", exits},
	    {"exits", exits},	  {"polled", polled}, {"gone", gone},	    {0}};

	which = argc == 2 ? argv[1] : "";
	if (!strcmp(which, "timed"))
		which = "posts";
	return frame_main(cases, argc, argv, before);
}
