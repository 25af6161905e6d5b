#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

static __thread long much[2000];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile pthread_t last;
static long *volatile place, sum, others;

static void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		sum++;
		if (arg ? last != 0 : place != NULL)
			others = 1;
		last = pthread_self();
		place = &much[1000];
		pthread_mutex_unlock(&m);
		sched_yield();
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	/* Not by mmap(), which would be recorded. */
	if (syscall(SYS_mmap, NULL, (__rdtsc() / 32 % 256 + 256) << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1)
		return 2;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, i ? t : NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", sum);
	return 0;
}
