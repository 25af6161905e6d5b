/*
 * A timer ends a wait. The cases `stuck` and `watchdog` have a timer that does not help: the one
 * hangs, the other deadlocks.
 */
#include "frame.h"
#include <stdatomic.h>

static sem_t sem;
static atomic_int fired; /* the kernel may choose another thread for the next signal */
static int value;

static void posts(int sig)
{
	(void)sig;
	fired++;
	sem_post(&sem);
}

static void counts(int sig)
{
	(void)sig;
	fired++;
}

static void handle(int sig, void (*fn)(int), int flags)
{
	struct sigaction sa = {.sa_handler = fn, .sa_flags = flags};

	sigaction(sig, &sa, NULL);
}

static void take(void)
{
	while (sem_wait(&sem))
		assert(errno == EINTR);
}

static void alarm_(void)
{
	sem_init(&sem, 0, 0);
	handle(SIGALRM, posts, 0);
	alarm(1);
	take();
	assert(fired == 1);
}

static void interval(void)
{
	struct itimerval it = {{0, 2000}, {0, 2000}};

	sem_init(&sem, 0, 0);
	handle(SIGALRM, posts, SA_RESTART);
	setitimer(ITIMER_REAL, &it, NULL);
	for (int i = 0; i < 5; i++)
		assert(sem_wait(&sem) == 0); /* handlers with SA_RESTART do not interrupt it */
	it = (struct itimerval){0};
	setitimer(ITIMER_REAL, &it, NULL);
}

static void informed(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	*(int *)info->si_value.sival_ptr = 7;
	sem_post(&sem);
}

static void posix(void)
{
	struct sigaction sa = {.sa_sigaction = informed, .sa_flags = SA_SIGINFO};
	struct sigevent ev = {
	    .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_ptr = &value};
	struct itimerspec it = {.it_value.tv_nsec = 5000000};
	timer_t t;

	sem_init(&sem, 0, 0);
	sigaction(SIGUSR1, &sa, NULL);
	timer_create(CLOCK_MONOTONIC, &ev, &t);
	timer_settime(t, 0, &it, NULL);
	take();
	assert(value == 7);
	timer_delete(t);
}

static void notified(union sigval v)
{
	sem_post(v.sival_ptr);
}

static void thread(void)
{
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD,
			      .sigev_notify_function = notified,
			      .sigev_value.sival_ptr = &sem};
	struct itimerspec it = {.it_value.tv_nsec = 5000000};
	timer_t t;

	sem_init(&sem, 0, 0);
	timer_create(CLOCK_REALTIME, &ev, &t);
	timer_settime(t, 0, &it, NULL);
	take();
	timer_delete(t);
}

static void descriptor(void)
{
	struct itimerspec it = {.it_value.tv_nsec = 5000000, .it_interval.tv_nsec = 5000000};
	struct timespec before, after;
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	uint64_t n;

	clock_gettime(CLOCK_MONOTONIC, &before);
	timerfd_settime(fd, 0, &it, NULL);
	assert(read(fd, &n, sizeof(n)) == sizeof(n) && n >= 1);
	assert(poll(&p, 1, 5000) == 1);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert((after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec >=
	       5000000);
	close(fd);
}

static void fetched(void)
{
	struct itimerval it = {{0, 0}, {0, 3000}};
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	setitimer(ITIMER_REAL, &it, NULL);
	assert(sigwait(&set, &sig) == 0 && sig == SIGALRM);
}

static void interrupts(void)
{
	struct timespec left = {0}, want = {.tv_sec = 5};
	sigset_t set;
	int end[2];
	char c;

	pipe(end);
	sigemptyset(&set); /* all others block it */
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	handle(SIGALRM, counts, 0);
	alarm(1);
	assert(nanosleep(&want, &left) == -1 && errno == EINTR && left.tv_sec >= 3);
	alarm(1);
	assert(read(end[0], &c, 1) == -1 && errno == EINTR && fired == 2);
}

/* A program that looks every 100 ms whether it has got on, and gives up after ten seconds. */
static int done;

static void *watches(void *arg)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&frame_lock);
		i = done ? 1000 : i;
		pthread_mutex_unlock(&frame_lock);
		usleep(100000);
		assert(i != 99);
	}
	return arg;
}

static void watched(void)
{
	pthread_t t;

	pthread_create(&t, NULL, watches, NULL);
	sleep(1);
	pthread_mutex_lock(&frame_lock);
	done = 1;
	pthread_mutex_unlock(&frame_lock);
	pthread_join(t, NULL);
}

static void masked(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* ---- bugs ---- */

static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int work;

/* The signal is lost if it comes before the wait; the timer's handler only counts. */
static void *gives(void *arg)
{
	work = 1;
	pthread_mutex_lock(&frame_lock);
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&frame_lock);
	return arg;
}

static void stuck(void)
{
	struct itimerval it = {{0, 5000}, {0, 5000}};
	pthread_t t;

	handle(SIGALRM, counts, SA_RESTART);
	setitimer(ITIMER_REAL, &it, NULL);
	pthread_create(&t, NULL, gives, NULL);
	if (!work) {
		pthread_mutex_lock(&frame_lock);
		pthread_cond_wait(&ready, &frame_lock);
		pthread_mutex_unlock(&frame_lock);
	}
	pthread_join(t, NULL);
}

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *backwards(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

static void watchdog(void)
{
	struct itimerval it = {{0, 5000}, {0, 5000}};
	pthread_t t;

	handle(SIGALRM, counts, SA_RESTART);
	setitimer(ITIMER_REAL, &it, NULL);
	pthread_create(&t, NULL, backwards, NULL);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	static const struct frame_case cases[] = {{"alarm", alarm_},
						  {"interval", interval},
						  {"posix", posix},
						  {"thread", thread},
						  {"descriptor", descriptor},
						  {"fetched", fetched},
						  {"watched", watched},
						  {"interrupts", interrupts},
						  {"stuck", stuck},
						  {"watchdog", watchdog},
						  {0}};

	return frame_main(
	    cases, argc, argv,
	    argc == 2 && (!strcmp(argv[1], "fetched") || !strcmp(argv[1], "interrupts")) ? masked
											 : NULL);
}
