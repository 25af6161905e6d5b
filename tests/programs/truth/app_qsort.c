/* Each thread sorts its own part with qsort() and bsearch(); the callback uses thread-local state.
 */
#include "truth.h"

static int v[32];
static __thread int compares;

static int cmp(const void *a, const void *b)
{
	compares++;
	return *(const int *)a - *(const int *)b;
}

static void *half(void *arg)
{
	int *p = v + ((long)arg ? 16 : 0), key = 5;

	qsort(p, 16, sizeof(int), cmp);
	for (int i = 1; i < 16; i++)
		assert(p[i - 1] <= p[i]);
	assert(compares > 0);
	bsearch(&key, p, 16, sizeof(int), cmp);
	tick();
	return NULL;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < 32; i++)
		v[i] = (i * 13) % 32;
	pthread_create(&t, NULL, half, (void *)1);
	half(NULL);
	pthread_join(t, NULL);
	return 0;
}
