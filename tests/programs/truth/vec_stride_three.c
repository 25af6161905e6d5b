/*
 * Three threads each own one field of an array of structs; loops over one field must leave the
 * others alone.
 * build: -O3 -mavx2
 */
#include "truth.h"
#define N 24
static struct {
	int x, y, z;
} p[N];
static void *xs(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		p[i].x = i;
	return NULL;
}
static void *ys(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++)
		p[i].y += p[i].y * 2 + 1;
	return NULL;
}
static void *zs(void *unused)
{
	int s = 0;

	(void)unused;
	for (int i = 0; i < N; i++)
		s += p[i].z;
	assert(s == 0);
	for (int i = 0; i < N; i++)
		p[i].z = s + 3;
	return NULL;
}
int main(void)
{
	pthread_t t[3];
	void *(*f[3])(void *) = {xs, ys, zs};

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, f[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < N; i++)
		assert(p[i].x == i && p[i].y == 1 && p[i].z == 3);
	return 0;
}
