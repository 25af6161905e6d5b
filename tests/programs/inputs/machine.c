/* Instructions whose results differ from run to run, each in the forms in which programs use it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static unsigned long long halves(void)
{
	unsigned lo, hi;

	__asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi));
	return (unsigned long long)hi << 32 | lo;
}

static unsigned long long wide_halves(void)
{
	unsigned long long lo, hi;

	__asm__ __volatile__("lfence\n\trdtsc" : "=a"(lo), "=d"(hi));
	return hi << 32 | lo;
}

static unsigned long long whole(void)
{
	unsigned long long v;

	__asm__ __volatile__("rdtsc; shl $32, %%rdx; or %%rdx, %0" : "=a"(v) : : "rdx");
	return v;
}

static unsigned low(void)
{
	unsigned v;

	__asm__ __volatile__("rdtsc" : "=a"(v) : : "edx");
	return v;
}

static unsigned long long ordered(unsigned *cpu)
{
	unsigned lo, hi;

	__asm__ __volatile__("rdtscp" : "=a"(lo), "=d"(hi), "=c"(*cpu));
	return (unsigned long long)hi << 32 | lo;
}

static unsigned long long drawn(unsigned char *ok)
{
	unsigned long long v;

	__asm__ __volatile__("rdrand %0; setc %1" : "=r"(v), "=qm"(*ok) : : "cc");
	return v;
}

__attribute__((target("rdrnd"))) static unsigned long long random_number(void)
{
	unsigned long long v = 0;
	unsigned short s = 0;

	_rdrand64_step(&v);
	_rdrand16_step(&s);
	return v ^ s;
}

static void *ask(void *unused)
{
	unsigned cpu, cpu2;

	pthread_mutex_lock(&m);
	printf("%llu %llu %llu %u\n", halves(), wide_halves(), whole(), low());
	printf("%llu %llu ", (unsigned long long)__rdtsc(), (unsigned long long)__rdtscp(&cpu));
	printf("%llu %u ", ordered(&cpu2), cpu);
	printf("%llu %u\n", (unsigned long long)__builtin_readcyclecounter(), cpu2);
	if (__builtin_cpu_supports("rdrnd")) {
		unsigned char ok;
		unsigned long long v = drawn(&ok);

		printf("%llu %llu %d\n", random_number(), v, ok);
	}
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	pthread_t t;
	unsigned long long from = halves();
	unsigned n = 0;

	pthread_create(&t, NULL, ask, NULL);
	ask(NULL);
	pthread_join(t, NULL);
	/* A loop until a time, as programs calibrate. */
	while (halves() - from < 1000000)
		__atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
	printf("%u\n", n);
	return 0;
}
