/* A growing array behind a lock; readers copy an element out. */
#include "truth.h"

static int *v, n;

static void *append(void *unused)
{
	for (int i = 0; i < 20; i++) {
		pthread_mutex_lock(&truth_lock);
		v = realloc(v, (n + 1) * sizeof(int));
		v[n] = n;
		n++;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

static void *peek(void *unused)
{
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&truth_lock);
		if (n)
			assert(v[n - 1] == n - 1);
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(peek, append, NULL);
	free(v);
	return n != 20;
}
