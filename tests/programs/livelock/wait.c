/*
 * Two workers report that they are done. A report that is lost leaves main waiting for the second.
 * WAIT chooses how main waits, a function below. The names for_ever_* wait without end; others give
 * up, or something else ends the wait. FIXED: no report is lost.
 *
 * order: creation
 * variants: -DWAIT=for_ever_yield -DWAIT=for_ever_spin -DWAIT=for_ever_sleep -DWAIT=for_ever_timed
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int done;
static atomic_int reports, rounds, stop;
static volatile int flag;
static volatile sig_atomic_t rang;
static unsigned long work;

static void report(void)
{
	int d;

	pthread_mutex_lock(&m);
	d = done;
#ifndef FIXED
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
#endif
	done = d + 1;
	atomic_store(&reports, done);
	flag = done;
	pthread_mutex_unlock(&m);
}

static bool all(void)
{
	int d;

	pthread_mutex_lock(&m);
	d = done;
	pthread_mutex_unlock(&m);
	return d >= 2;
}

static double now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* ---- without end ---- */

static void for_ever_yield(void)
{
	while (!all())
		sched_yield();
}

static void for_ever_lock(void)
{
	while (!all())
		;
}

static void for_ever_spin(void)
{
	while (atomic_load(&reports) < 2)
		;
}

static void for_ever_volatile(void)
{
	while (flag < 2)
		;
}

static void for_ever_exchange(void)
{
	for (int two = 2; !atomic_compare_exchange_strong(&reports, &two, 0); two = 2)
		;
}

static void for_ever_sleep(void)
{
	while (!all())
		usleep(1000);
}

static void for_ever_back_off(void)
{
	for (long ns = 1000; !all(); ns = ns < 1000000 ? 2 * ns : ns)
		nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

static void for_ever_count(void)
{
	while (!all()) {
		atomic_fetch_add(&rounds, 1);
		sched_yield();
	}
}

static void for_ever_try(void)
{
	if (all())
		return;
	pthread_mutex_lock(&held);
	while (pthread_mutex_trylock(&held))
		sched_yield();
}

static void for_ever_timed(void)
{
	struct timespec ts;

	pthread_mutex_lock(&m);
	while (done < 2) {
		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_sec++;
		pthread_cond_timedwait(&never, &m, &ts);
	}
	pthread_mutex_unlock(&m);
}

static void for_ever_poll(void)
{
	while (!all())
		poll(NULL, 0, 10);
}

static void *looks_often(void *arg)
{
	while (!all())
		usleep(300);
	return arg;
}

static void *looks_twice(void *arg)
{
	while (!all() && !stop)
		usleep(1000);
	return arg;
}

static void *looks_seldom(void *arg)
{
	while (!all())
		sleep(10);
	return arg;
}

static void two_wait(void *(*other)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	while (!all())
		usleep(1000);
	pthread_join(t, NULL);
}

static void for_ever_two(void)
{
	two_wait(looks_often);
}

static void for_ever_two_loops(void)
{
	two_wait(looks_twice);
}

static void for_ever_seldom(void)
{
	two_wait(looks_seldom);
}

/* Now and then, the deadline is in the next second. */
static void for_ever_carry(void)
{
	struct timespec ts;

	pthread_mutex_lock(&m);
	while (done < 2) {
		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_nsec += 5000000;
		if (ts.tv_nsec >= 1000000000) {
			ts.tv_sec++;
			ts.tv_nsec -= 1000000000;
		}
		pthread_cond_timedwait(&never, &m, &ts);
	}
	pthread_mutex_unlock(&m);
}

/* ---- with an end ---- */

static void *gives_up(void *arg)
{
	for (int i = 0; i < 3000 && !all(); i++)
		usleep(1000);
	atomic_store(&reports, 2);
	return arg;
}

/* Another thread sleeps longer, and gives up later. */
static void retry_other(void)
{
	pthread_t t;

	pthread_create(&t, NULL, gives_up, NULL);
	while (atomic_load(&reports) < 2)
		usleep(10);
	pthread_join(t, NULL);
}

static void *gives_up_late(void *arg)
{
	for (long ms = 1; ms < 100000 && !all(); ms *= 2)
		usleep((useconds_t)ms * 1000);
	atomic_store(&reports, 2);
	return arg;
}

/* Its sleeps grow. */
static void retry_back_off(void)
{
	pthread_t t;

	pthread_create(&t, NULL, gives_up_late, NULL);
	while (atomic_load(&reports) < 2)
		sched_yield();
	pthread_join(t, NULL);
}

static void until_deadline(void)
{
	struct timespec ts;

	pthread_mutex_lock(&m);
	for (volatile int i = 0; done < 2 && i < 3000; i++) {
		clock_gettime(CLOCK_REALTIME, &ts);
		ts.tv_nsec += 5000000;
		if (ts.tv_nsec >= 1000000000) {
			ts.tv_sec++;
			ts.tv_nsec -= 1000000000;
		}
		pthread_cond_timedwait(&never, &m, &ts);
	}
	pthread_mutex_unlock(&m);
}

static void retry(void)
{
	for (int i = 0; i < 100000 && !all(); i++)
		sched_yield();
}

static void retry_lock(void)
{
	for (int i = 0; i < 300000 && !all(); i++)
		;
}

static void retry_spin(void)
{
	for (int i = 0; i < 3000000 && atomic_load(&reports) < 2; i++)
		;
}

static void retry_memory(void)
{
	while (atomic_fetch_add(&rounds, 1) < 100000 && !all())
		sched_yield();
}

static void retry_sleep(void)
{
	for (int i = 0; i < 20000 && !all(); i++)
		usleep(1000);
}

static void until_clock(void)
{
	double end = now(CLOCK_MONOTONIC) + 20;

	while (!all() && now(CLOCK_MONOTONIC) < end)
		;
}

static void until_time(void)
{
	time_t end = time(NULL) + 3600;

	while (!all() && time(NULL) < end)
		sched_yield();
}

/* Looks at a flag while it computes. */
static void compute(void)
{
	for (unsigned i = 0; i < 2000000 && !atomic_load(&stop); i++)
		work = work * 31 + (work >> 3);
	__asm__ volatile("" : : "r"(work));
}

static void *late(void *arg)
{
	usleep(50000);
	atomic_store(&reports, 2);
	sleep(100);
	flag = 2;
	return arg;
}

static void another_thread(void)
{
	pthread_t t;

	pthread_create(&t, NULL, late, NULL);
	while (atomic_load(&reports) < 2)
		;
	while (flag < 2)
		sched_yield();
	pthread_join(t, NULL);
}

static void ring(int sig)
{
	rang = sig;
}

static void handler(void)
{
	struct itimerval soon = {.it_value.tv_usec = 50000};

	signal(SIGALRM, ring);
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!rang)
		;
}

static void child(void)
{
	atomic_int *shared =
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();

	if (!pid) {
		usleep(50000);
		atomic_store(shared, 1);
		_exit(0);
	}
	while (!atomic_load(shared))
		;
	waitpid(pid, NULL, 0);
}

/* Without hooks: nobody can tell. */
static void endless(void)
{
	while (!all())
		for (;;)
			__asm__ volatile("");
}

static void *worker(void *arg)
{
	report();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	(void)(void (*[])(void)){for_ever_yield,
				 for_ever_lock,
				 for_ever_spin,
				 for_ever_volatile,
				 for_ever_exchange,
				 for_ever_sleep,
				 for_ever_back_off,
				 for_ever_count,
				 for_ever_try,
				 for_ever_timed,
				 for_ever_poll,
				 for_ever_two,
				 for_ever_two_loops,
				 for_ever_seldom,
				 for_ever_carry,
				 retry_other,
				 retry_back_off,
				 until_deadline,
				 retry,
				 retry_lock,
				 retry_spin,
				 retry_memory,
				 retry_sleep,
				 until_clock,
				 until_time,
				 compute,
				 another_thread,
				 handler,
				 child,
				 endless};
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	WAIT();
	puts("end");
	return 0;
}
