/* Transfers between accounts, each under both locks in a fixed order; an audit takes all locks. */
#include "truth.h"

#define N 3
static struct {
	pthread_mutex_t m;
	int v;
} acc[N];

static void *teller(void *unused)
{
	for (int i = 0; i < 4; i++) {
		int a = i % (N - 1), b = a + 1;

		pthread_mutex_lock(&acc[a].m);
		pthread_mutex_lock(&acc[b].m);
		acc[a].v -= 5;
		acc[b].v += 5;
		pthread_mutex_unlock(&acc[a].m);
		pthread_mutex_unlock(&acc[b].m);
	}
	return unused;
}

static void *auditor(void *unused)
{
	for (int r = 0; r < 2; r++) {
		int sum = 0;

		for (int i = 0; i < N; i++) {
			pthread_mutex_lock(&acc[i].m);
			sum += acc[i].v;
		}
		for (int i = N; i-- > 0;)
			pthread_mutex_unlock(&acc[i].m);
		assert(sum == 300);
	}
	return unused;
}

int main(void)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_init(&acc[i].m, NULL);
		acc[i].v = 100;
	}
	return both(teller, auditor, NULL);
}
