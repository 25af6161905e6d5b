/* Each thread joins the one before it; main joins only the last. */
#include "truth.h"

static pthread_t t[4];
static int sum;

static void *work(void *arg)
{
	long i = (long)arg;

	if (i > 0)
		pthread_join(t[i - 1], NULL);
	sum += (int)i;
	return NULL;
}

int main(void)
{
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	pthread_join(t[3], NULL);
	return sum != 6;
}
