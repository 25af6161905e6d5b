/*
 * Time as the program sees it: sleeps take their time on all clocks, no clock goes back, files that
 * were written are as old as they should be, and limits in time expire neither early nor without
 * need.
 */
#include "frame.h"
#include <sys/select.h>
#include <sys/times.h>

static int64_t ns(clockid_t clock)
{
	struct timespec ts;

	assert(clock_gettime(clock, &ts) == 0);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

#define MS 1000000LL
#define LONG 300 /* milliseconds that a wait takes here */

/* Runs a wait and says how long it took by three clocks. */
#define TAKES(wait)                                                        \
	do {                                                               \
		int64_t m_ = ns(CLOCK_MONOTONIC), r_ = ns(CLOCK_REALTIME); \
		int64_t b_ = ns(CLOCK_BOOTTIME);                           \
                                                                           \
		wait;                                                      \
		assert(ns(CLOCK_MONOTONIC) - m_ >= (LONG - 1) * MS);       \
		assert(ns(CLOCK_REALTIME) - r_ >= (LONG - 1) * MS);        \
		assert(ns(CLOCK_BOOTTIME) - b_ >= (LONG - 1) * MS);        \
	} while (0)

static void sleeps(void)
{
	struct timespec ts = {LONG / 1000, LONG % 1000 * MS}, at;
	struct timeval tv = {LONG / 1000, LONG % 1000 * 1000};

	TAKES(usleep(LONG * 1000));
	TAKES(nanosleep(&ts, NULL));
	TAKES(thrd_sleep(&ts, NULL));
	TAKES(poll(NULL, 0, LONG));
	TAKES(select(0, NULL, NULL, NULL, &tv));
	TAKES((at = in_ms(CLOCK_MONOTONIC, LONG),
	       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL)));
}

static void expires(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	struct timespec at, some = {LONG / 1000, LONG % 1000 * MS};
	struct pollfd p = {.events = POLLIN};
	sigset_t set;
	int end[2];
	sem_t s;

	pipe(end);
	p.fd = end[0];
	sem_init(&s, 0, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	TAKES(assert(poll(&p, 1, LONG) == 0));
	TAKES((at = in_ms(CLOCK_REALTIME, LONG),
	       assert(sem_timedwait(&s, &at) == -1 && errno == ETIMEDOUT)));
	TAKES((at = in_ms(CLOCK_MONOTONIC, LONG), pthread_mutex_lock(&m),
	       assert(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &at) == ETIMEDOUT)));
	TAKES(assert(sigtimedwait(&set, NULL, &some) == -1 && errno == EAGAIN));
	pthread_mutex_unlock(&m);
}

/* Two threads read one clock in turn. */
static int64_t last;

static void *reads(void *arg)
{
	for (int i = 0; i < 20; i++) {
		int64_t now;

		pthread_mutex_lock(&frame_lock);
		now = i % 2 ? ns(CLOCK_MONOTONIC) : ns(CLOCK_MONOTONIC_COARSE) + 20 * MS;
		assert(i % 2 == 0 || now >= last);
		if (i % 2)
			last = now;
		pthread_mutex_unlock(&frame_lock);
		usleep(500);
	}
	return arg;
}

static void monotone(void)
{
	pthread_t t;

	pthread_create(&t, NULL, reads, NULL);
	reads(NULL);
	pthread_join(t, NULL);
}

static void files(void)
{
	struct stat first, second, again;
	struct timeval now;
	int fd = open("times.first", O_CREAT | O_WRONLY | O_TRUNC, 0600);

	assert(fd >= 0 && write(fd, "x", 1) == 1);
	assert(fstat(fd, &first) == 0);
	gettimeofday(&now, NULL);
	assert(first.st_mtime <= now.tv_sec && now.tv_sec - first.st_mtime <= 60);
	usleep(1100000);
	close(fd);
	fd = open("times.second", O_CREAT | O_WRONLY | O_TRUNC, 0600);
	assert(fd >= 0 && write(fd, "x", 1) == 1);
	assert(futimens(fd, NULL) == 0);
	close(fd);
	assert(stat("times.second", &second) == 0 && stat("times.first", &again) == 0);
	assert(again.st_mtim.tv_sec == first.st_mtim.tv_sec &&
	       again.st_mtim.tv_nsec == first.st_mtim.tv_nsec);
	assert(second.st_mtime > first.st_mtime || second.st_mtim.tv_nsec > first.st_mtim.tv_nsec);
	assert(second.st_mtime >= first.st_mtime + 1);
	/* Not time(): it may lag behind the clock that stamps files. */
	assert(second.st_mtime <= ns(CLOCK_REALTIME) / 1000000000);
	unlink("times.first");
	unlink("times.second");
}

/* Processor time does not pass in a sleep. */
static void processor(void)
{
	clock_t before = clock();
	int64_t thread = ns(CLOCK_THREAD_CPUTIME_ID);

	usleep(900000);
	assert(clock() - before < CLOCKS_PER_SEC / 2);
	assert(ns(CLOCK_THREAD_CPUTIME_ID) - thread < 500 * MS);
}

int main(int argc, char **argv)
{
	static const struct frame_case cases[] = {{"sleeps", sleeps},	    {"expires", expires},
						  {"monotone", monotone},   {"files", files},
						  {"processor", processor}, {0}};

	return frame_main(cases, argc, argv, NULL);
}
