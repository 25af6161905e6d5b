/*
 * A lock that is visible only to the processor (-DLOCKED=1), and the same program without it
 * (-DLOCKED=0).
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static volatile int bolt;
static int n;

static void *work(void *unused)
{
	int v = 1;

	if (LOCKED)
		for (; __extension__({ __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(bolt)::"memory"); v; }); v = 1)
			sched_yield();
	n++;
	if (LOCKED)
		__asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(bolt)::"memory");
	return unused;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, work, NULL);
	pthread_create(&u, NULL, work, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%d\n", n);
	return 0;
}
