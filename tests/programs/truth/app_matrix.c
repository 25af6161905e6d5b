/* Rows of a matrix product in several threads. */
#include "truth.h"

#define N 12
static double a[N][N], b[N][N], c[N][N];

static void *rows(void *arg)
{
	long k = (long)arg;

	for (long i = k; i < N; i += 3)
		for (int j = 0; j < N; j++) {
			double s = 0;

			for (int n = 0; n < N; n++)
				s += a[i][n] * b[n][j];
			c[i][j] = s;
		}
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i;
			b[i][j] = i == j;
		}
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, rows, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return memcmp(a, c, sizeof(a)) != 0;
}
