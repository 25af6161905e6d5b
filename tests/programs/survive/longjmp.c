/*
 * longjmp out of deep calls, many times, in two threads, and siglongjmp out of a signal handler:
 * the call stacks of the trace are those of the program afterwards.
 */
#include "survive.h"
#include <setjmp.h>
#include <signal.h>

static __thread jmp_buf back;
static sigjmp_buf out_of_handler;
static long landmark; /* written by `after_all` alone, called from main_body alone */
static int *volatile nowhere;

__attribute__((noinline)) static void deep(int n)
{
	if (n == 0) {
		shared_add(1);
		longjmp(back, 1);
	}
	deep(n - 1);
	shared_add(0);
}

static void *worker(void *arg)
{
	for (volatile int i = 0; i < 500; i++) {
		if (setjmp(back) == 0)
			deep(i % 50);
	}
	return arg;
}

static void on_segv(int sig)
{
	siglongjmp(out_of_handler, sig);
}

__attribute__((noinline)) static void fault(int n)
{
	if (n)
		fault(n - 1);
	else
		*nowhere = 1;
	shared_add(0);
}

__attribute__((noinline)) static void after_all(long n)
{
	pthread_mutex_lock(&shared_lock);
	landmark = n;
	pthread_mutex_unlock(&shared_lock);
}

static void *reader(void *arg)
{
	long n = 0;

	while (n != 21) {
		pthread_mutex_lock(&shared_lock);
		n = landmark;
		pthread_mutex_unlock(&shared_lock);
		sched_yield();
	}
	return arg;
}

__attribute__((noinline)) static void main_body(void)
{
	volatile int faults = 0;
	pthread_t t = start(worker, NULL);

	worker(NULL);
	pthread_join(t, NULL);
	signal(SIGSEGV, on_segv);
	while (faults < 20) {
		if (sigsetjmp(out_of_handler, 1) == 0)
			fault(faults % 10);
		faults++;
	}
	t = start(reader, NULL);
	after_all(faults + 1);
	pthread_join(t, NULL);
	printf("%ld jumps, %d faults\n", shared_count, faults);
}

int main(void)
{
	main_body();
	return 0;
}
