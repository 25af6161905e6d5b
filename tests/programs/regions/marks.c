/* Marks that both threads set to the same value: their order makes no difference. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int a, b, c, d, e, f;

static void *first(void *arg)
{
	if (!atomic_load(&a)) atomic_store(&a, 1);
	if (!atomic_load(&b)) atomic_store(&b, 1);
	if (!atomic_load(&c)) atomic_store(&c, 1);
	if (!atomic_load(&d)) atomic_store(&d, 1);
	if (!atomic_load(&e)) atomic_store(&e, 1);
	if (!atomic_load(&f)) atomic_store(&f, 1);
	return arg;
}

static void *second(void *arg)
{
	atomic_store(&a, 1);
	atomic_store(&b, 1);
	atomic_store(&c, 1);
	atomic_store(&d, 1);
	atomic_store(&e, 1);
	atomic_store(&f, 1);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	printf("%d\n", a + b + c + d + e + f);
	return 0;
}
