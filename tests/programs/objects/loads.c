#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int wrong;
static long sums[2];

static void *load(void *arg)
{
	void *h = dlopen("./module.so", RTLD_NOW);
	long *table = h ? dlsym(h, "table") : NULL, sum = 0;

	for (int i = 0; table && i < 4; i++)
		sum += table[i];
	if (table && wrong)
		table[0]++;
	*(long *)arg = sum;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	wrong = argc > 1;
	pthread_create(&a, NULL, load, &sums[0]);
	pthread_create(&b, NULL, load, &sums[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return !wrong && (sums[0] != 10 || sums[1] != 10);
}
